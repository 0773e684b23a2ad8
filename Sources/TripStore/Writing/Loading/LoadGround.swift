import EventLog
import Events
import Synchronization

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
