public import EventLog
import Events
import LMDB

/// A reader of a group of projections for queries, usable from any thread and without an actor hop.
///
/// Kept outside the actor: reference counting an object that has weak references is slower, by more than the rest of a
/// small query outside of the tables.
public final class ViewReader: Sendable {
    @usableFromInline let slot: GenerationSlot
    @usableFromInline let feed: ChangeFeed
    private let others: OtherProcesses
    private let group: WeakGroup

    init(_ slot: GenerationSlot, _ feed: ChangeFeed, _ others: OtherProcesses, _ group: WeakGroup) {
        self.slot = slot
        self.feed = feed
        self.others = others
        self.group = group
    }

    /// Runs `body` on a snapshot of the views: a whole number of commits, none of them half.
    ///
    /// Throws `ProjectionError.beingBuilt`, `.notBuilt` or `.closed` if there is nothing to serve, and what `body`
    /// throws.
    @inlinable
    public func read<T>(_ body: (borrowing ViewSnapshot) throws -> T) throws -> T {
        // Only the generic part is compiled with its caller.
        let views = try slot.open()
        defer { views.finish() }
        return try body(views.snapshot)
    }

    /// Checks whether another process wrote to the log and left the views to this one, and wakes the group to update
    /// them; for one read of the map. Does not wait.
    package func notice() { if others.mayHaveWritten { group.value?.wake() } }

    /// Returns a query's cached result, or runs the query and caches its result as long as nothing that it read
    /// changes.
    ///
    /// Key and version identify the query with everything that its result depends on. Results come with the position up to
    /// which they are valid. Throws like `read`.
    @inlinable
    package func cached<Value: Sendable>(
        _ key: any Hashable & Sendable, version: Int = 0, _ query: (borrowing ViewSnapshot) throws -> Value
    ) throws -> (value: Value, position: Position) {
        let key = CacheKey(key, version: version)
        if let (result, position) = try feed.result(for: key), let kept = result as? TypedResult<Value> {
            return (kept.value, position)
        }
        let recorder = ReadRecorder()
        let views = try slot.open(recorder: recorder)
        let result: TypedResult<Value>
        do {
            defer { views.finish() }
            result = TypedResult(try query(views.snapshot))
        }
        return (result.value, try keep(result, key, recorder, views.origin))
    }

    @usableFromInline
    func keep(
        _ result: CachedResult, _ key: CacheKey, _ recorder: ReadRecorder, _ origin: ReadOrigin
    ) throws -> Position {
        try feed.keep(result, for: key, recorder, at: try feed.cursor(of: origin))
        return origin.position
    }
}
