import EventLog
import Events
import Synchronization

/// What a load knows of the log and of the entities in it, on the writer's thread, where each of its commits is prepared
/// right before it is stored: so that many share a sync, and each still finds what the one before it did.
final class LoadGround: Sendable {
    /// The commit cannot be prepared on what is in memory: somebody else has written, too much was loaded, or the commit
    /// before this one failed. The views have to be brought up to date first.
    struct Unprepared: Error {}

    private struct State {
        /// Up to where everything is in the views or in the records.
        var position: Position
        /// What was handed to the writer after that, and is in the records once it is found stored.
        var pending: (preparer: Preparer, payload: HashedPayload)?
        /// Whether a commit failed: those after it were to be stored after it.
        var isStopped = false
    }

    private let records = LoadedRecords()
    private let state: Mutex<State>

    init(_ position: Position) { state = Mutex(State(position: position)) }

    /// Begins anew: the views show everything up to a position.
    func reset(_ position: Position) {
        records.removeAll()
        state.withLock { $0 = State(position: position) }
    }

    /// Checks and encodes a commit as the transaction finds things. Throws `Unprepared`, or what is wrong with it; then
    /// nothing is prepared any more until `reset`.
    ///
    /// `remains` is handed what is no longer needed: thousands of small pieces of memory, which others have the time to free.
    func prepare(
        _ plan: PlannedCommit, _ coordinator: WriteCoordinator, _ log: Log, _ snapshot: borrowing LogSnapshot,
        remains: (any Sendable) -> Void
    ) throws -> HashedPayload? {
        // Nothing of it stays behind, for what is shared is copied when it changes.
        var state = state.withLock { state in
            defer {
                state.isStopped = true
                state.pending = nil
            }
            return state
        }
        guard !state.isStopped, try follow(&state, log.replica, snapshot, remains), !records.isFull else {
            throw Unprepared()
        }
        let preparer: Preparer
        do {
            preparer = try plan.preparer(coordinator, .load(records), snapshot)
        } catch is LoadedRecords.OutOfReach {
            throw Unprepared()
        }
        guard let payload = try plan.payload(preparer, log) else { throw Unprepared() }
        state.pending = (preparer, payload)
        self.state.withLock { $0 = state }
        return payload
    }

    /// Takes the commit before into the records. Answers whether it, and nothing else, is the newest in the log.
    private func follow(
        _ state: inout State, _ replica: ReplicaID, _ snapshot: borrowing LogSnapshot, _ remains: (any Sendable) -> Void
    ) throws -> Bool {
        let last = try snapshot.lastPosition()
        guard var pending = state.pending.take() else { return last == state.position }
        defer { remains(pending.preparer) }
        // By its bytes: the salt, and so the hash, is another for the first commit of a line.
        guard last > state.position, let commit = try snapshot.commit(at: last),
            commit.header.replica == replica, let stored = commit.view.payloadBytes,
            pending.payload.bytes.withUnsafeBytes({ $0.elementsEqual(stored) })
        else { return false }
        remains(records.keep(&pending.preparer, at: commit.stamp))
        state.position = last
        return true
    }
}
