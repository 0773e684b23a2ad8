public import Events
import Foundation

/// The failure of an operation that the log refused, or could not perform.
public struct EventLogError: ExplainedError, Sendable {
    /// The kind of failure, for code that decides what to do next.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The folder holds no log.
        public static let notALog = Code(rawValue: "notALog")
        /// The log's creation was cut off: nothing was stored, and opening it for writing creates it.
        public static let unfinished = Code(rawValue: "unfinished")
        /// The log is gone or empty, although this machine knows that the replica whose key is there has written.
        public static let logLost = Code(rawValue: "logLost")
        /// The log was made by a version that writes a format unknown here.
        public static let newerFormat = Code(rawValue: "newerFormat")
        /// The log has another journal than the one asked for.
        public static let otherJournal = Code(rawValue: "otherJournal")
        /// A commit is larger than the limit.
        public static let commitTooLarge = Code(rawValue: "commitTooLarge")
        /// The key of an element is longer than the limit.
        public static let keyTooLong = Code(rawValue: "keyTooLong")
        /// Stored bytes differ from what was once written.
        public static let damaged = Code(rawValue: "damaged")
        /// The log was opened read-only.
        public static let readOnly = Code(rawValue: "readOnly")
        /// The log was closed.
        public static let closed = Code(rawValue: "closed")
        /// The machine's clock is outside the range of timestamps.
        public static let clockOutOfRange = Code(rawValue: "clockOutOfRange")
        /// Data from another replica does not pass the checks.
        public static let rejected = Code(rawValue: "rejected")
        /// A replica's commits fork into more branches than are kept.
        public static let tooManyBranches = Code(rawValue: "tooManyBranches")
        /// Data from another replica has timestamps far in the future, by this machine's clock: one of the two clocks
        /// is wrong.
        public static let implausibleTime = Code(rawValue: "implausibleTime")
        /// The replica may not write, or not this: it is no member, has a lower role or was revoked.
        public static let notAMember = Code(rawValue: "notAMember")
        /// A statement about members would have no effect, or not the intended one.
        public static let noEffect = Code(rawValue: "noEffect")
        /// A text is no invitation code, or one of another journal.
        public static let wrongInvitation = Code(rawValue: "wrongInvitation")
        /// More was offered than is kept of replicas that are not members, or than one member may add.
        public static let quotaExceeded = Code(rawValue: "quotaExceeded")
        /// The commit cannot be erased, or not by this replica.
        public static let notErasable = Code(rawValue: "notErasable")
        /// The commit that a segment follows is not held.
        public static let missingStart = Code(rawValue: "missingStart")
        /// The replica's key could not be read or written.
        public static let keyUnusable = Code(rawValue: "keyUnusable")
    }

    /// A bound on how much other replicas may make a log store: see `ReceivingQuotas`.
    public enum Quota: String, Sendable, Hashable {
        case lines, bytesADay, statementsADay, waitingLines, waitingBytes, strangerLines, strangerBytes,
            strangerStatements, statementBytes, attachmentBytes
    }

    public let code: Code
    /// The bound that `quotaExceeded` is about.
    public let quota: Quota?
    /// One or two sentences: what was wrong, with the values, and what to do.
    public let message: String
    /// The underlying error, if there was one.
    public let cause: (any Error)?

    public init(_ code: Code, _ message: String, quota: Quota? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.quota = quota
        self.message = message
        self.cause = cause
    }

    public var description: String { cause.map { "\(message) (\($0))" } ?? message }
}

extension EventLogError {
    static func notALog(_ path: String, cause: (any Error)? = nil) -> EventLogError {
        EventLogError(.notALog, "\(path) holds no log. Check the path.", cause: cause)
    }

    static func unfinished(_ path: String, cause: (any Error)? = nil) -> EventLogError {
        EventLogError(
            .unfinished,
            "The creation of the log at \(path) was cut off, and nothing was stored. Opening it for writing begins it.",
            cause: cause)
    }

    static func nameless(_ path: String) -> EventLogError {
        EventLogError(.damaged, "\(path) holds commits and does not name its format, journal and replica. Restore it.")
    }
}
