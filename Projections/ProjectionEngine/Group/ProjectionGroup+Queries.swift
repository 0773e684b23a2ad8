package import EventLog
import Events
import LMDB

extension ProjectionGroup {
    /// Runs `body` on a snapshot of the views: a whole number of commits, none of them half. Any thread, no actor hop.
    ///
    /// Throws `ProjectionError.beingBuilt`, `.notBuilt` or `.closed` if there is nothing to serve, and what `body`
    /// throws.
    @inlinable
    public nonisolated func read<T>(_ body: (borrowing ViewSnapshot) throws -> T) throws -> T {
        try reader.read(body)
    }

    /// The same inside a read of the log. A thread that reads both must begin the log's read first: in another order two threads
    /// could deadlock while both files grow.
    package nonisolated func read<T>(
        beside log: borrowing LogSnapshot, _ body: (borrowing ViewSnapshot) throws -> T
    ) throws -> T {
        try slot.read(beside: log, body)
    }

    /// Whether queries find a generation to read.
    public nonisolated var isServing: Bool { slot.serving != nil }

    /// The progress of a rebuild without which nothing can be served; nil if there is none.
    public nonisolated var progress: BuildProgress? { slot.progress }

    /// Why the views could not be updated; nil if they could.
    public nonisolated var fault: GroupFault? { slot.fault }

    /// Why the views that existed when the group started were not served, but rebuilt; nil if they were served, or
    /// there were none.
    public nonisolated var replacementReason: String? { slot.serving == nil ? nil : slot.replacement }

    /// Throws `ProjectionError.closed` once the group was closed.
    package nonisolated func checkOpen() throws(ProjectionError) { if slot.isClosed { throw .closed } }

    /// The names of the views, the entities' first.
    public nonisolated var viewNames: [String] {
        [Generation.entitiesName] + configuration.projections.map(\.name)
    }

    /// The state of each view. With digests it reads every row.
    public nonisolated func status(digests: Bool) throws -> [ViewStatus] {
        try read { try ViewStatus.all(of: configuration.projections, in: $0, digests: digests) }
    }
}
