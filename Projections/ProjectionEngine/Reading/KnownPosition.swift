import EventLog
import Synchronization

/// Remembers what the newest snapshot said of its position, so that not each of its readers looks it up.
///
/// A committed transaction's number stands for one state for good. The number is taken away before the position is
/// changed and put back after; so who finds the same number before and after reading the position has that number's.
final class KnownPosition: Sendable {
    private static let none = -1

    private let number = Atomic<Int>(none)
    private let position = Atomic<UInt64>(0)
    private let turn = Mutex(())

    /// The position at a transaction's number, if it is the one that is remembered.
    func value(at wanted: Int) -> Position? {
        guard number.load(ordering: .sequentiallyConsistent) == wanted else { return nil }
        let found = position.load(ordering: .sequentiallyConsistent)
        return number.load(ordering: .sequentiallyConsistent) == wanted ? Position(found) : nil
    }

    func note(_ newest: Position, at wanted: Int) {
        turn.withLock { _ in
            // An older snapshot is read by few, and not for long.
            guard number.load(ordering: .sequentiallyConsistent) < wanted else { return }
            number.store(Self.none, ordering: .sequentiallyConsistent)
            position.store(newest.rawValue, ordering: .sequentiallyConsistent)
            number.store(wanted, ordering: .sequentiallyConsistent)
        }
    }
}
