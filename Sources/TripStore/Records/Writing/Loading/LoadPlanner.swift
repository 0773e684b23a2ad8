import EventLog
import Events
import ProjectionEngine
import Synchronization

/// Plans the commits of a load, one after another: on the load's earlier commits and, for everything else, on the
/// views.
///
/// A plan is valid if the commits are stored in this order, with the timestamps that they got here, and no others come
/// in between.
struct LoadPlanner: ~Copyable {
    /// A planned commit.
    struct Planned: Sendable {
        let payload: [UInt8]
        let timestamp: Timestamp
        /// The replica that its events name if they saw writes of the load.
        let replica: ReplicaID
    }

    /// The number of most recently stored payloads that are not reused: the writer may still hold them, so that
    /// overwriting them would copy them.
    private static let fewestUsed = 4
    /// The maximum number and size of spare payloads.
    private static let mostUsed = 8
    private static let mostUsedBytes = 1 << 20

    private let authorship: Authorship
    private var clock: LineClock
    /// What the log holds of others: no other commits come in between.
    private let held: VersionVector
    private let swept: SweptEntities
    /// The minimum position of the views.
    private let position: Position
    private var planner: CommitPlanner
    /// Payloads whose memory may be reused.
    private var used: [[UInt8]] = []

    /// The views of the store show everything up to a position.
    init(_ store: TripStore, _ authorship: Authorship, at position: Position) throws {
        let clock = try store.log.lineClock()
        let (held, swept) = try store.log.read { (try $0.held(), try $0.sweptEntities()) }
        self.authorship = authorship
        self.clock = clock
        (self.held, self.swept) = (held, swept)
        self.position = position
        planner = CommitPlanner(of: clock.replica, in: store.knownSchema)
    }

    /// Takes back a payload that is stored.
    mutating func reuse(_ planned: Planned) {
        if used.count < Self.mostUsed, planned.payload.capacity <= Self.mostUsedBytes { used.append(planned.payload) }
    }

    /// Plans a commit. Throws `EntityMemory.OutOfReach`, or its fault; then the planner must be reset before the next
    /// plan.
    mutating func plan(_ commit: LoadedCommit, on views: borrowing ViewSnapshot) throws -> Planned {
        // Views that are being retired may be served once more.
        guard views.position >= position else { throw EntityMemory.OutOfReach() }
        let timestamp = try clock.next()
        try planner.beginCommit(at: timestamp)
        var writer = PayloadWriter(
            author: authorship.author ?? "", causation: authorship.causation, correlation: authorship.correlation,
            over: used.count > Self.fewestUsed ? used.removeFirst() : [],
            reservingCapacity: CommitPlanner.room(for: commit.draft))
        try planner.add(commit.draft, on: views, to: &writer)
        let saysHeld = commit.draft.entries.contains { $0.verb == .deleted } || swept.areNamed(in: writer)
        let payload = writer.finish(holding: saysHeld ? held : VersionVector())
        return Planned(payload: payload, timestamp: timestamp, replica: clock.replica)
    }
}

/// Plans the commits of a load, concurrently with the caller, which makes the next ones, and with the writer.
actor LoadPlanning {
    private let store: TripStore
    private let authorship: Authorship
    private var planner: LoadPlanner

    init(_ store: TripStore, _ authorship: Authorship, at position: Position) throws {
        self.store = store
        self.authorship = authorship
        planner = try LoadPlanner(store, authorship, at: position)
    }

    /// As the planner, on the current views.
    func plan(_ commit: LoadedCommit) throws -> LoadPlanner.Planned {
        try store.views.read { try planner.plan(commit, on: $0) }
    }

    /// Takes back a payload that is stored.
    func reuse(_ planned: LoadPlanner.Planned) { planner.reuse(planned) }

    /// Starts over: the views show everything up to a position.
    func reset(at position: Position) throws { planner = try LoadPlanner(store, authorship, at: position) }
}

/// Ensures that the commits of a load are adjacent in the log, as planned: on the writer's thread, where each is hashed
/// right before it is stored.
final class LoadGround: Sendable {
    /// The commit must not be stored as planned: another writer came first, or the commit before it failed.
    struct Unprepared: Error {}

    private struct State {
        /// The position of the newest commit of the load, or that of the views before the first.
        var position: Position
        /// The payload that was passed to the writer after that.
        var pending: [UInt8]?
        /// Whether a commit failed: those after it depend on it.
        var isStopped = false
    }

    private let state: Mutex<State>

    init(_ position: Position) { state = Mutex(State(position: position)) }

    /// Starts over: the views show everything up to a position.
    func reset(_ position: Position) { state.withLock { $0 = State(position: position) } }

    /// Hashes a commit if the newest commit of the log is the one before it. Throws `Unprepared`, or the fault of the
    /// commit; then nothing is prepared any more until `reset`.
    func prepare(_ planned: LoadPlanner.Planned, _ log: Log, _ snapshot: borrowing LogSnapshot) throws -> HashedPayload
    {
        try state.withLock { state in
            let pending = state.pending.take()
            let isStopped = state.isStopped
            state.isStopped = true
            guard !isStopped, planned.replica == log.replica, try follow(&state, pending, log.replica, snapshot) else {
                throw Unprepared()
            }
            let payload = try log.hashed(planned.payload, at: planned.timestamp)
            state.pending = planned.payload
            state.isStopped = false
            return payload
        }
    }

    /// Returns whether the newest commit of the log is the one before.
    private func follow(
        _ state: inout State, _ pending: [UInt8]?, _ replica: ReplicaID, _ snapshot: borrowing LogSnapshot
    ) throws -> Bool {
        let last = try snapshot.lastPosition()
        guard let pending else { return last == state.position }
        // Compared by the bytes: the salt, and so the hash, differs for the first commit of a line.
        guard last > state.position, let commit = try snapshot.commit(at: last),
            commit.header.replica == replica, let stored = commit.view.payloadBytes,
            pending.withUnsafeBytes({ $0.equals(stored) })
        else { return false }
        state.position = last
        return true
    }
}
