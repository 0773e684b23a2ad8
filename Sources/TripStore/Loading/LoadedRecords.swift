import EventLog
import Events
import Synchronization

/// What a load has written and the views do not show yet: the entities that it touched last, and the names of all.
///
/// Memory is bounded: of an entity that was not asked for in a while only a hash is kept.
final class LoadedRecords: Sendable {
    /// Says that the record of an entity is no longer at hand: the views have to be brought up to date.
    struct OutOfReach: Error {}

    /// An entity as a commit left it.
    enum Loaded: Sendable {
        /// It came to be: mostly nobody asks for more.
        case created(Event, index: Int, Stamp)
        case merged(EntityRecord)

        var record: EntityRecord {
            switch self {
            case .merged(let record): return record
            case .created(let event, let index, let stamp):
                var record = EntityRecord()
                record.apply(event, index: index, stamp: stamp)
                return record
            }
        }
    }

    /// How many entities are kept at least, and half of how many at most.
    private static let kept = 8_192
    /// How many may be touched before the views have to be brought up to date.
    private static let mostTouched = 1 << 20

    private struct State {
        /// What was touched or asked for since `older` was filled.
        var newer: [EntityReference: Loaded] = [:]
        var older: [EntityReference: Loaded] = [:]
        /// The entities touched, by hashes: that two are alike leads to a look at the views and no more.
        var touched: Set<Int> = []
    }

    private let state = Mutex(State())

    /// Whether it is time to bring the views up to date.
    var isFull: Bool { state.withLock { $0.touched.count >= Self.mostTouched } }

    /// The record of an entity as the load left it; nil if the load did not touch it.
    ///
    /// Throws `OutOfReach` if it did and the record was let go.
    func record(of entity: EntityReference) throws(OutOfReach) -> EntityRecord? {
        let (found, isTouched) = state.withLock { state in
            guard state.touched.contains(entity.hashValue) else { return (Loaded?.none, false) }
            return (state.newer[entity] ?? state.older[entity], true)
        }
        guard found != nil || !isTouched else { throw OutOfReach() }
        return found?.record
    }

    /// Takes in the entities that a commit touched, or looked at while they were here.
    func keep(_ entities: [(EntityReference, Loaded)]) {
        // Freed outside of the lock.
        var outdated: [EntityReference: Loaded] = [:]
        state.withLock { state in
            for (entity, loaded) in entities {
                state.newer[entity] = loaded
                state.touched.insert(entity.hashValue)
            }
            guard state.newer.count >= Self.kept else { return }
            outdated = state.older
            state.older = state.newer
            state.newer = Dictionary(minimumCapacity: 2 * Self.kept)
        }
        _ = consume outdated
    }

    /// The views show everything.
    func removeAll() { state.withLock { $0 = State() } }
}
