import EventLog
import Synchronization

/// Caches the position of the newest snapshot, so that not every reader looks it up.
///
/// A committed transaction's number identifies one state permanently. The number is cleared before the position changes
/// and set after; so a reader that finds the same number before and after reading the position has that number's.
final class KnownPosition: Sendable {
    private static let none = -1

    private let number = Atomic<Int>(none)
    private let position = Atomic<UInt64>(0)
    private let turn = Mutex(())

    /// The position at a transaction number, if that is the cached one.
    func value(at wanted: Int) -> Position? {
        guard number.load(ordering: .sequentiallyConsistent) == wanted else { return nil }
        let found = position.load(ordering: .sequentiallyConsistent)
        return number.load(ordering: .sequentiallyConsistent) == wanted ? Position(found) : nil
    }

    func note(_ newest: Position, at wanted: Int) {
        turn.withLock { _ in
            // An older snapshot has few readers, and not for long.
            guard number.load(ordering: .sequentiallyConsistent) < wanted else { return }
            number.store(Self.none, ordering: .sequentiallyConsistent)
            position.store(newest.rawValue, ordering: .sequentiallyConsistent)
            number.store(wanted, ordering: .sequentiallyConsistent)
        }
    }
}
