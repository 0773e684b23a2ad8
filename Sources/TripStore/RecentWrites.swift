import EventLog
import Events

/// Which entities the newest commits of the log wrote to: for what was prepared before its transaction began, and holds
/// unless somebody was quicker.
struct RecentWrites {
    /// How many entities are remembered at most from one transaction to the next.
    private static let most = 1 << 16

    /// What lies after it, up to `end`, is known.
    private var start = Position.start
    private var end = Position.start
    private var newest: [EntityReference: Position] = [:]
    /// Whether all that is known is committed. What a transaction saw that came to nothing must be forgotten.
    private var isSettled = true

    /// A transaction begins.
    mutating func begin() {
        if !isSettled || newest.count > Self.most { self = RecentWrites() }
    }

    /// The transaction is durable.
    mutating func settle() { isSettled = true }

    /// Looks at the commits up to the last, at least at those after a position. O(events not looked at yet).
    mutating func extend(to last: Position, notBefore position: Position, _ log: borrowing LogSnapshot) throws {
        if position < start || newest.isEmpty || end < position { (start, end, newest) = (position, position, [:]) }
        guard end < last else { return }
        isSettled = false
        var newest = newest
        self.newest = [:]
        try log.forEachCommit(after: end) { commit in
            commit.forEachEvent { event, _ in newest[event.entity] = commit.position }
            return true
        }
        self.newest = newest
        end = last
    }

    /// Whether a commit after a position wrote to an entity; the position must not lie before what is known.
    func isWritten(_ entity: EntityReference, after position: Position) -> Bool {
        newest[entity].map { $0 > position } ?? false
    }
}
