import Foundation

extension Error {
    /// A description of an error for people. Of an error of Foundation it is what the system said, or words for its code: Foundation's own text
    /// names a domain and a number.
    package var systemText: String {
        if let error = self as? POSIXError { return Self.words(error.code.rawValue) }
        // On Apple platforms every error can be cast to an NSError.
        guard self is CocoaError || type(of: self) is NSError.Type else {
            return self is DecodingError || self is EncodingError ? "it is not of the form that is expected" : "\(self)"
        }
        let error = self as NSError
        if let cause = error.userInfo[NSUnderlyingErrorKey] as? any Error { return cause.systemText }
        switch error.domain {
        case NSPOSIXErrorDomain: return Self.words(Int32(truncatingIfNeeded: error.code))
        case NSCocoaErrorDomain: return Self.words(ofCocoa: CocoaError.Code(rawValue: error.code))
        default: return "the system refused it, with the code \(error.code)"
        }
    }

    private static func words(_ number: Int32) -> String { String(cString: strerror(number)) }

    private static func words(ofCocoa code: CocoaError.Code) -> String {
        switch code {
        case .fileNoSuchFile, .fileReadNoSuchFile: words(ENOENT)
        case .fileReadNoPermission, .fileWriteNoPermission: words(EACCES)
        case .fileWriteFileExists: words(EEXIST)
        case .fileWriteOutOfSpace: words(ENOSPC)
        case .fileWriteVolumeReadOnly: words(EROFS)
        case .fileReadInvalidFileName, .fileWriteInvalidFileName: "its name is not allowed here"
        case .fileReadTooLarge: words(EFBIG)
        case .fileReadCorruptFile, .propertyListReadCorrupt, .coderReadCorrupt: "its content is damaged"
        case .fileReadInapplicableStringEncoding, .fileReadUnknownStringEncoding: "it is no text in UTF-8"
        case .userCancelled: "it was cancelled"
        default: "the system refused it, with the code \(code.rawValue)"
        }
    }
}
