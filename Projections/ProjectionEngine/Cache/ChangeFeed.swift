public import EventLog
import Foundation
import LMDB
import Metrics
import Platform
import Synchronization

/// This process's knowledge of changes to a group's views: the newest batches, and the cached results that are still
/// valid.
///
/// It follows the ring of changes in the views' environment, in which every process records the keys that it changed.
/// The number of the newest transaction there shows, for one read of the map, whether there is anything new.
@usableFromInline
final class ChangeFeed: Sendable {
    /// A position in the stream of changes.
    struct Cursor: Sendable, Hashable {
        /// Grows from 1 when changes were lost or the views were replaced: earlier results may no longer be valid.
        var epoch: UInt64
        var position: Position
    }

    private struct State {
        var generation: String?
        var transaction = -1
        var cursor = Cursor(epoch: 0, position: .start)
        /// The newest batches, in order, up to `cursor`, and after `reach`.
        var recent: [Invalidation] = []
        var keyCount = 0
        var reach = Position.start
        var cache: QueryCache
        var statistics = CacheStatistics()
    }

    /// How many batches, and of how many changed keys, are kept for readers that are behind.
    private static let keptBatches = 128
    private static let keptKeys = 1 << 16
    /// The most bytes of changes that are read at once; beyond that everything counts as changed.
    private static let readLimit = 4 << 20

    private let slot: GenerationSlot
    private let state: BargingMutex<State>
    private let hits = Counter(label: "tripstore.cache.hits")
    private let misses = Counter(label: "tripstore.cache.misses")

    init(_ slot: GenerationSlot, cacheLimit: Int) {
        self.slot = slot
        state = BargingMutex(State(cache: QueryCache(limit: cacheLimit)))
    }

    /// Whether anything that was read at a cursor may have changed since, and the cursor up to which it has not.
    func hasChanged(_ readSet: ReadSet, since cursor: Cursor) throws -> (Bool, Cursor) {
        try state.withLock { state in
            try follow(&state)
            guard state.cursor != cursor else { return (false, cursor) }
            guard cursor.epoch == state.cursor.epoch, cursor.position >= state.reach else {
                return (true, state.cursor)
            }
            let isHit = state.recent.contains { $0.position > cursor.position && readSet.isHit(by: $0) }
            return (isHit, state.cursor)
        }
    }

    /// Does what `hasChanged` does, and returns the first key that changed.
    func changedKey(of readSet: ReadSet, since cursor: Cursor) throws -> (ChangedKey?, Cursor) {
        let (hasChanged, newer) = try hasChanged(readSet, since: cursor)
        guard hasChanged else { return (nil, newer) }
        let batch = state.withLock { state in
            state.recent.first { $0.position > cursor.position && readSet.isHit(by: $0) }
        }
        return (batch.flatMap(readSet.firstHit) ?? ChangedKey(view: "", key: []), newer)
    }

    /// The cursor of a finished read from a snapshot. Call it after the read: following the ring is a read, too.
    func cursor(of origin: ReadOrigin) throws -> Cursor {
        try cursor(of: origin) { state in try follow(&state) }
    }

    /// The same inside of a read of the log: the thread may not begin another, to look up which generation serves.
    func cursor(of origin: ReadOrigin, beside log: borrowing LogSnapshot) throws -> Cursor {
        try cursor(of: origin) { state in
            if !(try isCurrent(state)) { try slot.read(beside: log) { try follow(&state, $0) } }
        }
    }

    private func cursor(of origin: ReadOrigin, _ follow: (inout State) throws -> Void) throws -> Cursor {
        try state.withLock { state in
            try follow(&state)
            // Reads from views that were replaced since belong to no current epoch.
            let isCurrent = state.generation == origin.generation
            return Cursor(epoch: isCurrent ? state.cursor.epoch : 0, position: origin.position)
        }
    }

    // MARK: Cached results

    /// The cached result for a key, if nothing that it was read from has changed, and the position up to which it is
    /// valid.
    @usableFromInline
    func result(for key: CacheKey) throws -> (CachedResult, Position)? {
        let found: (CachedResult, Position)? = try state.withLock { state in
            try follow(&state)
            guard let kept = state.cache.value(for: key) else {
                state.statistics.misses += 1
                return nil
            }
            state.statistics.hits += 1
            return (kept, state.cursor.position)
        }
        (found == nil ? misses : hits).increment()
        return found
    }

    /// Caches a result that was read at a cursor, unless a change since then affects what it was read from.
    func keep(_ result: CachedResult, for key: CacheKey, _ recorder: ReadRecorder, at cursor: Cursor) throws {
        var readSet = recorder.readSet
        let size = 256 + result.size + 3 * recorder.byteCount
        try state.withLock { state in
            try follow(&state)
            guard cursor.epoch == state.cursor.epoch, cursor.position >= state.reach,
                !state.recent.contains(where: { $0.position > cursor.position && recorder.readSet.isHit(by: $0) })
            else { return }
            // Kept until its views change, where all that it read would take too much room.
            if size + readSet.byteCount > state.cache.mostOfOne { readSet.widen() }
            state.cache.insert(result, for: key, readSet, cost: size + readSet.byteCount)
        }
    }

    var statistics: CacheStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.entries = state.cache.count
            statistics.bytes = state.cache.byteCount
            return statistics
        }
    }

    // MARK: Following

    private func follow(_ state: inout State) throws {
        if !(try isCurrent(state)) { try slot.read { try follow(&state, $0) } }
    }

    private func isCurrent(_ state: State) throws -> Bool {
        guard let serving = slot.serving, serving.folder.path == state.generation else { return false }
        return try serving.environment.lastTransaction() == state.transaction
    }

    private func follow(_ state: inout State, _ views: borrowing ViewSnapshot) throws {
        // Read after the snapshot was opened, the environment's number may be a later one; so the snapshot's own
        // number counts.
        let transaction = views.transaction.number
        let path = views.generation.folder.path
        let changes =
            path == state.generation
            ? try views.invalidations(since: state.cursor.position, limit: Self.readLimit) : nil
        if let changes, views.position >= state.cursor.position {
            for change in changes { state.statistics.dropped += state.cache.apply(change) }
            state.recent += changes
            state.keyCount += changes.reduce(0) { $0 + $1.keyCount }
            var surplus = 0
            while state.recent.count - surplus > Self.keptBatches || state.keyCount > Self.keptKeys {
                state.keyCount -= state.recent[surplus].keyCount
                state.reach = state.recent[surplus].position
                surplus += 1
            }
            state.recent.removeFirst(surplus)
        } else {
            state.cursor.epoch += 1
            state.recent = []
            state.keyCount = 0
            state.reach = views.position
            state.statistics.dropped += state.cache.removeAll()
        }
        state.generation = path
        state.transaction = transaction
        state.cursor.position = views.position
    }
}

/// Statistics of the cache of decoded results.
public struct CacheStatistics: Sendable, Hashable {
    /// Results returned without reading the views.
    public internal(set) var hits = 0
    /// Results that had to be read.
    public internal(set) var misses = 0
    /// Results dropped because something that they were read from changed.
    public internal(set) var dropped = 0
    /// Results that are cached now.
    public internal(set) var entries = 0
    /// Their size, estimated from the bytes that they were read from.
    public internal(set) var bytes = 0

    package init() {}
}

/// The views that were read, and their position.
@usableFromInline
struct ReadOrigin: Sendable {
    /// The folder of the generation.
    let generation: String
    let position: Position
}
