/// A position in a text file, by line and column.
public struct TextPlace: Hashable, Sendable, CustomStringConvertible {
    /// Counted from 1.
    public let line: Int
    /// Counted from 1, in bytes of UTF-8.
    public let column: Int

    public init(line: Int, column: Int = 1) {
        self.line = line
        self.column = column
    }

    /// The place of a byte. O(bytes before it).
    init(of offset: Int, in bytes: some RandomAccessCollection<UInt8>) {
        let before = bytes.prefix(offset)
        let feed = UInt8(ascii: "\n")
        self.init(
            line: 1 + before.reduce(0) { $0 + ($1 == feed ? 1 : 0) },
            column: 1 + before.reversed().prefix { $0 != feed }.count)
    }

    public var description: String { "line \(line), column \(column)" }
}

/// Why a text file of another program cannot be used. Nothing of it was.
public struct TextFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; the same names in every version.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The file cannot be opened or read.
        case unreadable
        /// It holds nothing, or white space only.
        case empty
        /// It is no UTF-8.
        case wrongEncoding
        /// It is no file of the format.
        case wrongFormat
        /// It breaks a rule of the format.
        case malformed
        /// It ends too early.
        case truncated
        /// It is larger, or nested deeper, than is allowed.
        case tooLarge
        /// A mapping of columns that cannot be used.
        case invalidMapping
        /// An export that is older than that of the last import: `ImportOptions.isOlderAllowed` takes it all the same.
        case olderFile
    }

    public let code: Code
    /// The explanation of the failure, with the values, and what to do.
    public let message: String
    public let place: TextPlace?
    /// The file, as people call it.
    public var file: String?

    public init(_ code: Code, _ message: String, at place: TextPlace? = nil, file: String? = nil) {
        self.code = code
        self.message = message
        self.place = place
        self.file = file
    }

    /// The file, the line and the column, then the message.
    public var description: String {
        let parts = [file, place?.description].compactMap { $0 }
        return parts.isEmpty ? message : parts.joined(separator: ", ") + ": " + message
    }
}
