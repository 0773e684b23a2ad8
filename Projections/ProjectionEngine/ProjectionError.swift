public import EventLog
public import Events
import Foundation

/// Why views cannot be read or built.
public struct ProjectionError: ExplainedError, Sendable {
    /// The kind of failure, for code that decides what to do next.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No generation of the views can be served yet: one is being built.
        public static let beingBuilt = Code(rawValue: "beingBuilt")
        /// There is no generation that this version can read: none can be built through a read-only store, or building
        /// one failed, and the message says when it is retried.
        public static let notBuilt = Code(rawValue: "notBuilt")
        /// The group of views, or its store, was closed.
        public static let closed = Code(rawValue: "closed")
        /// A row cannot be read.
        public static let damaged = Code(rawValue: "damaged")
        /// Commits that the views were built from changed since, or count otherwise: the views are rebuilt.
        public static let outdated = Code(rawValue: "outdated")
        /// There is no view of that name.
        public static let unknownView = Code(rawValue: "unknownView")
        /// A projection could not make rows of an entity or event, or made invalid rows.
        public static let projectionFailed = Code(rawValue: "projectionFailed")
        /// The views' environment failed.
        public static let failed = Code(rawValue: "failed")
    }

    public let code: Code
    /// One or two sentences: what was wrong, with the values, and what to do.
    public let message: String
    /// The underlying error, if there was one.
    public let cause: (any Error)?

    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    public var description: String { cause.map { "\(message) (\($0))" } ?? message }

    /// For views that could not be built, with the time before which it is not retried automatically.
    static func notBuilt(for cause: any Error, nextAttempt: Date?) -> ProjectionError {
        let next = nextAttempt.map { " with the first write from \($0.formatted(.iso8601)) on, or" } ?? ""
        return ProjectionError(
            .notBuilt,
            "The views could not be built. It is tried again\(next) when they are rebuilt.",
            cause: cause)
    }

    static let closed = ProjectionError(
        .closed, "The store was closed, and its views with it. Open it again, and use what that returns.")

    static let outdated = ProjectionError(
        .outdated,
        "What the views were built from was erased in part since, or counts otherwise. They are being built anew; wait until they are."
    )

    package static func damaged(_ what: String, _ cause: (any Error)? = nil) -> ProjectionError {
        ProjectionError(
            .damaged, "In the views \(what) is not intact. Build them anew from the log.",
            cause: cause)
    }
}

/// A projection's failure. It stops its group and no other.
public struct ProjectionFault: ExplainedError, Sendable, Hashable {
    /// The view whose projection failed.
    public let view: String
    public let entity: EntityReference?
    /// The commit that brought the entity into the failing state; nil until it is found.
    public internal(set) var position: Position?
    /// The projection's message, or the fault in its rows.
    public let reason: String

    public var description: String {
        let location = position.map { " as the commit at position \($0) left it" } ?? ""
        let subject = entity.map { " at entity \($0.id.uuidString) of kind \($0.kind.rawValue)" } ?? ""
        return
            "The projection '\(view)' failed\(subject)\(location): \(reason). Mend it and raise its version; its group stands still until then."
    }

    /// Rows of two entities under one key would replace each other, and a rebuild would differ from the incremental
    /// result.
    static func sharedKey(_ key: [UInt8], view: String, _ entity: EntityReference?) -> ProjectionFault {
        ProjectionFault(
            view: view, entity: entity,
            reason: "it puts two rows under the key \(key.hexadecimal), and its rows are said to be unique; what tells "
                + "them apart belongs into the key")
    }

    func found(at position: Position) -> ProjectionFault {
        var fault = self
        fault.position = position
        return fault
    }
}

/// The progress of a rebuild.
public struct BuildProgress: Sendable, Hashable {
    /// The current stage.
    public enum Stage: Sendable {
        case reading, folding, loading
        /// Indexes are made of the entities of views that are there.
        case indexing
    }

    public let stage: Stage
    public let done: UInt64
    public let total: UInt64

    package init(stage: Stage, done: UInt64, total: UInt64) {
        self.stage = stage
        self.done = done
        self.total = total
    }
}
