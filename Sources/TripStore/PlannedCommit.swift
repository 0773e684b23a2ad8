import EventLog
import Events
import Trips

/// A commit that is to be appended, and what was done for it ahead.
package struct PlannedCommit: Sendable {
    /// What was prepared on the views before there was a transaction. It holds as long as nobody writes, after a position,
    /// to an entity that was looked at.
    struct Ahead: Sendable {
        let position: Position
        let preparer: Preparer
        let payload: HashedPayload
    }

    private let authorship: Authorship
    private let expected: [EntityReference: EntityVersion]
    private let leavesOutUnchanged: Bool
    private let prepare: @Sendable (inout Preparer, borrowing LogSnapshot) throws -> Void
    var ahead: Ahead?

    init(
        _ authorship: Authorship, expecting versions: [EntityReference: EntityVersion], leavesOutUnchanged: Bool,
        _ prepare: @escaping @Sendable (inout Preparer, borrowing LogSnapshot) throws -> Void
    ) {
        self.authorship = authorship
        expected = versions
        self.leavesOutUnchanged = leavesOutUnchanged
        self.prepare = prepare
    }

    /// Checks the events. Throws what is wrong with one of them.
    func preparer(
        _ coordinator: WriteCoordinator, _ ground: Preparer.Ground, _ log: borrowing LogSnapshot
    ) throws -> Preparer {
        var preparer = Preparer(
            coordinator, ground, expected: expected, leavesOutUnchanged: leavesOutUnchanged)
        try preparer.checkExpectations(log)
        try prepare(&preparer, log)
        return preparer
    }

    /// What was checked, encoded and hashed; nil if there is nothing to write.
    func payload(_ preparer: Preparer, _ log: Log) throws -> HashedPayload? {
        guard !preparer.events.isEmpty else { return nil }
        return try log.hashed(
            Payload(
                author: authorship.author, causation: authorship.causation, correlation: authorship.correlation,
                events: preparer.events))
    }
}
