/// Why views cannot be read or built.
public struct ProjectionError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, for code that decides what to do next.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No generation of the views can be served yet: one is being built.
        public static let beingBuilt = Code(rawValue: "beingBuilt")
        /// There is no generation that this version can read, and none can be built through a read-only store.
        public static let notBuilt = Code(rawValue: "notBuilt")
        /// A row cannot be read.
        public static let damaged = Code(rawValue: "damaged")
        /// There is no view of that name.
        public static let unknownView = Code(rawValue: "unknownView")
        /// The log's environment refused to go on.
        public static let failed = Code(rawValue: "failed")
    }

    public let code: Code
    /// One or two sentences: what was wrong, with the values, and what to do.
    public let message: String
    /// The error below this one, if there was one.
    public let cause: (any Error)?

    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    public var description: String { cause.map { "\(message) (\($0))" } ?? message }

    static func damaged(_ what: String, _ cause: (any Error)? = nil) -> ProjectionError {
        ProjectionError(
            .damaged, "In the views \(what) is not intact. Run 'tripstore replay' to build them anew from the log.",
            cause: cause)
    }
}

/// How far a rebuild has come.
public struct BuildProgress: Sendable, Hashable {
    /// What it is at.
    public enum Stage: String, Sendable {
        case reading, folding, loading
    }

    public let stage: Stage
    public let done: UInt64
    public let total: UInt64

    public init(stage: Stage, done: UInt64, total: UInt64) {
        self.stage = stage
        self.done = done
        self.total = total
    }
}
