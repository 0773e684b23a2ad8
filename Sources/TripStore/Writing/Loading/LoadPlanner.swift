import EventLog
import Events
import ProjectionEngine

/// Plans the commits of a load, one after the other: on what the load did before and, beyond that, on the views.
///
/// What was planned holds if the commits are stored in this order, with the timestamps that they were given here, and
/// nobody else's come in between.
struct LoadPlanner: ~Copyable {
    /// A commit as it was planned.
    struct Planned: Sendable {
        let payload: [UInt8]
        let timestamp: Timestamp
        /// Whose writes its events name as seen if the load made them.
        let replica: ReplicaID
    }

    /// How many payloads are left alone that were stored last: the writer may have them in its hands still, and to write over
    /// them would copy them.
    private static let fewestUsed = 4
    /// How many are kept at most, and of what size.
    private static let mostUsed = 8
    private static let mostUsedBytes = 1 << 20

    private let authorship: Authorship
    private var clock: LineClock
    /// What the log holds of others: nobody else's commits come in between.
    private var held: VersionVector
    /// What the views show at least.
    private var position: Position
    private var planner: CommitPlanner
    /// Payloads whose memory may be used again.
    private var used: [[UInt8]] = []

    /// The views show everything up to a position.
    init(_ authorship: Authorship, _ clock: LineClock, holding held: VersionVector, at position: Position) {
        self.authorship = authorship
        self.clock = clock
        self.held = held
        self.position = position
        planner = CommitPlanner(of: clock.replica)
    }

    /// Begins anew, likewise.
    mutating func reset(_ clock: LineClock, holding held: VersionVector, at position: Position) {
        self.clock = clock
        self.held = held
        self.position = position
        planner.removeAll(of: clock.replica)
    }

    /// Takes back a payload that is stored.
    mutating func reuse(_ planned: Planned) {
        if used.count < Self.mostUsed, planned.payload.capacity <= Self.mostUsedBytes { used.append(planned.payload) }
    }

    /// Plans a commit. Throws `EntityMemory.OutOfReach`, or what is wrong with it; before anything else is planned, the
    /// planner is to be reset then.
    mutating func plan(_ commit: LoadedCommit, on views: borrowing ViewSnapshot) throws -> Planned {
        // Those that are being retired may be served once more.
        guard views.position >= position else { throw EntityMemory.OutOfReach() }
        let timestamp = try clock.next()
        try planner.beginCommit(at: timestamp)
        var writer = PayloadWriter(
            author: authorship.author ?? "", causation: authorship.causation, correlation: authorship.correlation,
            over: used.count > Self.fewestUsed ? used.removeFirst() : [],
            reservingCapacity: CommitPlanner.room(for: commit.draft))
        try planner.add(commit.draft, on: views, to: &writer)
        let deletes = commit.draft.entries.contains { $0.verb == .deleted }
        let payload = writer.finish(holding: deletes ? held : VersionVector())
        return Planned(payload: payload, timestamp: timestamp, replica: clock.replica)
    }
}
