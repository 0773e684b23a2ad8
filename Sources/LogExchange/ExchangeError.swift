import EventLog
public import Events
import Foundation

/// Why replicas could not exchange, or not everything.
public struct ExchangeError: ExplainedError, Sendable {
    /// The kind of failure, for code that decides what to do next.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The two belong to different journals.
        public static let otherJournal = Code(rawValue: "otherJournal")
        /// The peer uses a version that is unknown here.
        public static let newerVersion = Code(rawValue: "newerVersion")
        /// The peer's message cannot be read, or is inconsistent.
        public static let malformed = Code(rawValue: "malformed")
        /// A frontier names more heads, or a request more commits, than allowed.
        public static let tooManyHeads = Code(rawValue: "tooManyHeads")
        /// The peer sent unannounced segments, or known ones, without an end.
        public static let unannounced = Code(rawValue: "unannounced")
        /// The peer did not send what it had announced.
        public static let withheld = Code(rawValue: "withheld")
        /// The peer is empty, and joins no journal that is pushed to it.
        public static let empty = Code(rawValue: "empty")
        /// The peer stores nothing.
        public static let notWritable = Code(rawValue: "notWritable")
        /// The folder or file is not a store's, or does not exist.
        public static let notAStore = Code(rawValue: "notAStore")
        /// A store cannot exchange with itself.
        public static let sameStore = Code(rawValue: "sameStore")
        /// A bundle is cut off, or its checksum is wrong.
        public static let damagedBundle = Code(rawValue: "damagedBundle")
        /// Bytes are packed by an algorithm whose library this system lacks.
        public static let unavailableCompression = Code(rawValue: "unavailableCompression")
        /// A bundle begins with commits whose predecessors are not held.
        public static let missingStart = Code(rawValue: "missingStart")
        /// A text names no frontier.
        public static let invalidFrontier = Code(rawValue: "invalidFrontier")
        /// The replica is unknown.
        public static let unknownReplica = Code(rawValue: "unknownReplica")
        /// A file of another kind is there already.
        public static let fileExists = Code(rawValue: "fileExists")
        /// A file could not be written or read.
        public static let unusableFile = Code(rawValue: "unusableFile")
        /// The connection ended too early.
        public static let cut = Code(rawValue: "cut")
        /// The peer went on from bytes that are not kept aside any more.
        public static let notKept = Code(rawValue: "notKept")
        /// The peer is no member, holds no invitation, or speaks for another.
        public static let notAuthorized = Code(rawValue: "notAuthorized")
        /// The server's certificate is not the one that is trusted.
        public static let notTrusted = Code(rawValue: "notTrusted")
        /// The server says that this replica was revoked, and no commit shows it.
        public static let unproven = Code(rawValue: "unproven")
        /// This replica was revoked, as commits show that are held here: `replica` is the one that did.
        public static let revoked = Code(rawValue: "revoked")
        /// The server has proved its key, and says that this replica's request for membership was not granted yet.
        public static let needsGrant = Code(rawValue: "needsGrant")
        /// A replica has another identity than the one that the connection was opened for. A new one is needed.
        public static let identityChanged = Code(rawValue: "identityChanged")
        /// The peer refused, with a reason.
        public static let refused = Code(rawValue: "refused")
    }

    public let code: Code
    /// One or two sentences: what was wrong, with the values, and what to do.
    public let message: String
    /// The underlying error, if there was one.
    public let cause: (any Error)?
    /// The code that the peer gave for a refusal, as of an `EventLogError`: a claim.
    public let refusal: String?
    /// The replica that the error is about: for `revoked`, the one that revoked this one.
    public let replica: ReplicaID?

    public init(
        _ code: Code, _ message: String, cause: (any Error)? = nil, refusal: String? = nil, replica: ReplicaID? = nil
    ) {
        self.code = code
        self.message = message
        self.cause = cause
        self.refusal = refusal
        self.replica = replica
    }

    public var description: String { cause.map { "\(message) (\($0))" } ?? message }
}

extension EventLogError.Code {
    var isOfOneReplica: Bool {
        [.rejected, .missingStart, .tooManyBranches, .implausibleTime, .quotaExceeded].contains(self)
    }
}

extension Error {
    /// Whether the peer refuses the commits of one replica, and stores the rest.
    var isOfOneReplica: Bool {
        switch self {
        case let error as EventLogError: error.code.isOfOneReplica
        case let error as ExchangeError: error.refusal.map { EventLogError.Code(rawValue: $0).isOfOneReplica } ?? false
        default: false
        }
    }
}
