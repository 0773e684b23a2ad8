import EventLog
import Synchronization
import Trips

/// A commit of a load on its way to the medium.
final class LoadedCommit: Sendable {
    private struct State {
        var outcome: Result<Appended, any Error>?
        var waiting: CheckedContinuation<Appended, any Error>?
        var remains: [any Sendable] = []
    }

    let events: [TripEvent]
    private let state = Mutex(State())

    init(_ events: [TripEvent]) { self.events = events }

    /// Keeps something until the commit is let go, by whoever sent it off.
    func keep(_ remains: any Sendable) { state.withLock { $0.remains.append(remains) } }

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
