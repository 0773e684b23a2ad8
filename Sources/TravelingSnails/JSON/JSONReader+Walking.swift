/// Steps for readers of other JSON than exports: names and values without the keys and records of exports.
extension JSONReader {
    /// Reads a file of any size from its start.
    ///
    /// - Parameter longestText: bytes of a text that is kept; longer ones may be skipped.
    package static func walking(_ input: InputFile, longestText: Int) throws(ExportError) -> JSONReader {
        var limits = ReaderLimits()
        limits.longestToken = longestText
        var reader = try JSONReader(input, limits: limits)
        try reader.skipByteOrderMark()
        return reader
    }

    /// Bytes of the file that are read.
    package var offset: Int64 { mark.offset }
    /// The line of the next byte, counted from 1.
    package var currentLine: Int { line }

    /// The name of the next member, at most 64 bytes of it, whose value is next to be read; nil at the end of the object, which it leaves.
    package mutating func nextName() throws(ExportError) -> String? {
        guard let key = try nextKey() else { return nil }
        guard key == .unknown else { return key.rawValue }
        return String(decoding: unknownKeys[top.keyStart...], as: UTF8.self)
    }

    /// Reads a text, which the caller has seen to be one.
    package mutating func textValue() throws(ExportError) -> String {
        let token = try readStringToken()
        return text(token)
    }

    /// Reads a number, which the caller has seen to be one, as written.
    package mutating func numberValue() throws(ExportError) -> String {
        let range = try readNumberToken()
        return String(decoding: buffer[range], as: UTF8.self)
    }
}
