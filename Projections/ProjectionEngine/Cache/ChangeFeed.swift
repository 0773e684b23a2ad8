public import EventLog
import Foundation
import LMDB
import Metrics
import Platform
import Synchronization

/// What this process knows of the changes of a group's views: the newest batches, and the answers that are still good.
///
/// It follows the ring of changes in the views' environment, in which every process notes what it changed: the number
/// of the newest transaction there says, for the price of a look into the map, whether there is anything new.
@usableFromInline
final class ChangeFeed: Sendable {
    /// A place in the stream of changes.
    struct Place: Sendable, Hashable {
        /// Grows from 1 when changes were lost or the views were exchanged: whatever was read before may be otherwise.
        var epoch: UInt64
        var position: Position
    }

    private struct State {
        var generation: String?
        var transaction = -1
        var place = Place(epoch: 0, position: .start)
        /// The newest batches, in order, up to `place`, and after `reach`.
        var recent: [Invalidation] = []
        var keyCount = 0
        var reach = Position.start
        var cache: QueryCache
        var statistics = CacheStatistics()
    }

    /// How many batches, and of how many changed keys, are remembered for those who are behind.
    private static let keptBatches = 128
    private static let keptKeys = 1 << 16
    /// The most bytes of changes that are read in one go; beyond that everything counts as changed.
    private static let readLimit = 4 << 20

    private let slot: GenerationSlot
    private let state: BargingMutex<State>
    private let hits = Counter(label: "tripstore.cache.hits")
    private let misses = Counter(label: "tripstore.cache.misses")

    init(_ slot: GenerationSlot, cacheLimit: Int) {
        self.slot = slot
        state = BargingMutex(State(cache: QueryCache(limit: cacheLimit)))
    }

    /// Whether something that was read at a place may have changed since, and the place where it has not.
    func hasChanged(_ readSet: ReadSet, since place: Place) throws -> (Bool, Place) {
        try state.withLock { state in
            try follow(&state)
            guard state.place != place else { return (false, place) }
            guard place.epoch == state.place.epoch, place.position >= state.reach else { return (true, state.place) }
            let isHit = state.recent.contains { $0.position > place.position && readSet.isHit(by: $0) }
            return (isHit, state.place)
        }
    }

    /// The place of what was read from a snapshot. It is asked for when that is over: following reads, too.
    func place(of origin: ReadOrigin) throws -> Place {
        try state.withLock { state in
            try follow(&state)
            // What was read from views that were exchanged since belongs to no epoch that is followed.
            let isCurrent = state.generation == origin.generation
            return Place(epoch: isCurrent ? state.place.epoch : 0, position: origin.position)
        }
    }

    // MARK: Answers

    /// The answer kept under a key, if nothing that it was read from has changed; and up to where it holds.
    @usableFromInline
    func answer(for key: CacheKey) throws -> (KeptAnswer, Position)? {
        let found: (KeptAnswer, Position)? = try state.withLock { state in
            try follow(&state)
            guard let kept = state.cache.value(for: key) else {
                state.statistics.misses += 1
                return nil
            }
            state.statistics.hits += 1
            return (kept, state.place.position)
        }
        (found == nil ? misses : hits).increment()
        return found
    }

    /// Keeps an answer that was read at a place, unless a change since then touches what it was read from.
    func keep(_ answer: KeptAnswer, for key: CacheKey, _ recorder: ReadRecorder, at place: Place) throws {
        let cost = 256 + answer.size + 3 * recorder.byteCount + recorder.readSet.byteCount
        try state.withLock { state in
            try follow(&state)
            guard place.epoch == state.place.epoch, place.position >= state.reach,
                !state.recent.contains(where: { $0.position > place.position && recorder.readSet.isHit(by: $0) })
            else { return }
            state.cache.insert(answer, for: key, recorder.readSet, cost: cost)
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
        if let serving = slot.serving, serving.folder.path == state.generation,
            try serving.environment.lastTransaction() == state.transaction
        {
            return
        }
        try slot.read { views in
            // Taken once the snapshot stands, the number may be of a later one; so it is what the snapshot says.
            let transaction = views.transaction.number
            let path = views.generation.folder.path
            let changes =
                path == state.generation
                ? try views.invalidations(since: state.place.position, limit: Self.readLimit) : nil
            if let changes, views.position >= state.place.position {
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
                state.place.epoch += 1
                state.recent = []
                state.keyCount = 0
                state.reach = views.position
                state.statistics.dropped += state.cache.removeAll()
            }
            state.generation = path
            state.transaction = transaction
            state.place.position = views.position
        }
    }
}

/// How the cache of decoded answers fares.
public struct CacheStatistics: Sendable, Hashable {
    /// Answers that were given without reading the views.
    public internal(set) var hits = 0
    /// Answers that had to be read.
    public internal(set) var misses = 0
    /// Answers that were dropped because something that they were read from changed.
    public internal(set) var dropped = 0
    /// Answers that are kept now.
    public internal(set) var entries = 0
    /// What they take, estimated from the bytes that they were read from.
    public internal(set) var bytes = 0

    public init() {}
}

/// Which views were read, and how far they had come.
@usableFromInline
struct ReadOrigin: Sendable {
    /// The folder of the generation.
    let generation: String
    let position: Position
}
