import EventLog
import Events
import Synchronization

/// Sees to it that the commits of a load follow one another in the log, as they were planned: on the writer's thread,
/// where each is hashed right before it is stored.
final class LoadGround: Sendable {
    /// The commit is not to be stored as it was planned: somebody else has written, or the commit before this one failed.
    struct Unprepared: Error {}

    private struct State {
        /// Where the newest commit of the load lies, or what the views showed before the first.
        var position: Position
        /// What was handed to the writer after that.
        var pending: [UInt8]?
        /// Whether a commit failed: those after it were to be stored after it.
        var isStopped = false
    }

    private let state: Mutex<State>

    init(_ position: Position) { state = Mutex(State(position: position)) }

    /// Begins anew: the views show everything up to a position.
    func reset(_ position: Position) { state.withLock { $0 = State(position: position) } }

    /// Hashes a commit if the one before it, and nothing else, is the newest in the log. Throws `Unprepared`, or what is
    /// wrong with it; then nothing is prepared any more until `reset`.
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

    /// Answers whether the commit before, and nothing after it, is the newest in the log.
    private func follow(
        _ state: inout State, _ pending: [UInt8]?, _ replica: ReplicaID, _ snapshot: borrowing LogSnapshot
    ) throws -> Bool {
        let last = try snapshot.lastPosition()
        guard let pending else { return last == state.position }
        // By its bytes: the salt, and so the hash, is another for the first commit of a line.
        guard last > state.position, let commit = try snapshot.commit(at: last),
            commit.header.replica == replica, let stored = commit.view.payloadBytes,
            pending.withUnsafeBytes({ $0.equals(stored) })
        else { return false }
        state.position = last
        return true
    }
}
