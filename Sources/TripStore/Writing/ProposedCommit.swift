import EventLog
import Events
import Trips

/// A commit that is to be appended: everything that writes proposes one, and it is checked when its turn comes.
struct ProposedCommit: Sendable {
    private let authorship: Authorship
    /// What is held against the commit of an earlier attempt; nil where no append id can be given.
    private let proposal: AppendProposal?
    private let expected: [EntityReference: EntityVersion]
    private let leavesOutUnchanged: Bool
    private let prepare: @Sendable (inout Preparer, borrowing LogSnapshot) throws -> Void

    init(
        _ authorship: Authorship, _ proposal: AppendProposal?, expecting versions: [EntityReference: EntityVersion],
        leavesOutUnchanged: Bool,
        _ prepare: @escaping @Sendable (inout Preparer, borrowing LogSnapshot) throws -> Void
    ) {
        self.authorship = authorship
        self.proposal = proposal
        expected = versions
        self.leavesOutUnchanged = leavesOutUnchanged
        self.prepare = prepare
    }

    /// What an earlier attempt of the same append came to; nil if there was none. O(1,024) where it has an id.
    ///
    /// Throws `TripStoreError.appendIDReused` if the commit with that id is another.
    func earlierAttempt(_ log: borrowing LogSnapshot) throws -> EarlierAttempt? {
        guard let id = authorship.appendID, let proposal else { return nil }
        return try EarlierAttempt(of: proposal, id, log)
    }

    /// Checks the events. Throws what is wrong with one of them.
    func preparer(_ coordinator: WriteCoordinator, _ log: borrowing LogSnapshot) throws -> Preparer {
        var preparer = Preparer(coordinator, expected: expected, leavesOutUnchanged: leavesOutUnchanged)
        try preparer.checkExpectations(log)
        try prepare(&preparer, log)
        if preparer.events.contains(where: { $0.verb == .deleted }) { preparer.held = try log.held() }
        return preparer
    }

    /// What was checked, encoded and hashed; nil if there is nothing to write.
    func payload(_ preparer: Preparer, _ log: Log) throws -> HashedPayload? {
        guard !preparer.events.isEmpty else { return nil }
        return try log.hashed(
            Payload(
                author: authorship.author, causation: authorship.causation, correlation: authorship.correlation,
                events: preparer.events, appendID: proposal == nil ? nil : authorship.appendID, held: preparer.held))
    }
}
