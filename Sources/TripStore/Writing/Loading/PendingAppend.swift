import EventLog
import Synchronization

/// The outcome of a commit that was passed to the writer: where it was stored, nil if there was nothing to store, or why it failed.
final class PendingAppend: Sendable {
    private struct State {
        var outcome: Result<Appended?, any Error>?
        var waiting: CheckedContinuation<Appended?, any Error>?
    }

    private let state = Mutex(State())

    /// Sets the outcome; once.
    func finish(_ outcome: Result<Appended?, any Error>) {
        let waiting = state.withLock { state in
            state.outcome = outcome
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(with: outcome)
    }

    /// Waits until the commit is durable, or failed. Only one task may wait.
    var appended: Appended? {
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
