public import Events
import Synchronization

/// How many commits lack bytes, by the journals in which there are some.
public final class LackingJournals: Sendable {
    private let counts = Mutex<[JournalID: Int]>([:])

    public init() {}

    /// Sets the number of a journal; returns whether it is another one than before.
    @discardableResult
    public func set(_ count: Int, of journal: JournalID) -> Bool {
        counts.withLock { counts in
            let before = counts[journal] ?? 0
            counts[journal] = count == 0 ? nil : count
            return before != count
        }
    }

    /// The number of journals, and of commits in all of them.
    public var totals: (journals: Int, commits: Int) {
        counts.withLock { ($0.count, $0.values.reduce(0, +)) }
    }
}
