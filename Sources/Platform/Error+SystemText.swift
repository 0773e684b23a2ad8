import Foundation

extension Error {
    /// What is to be said of an error to people: of one of Foundation's what the system said, for its own text lists a dictionary.
    package var systemText: String {
        if let error = self as? CocoaError {
            guard let cause = error.userInfo[NSUnderlyingErrorKey] as? any Error else {
                return error.localizedDescription
            }
            return cause.systemText
        }
        if let error = self as? POSIXError { return String(cString: strerror(error.code.rawValue)) }
        return "\(self)"
    }
}
