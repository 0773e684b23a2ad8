import EventLog
import Synchronization
import Trips

/// A commit of a load on its way to the medium.
final class LoadedCommit: Sendable {
    private struct State {
        var outcome: Result<Appended, any Error>?
        var waiting: CheckedContinuation<Appended, any Error>?
    }

    let draft: DraftedEvents
    private let state = Mutex(State())

    /// Checks what can be said of the events alone. Throws what is wrong with them.
    init(_ events: [TripEvent]) throws(ValidationError) {
        draft = DraftedEvents(events)
        if let fault = draft.firstFault { throw fault }
    }

    /// The same commit, to be sent on its way anew.
    init(again commit: LoadedCommit) { draft = commit.draft }

    /// Tells what became of it; once.
    func finish(_ outcome: Result<Appended, any Error>) {
        let waiting = state.withLock { state in
            state.outcome = outcome
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(with: outcome)
    }

    /// Waits until it is durable, or for what kept it from that. One at a time may wait.
    var appended: Appended {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state in
                    if state.outcome == nil { state.waiting = continuation }
                    return state.outcome
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        }
    }
}
