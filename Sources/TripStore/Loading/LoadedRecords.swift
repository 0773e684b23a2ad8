import EventLog
import Events
import Synchronization

/// What a load has written and the views do not show yet: the entities that it touched last, and the names of all.
///
/// Memory is bounded: of an entity that was not asked for in a while only a hash is kept.
final class LoadedRecords: Sendable {
    /// Says that the record of an entity is no longer at hand: the views have to be brought up to date.
    struct OutOfReach: Error {}

    /// How many entities are kept at least, and half of how many at most.
    private static let kept = 8_192
    /// How many may be touched before the views have to be brought up to date.
    private static let mostTouched = 1 << 20

    private struct State {
        /// What was touched or asked for since `older` was filled.
        var newer: [EntityReference: EntityState] = [:]
        var older: [EntityReference: EntityState] = [:]
        /// The entities touched, by hashes: that two are alike leads to a look at the views and no more.
        var touched: Set<Int> = []
    }

    private let state = Mutex(State())

    /// Whether it is time to bring the views up to date.
    var isFull: Bool { state.withLock { $0.touched.count >= Self.mostTouched } }

    /// An entity as the load left it; nil if the load did not touch it.
    ///
    /// Throws `OutOfReach` if it did and its state was let go.
    func state(of entity: EntityReference) throws(OutOfReach) -> EntityState? {
        let (found, isTouched) = state.withLock { state in
            guard state.touched.contains(entity.hashValue) else { return (EntityState?.none, false) }
            return (state.newer[entity] ?? state.older[entity], true)
        }
        guard found != nil || !isTouched else { throw OutOfReach() }
        return found
    }

    /// Takes in what a commit, stored under a stamp, left behind. Answers what is no longer kept, to be freed by whoever has
    /// the time.
    func keep(_ preparer: inout Preparer, at stamp: Stamp) -> [EntityReference: EntityState] {
        state.withLock { state in
            preparer.leave(at: stamp) { entity, left in
                state.newer[entity] = left
                state.touched.insert(entity.hashValue)
            }
            guard state.newer.count >= Self.kept else { return [:] }
            var outdated = [EntityReference: EntityState](minimumCapacity: 2 * Self.kept)
            swap(&outdated, &state.newer)
            swap(&outdated, &state.older)
            return outdated
        }
    }

    /// The views show everything.
    func removeAll() { state.withLock { $0 = State() } }
}
