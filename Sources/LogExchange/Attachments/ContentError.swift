public import Events
import Foundation

/// Why the bytes of an attachment could not be stored, read or exchanged.
public struct ContentError: ExplainedError, Sendable, Hashable {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// More bytes than `ContentID.largestSize`.
        public static let tooLarge = Code(rawValue: "attachmentTooLarge")
        /// A file's bytes are not those that it is named for.
        public static let damaged = Code(rawValue: "damagedContent")
        /// A peer sent other bytes than the events name.
        public static let wrongBytes = Code(rawValue: "wrongBytes")
        /// Another process is storing the same bytes at this moment, or the parts before have gone. A later try succeeds.
        public static let busy = Code(rawValue: "contentBusy")
        /// The other side could not store or send them, for a reason of its own such as a full disk. A later try may succeed.
        public static let failed = Code(rawValue: "failed")
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

extension ContentError {
    package static func wrongPart(_ index: Int, of content: ContentID) -> ContentError {
        ContentError(
            .wrongBytes,
            "Part \(index + 1) of \(content.partCount) of \(content) has other bytes than its name says. It was not stored.",
            content)
    }

    /// A part came after one that is missing: it was removed since the sender began.
    package static func gone(_ index: Int, of content: ContentID, _ next: Int) -> ContentError {
        ContentError(
            .busy,
            "Part \(index + 1) of \(content.partCount) of \(content) was sent, and part \(next + 1) is missing by now. Begin again.",
            content)
    }
}
