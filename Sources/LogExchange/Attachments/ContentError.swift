public import Events

/// Why the bytes of an attachment could not be stored, read or exchanged.
public struct ContentError: Error, Sendable, Hashable, CustomStringConvertible {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// More bytes than `ContentID.largestSize`.
        public static let tooLarge = Code(rawValue: "attachmentTooLarge")
        /// A file's bytes are not those that it is named for.
        public static let damaged = Code(rawValue: "damagedContent")
        /// A peer sent other bytes than the events name.
        public static let wrongBytes = Code(rawValue: "wrongBytes")
        /// Another task or process is receiving the same bytes.
        public static let busy = Code(rawValue: "contentBusy")
        /// The other side refused, and said why.
        public static let refused = Code(rawValue: "refused")
        /// The bytes are not here.
        public static let missing = Code(rawValue: "missingContent")
    }

    public let code: Code
    public let message: String
    public let content: ContentID?

    public init(_ code: Code, _ message: String, _ content: ContentID? = nil) {
        self.code = code
        self.message = message
        self.content = content
    }

    public var description: String { message }
}
