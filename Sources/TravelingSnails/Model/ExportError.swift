/// Why a whole file cannot be used. The caller must drop what the same file returned before it.
public struct ExportError: Error, Sendable, Hashable {
    /// The kind of failure, for code that must distinguish them.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The file cannot be opened or read, or is not a regular file.
        case unreadable
        /// The file is empty, or holds white space only.
        case empty
        /// The file does not begin as JSON: a CSV, an archive, text in UTF-16.
        case notJSON
        /// The file begins as JSON and then breaks a rule of RFC 8259.
        case malformed
        /// The file ends before its JSON does.
        case truncated
        /// The file is JSON, but no Traveling Snails export.
        case notAnExport
        /// The export is of a major version that this reader does not know.
        case unsupportedVersion
        /// A text is longer, or values are nested deeper, than this reader allows; or too many records are unusable.
        case tooLarge
        /// The file was changed while it was read, or between its two passes.
        case changed
        /// A decimal number does not fit the requested integer.
        case outOfRange
        /// The parts of an export were to be written in another order than the file has.
        case outOfOrder
    }

    /// One word, so that the many functions that may throw it, and rarely do, reserve no space for it.
    private final class Contents: Sendable {
        let code: Code
        let message: String
        let place: Place?

        init(_ code: Code, _ message: String, _ place: Place?) {
            self.code = code
            self.message = message
            self.place = place
        }
    }

    private let contents: Contents

    /// The kind of failure.
    public var code: Code { contents.code }
    /// One or two plain sentences: what is wrong, where, and what to do.
    public var message: String { contents.message }
    /// The first wrong place; nil if the failure has none, as for a missing file.
    public var place: Place? { contents.place }

    @inline(never)
    init(_ code: Code, _ message: String, at place: Place? = nil) {
        contents = Contents(code, message, place)
    }

    /// Whether code, message and place are equal.
    public static func == (one: ExportError, other: ExportError) -> Bool {
        one.code == other.code && one.message == other.message && one.place == other.place
    }

    /// Hashes code, message and place.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
        hasher.combine(place)
    }
}

extension ExportError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
