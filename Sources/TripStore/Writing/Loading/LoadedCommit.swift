import EventLog
import Events
import Synchronization
import Trips

/// A commit of a load in flight.
final class LoadedCommit: Sendable {
    private struct State {
        var outcome: Result<Appended, any Error>?
        var waiting: CheckedContinuation<Appended, any Error>?
    }

    let draft: DraftedEvents
    /// What computes the events; nil if they stay as they are.
    let source: (any ComputedCommit)?
    /// Up to which commit of the log the computed events hold.
    let position: Position
    private let state = Mutex(State())

    /// Validates the events alone. Throws their faults.
    init(_ events: [TripEvent]) throws(ValidationError) {
        draft = DraftedEvents(events)
        (source, position) = (nil, .start)
        if let fault = draft.firstFault { throw fault }
    }

    /// Events that were computed. They are computed anew as long as something is wrong with them; nil if none are left.
    init?(_ source: any ComputedCommit, _ first: ComputedEvents) throws {
        var computed = first
        var draft = DraftedEvents(computed.events)
        while let fault = draft.firstFault {
            computed = try source.compute(without: fault)
            draft = DraftedEvents(computed.events)
        }
        guard !computed.events.isEmpty else {
            source.stored()
            return nil
        }
        (self.draft, self.source, position) = (draft, source, computed.position)
    }

    /// Sets its outcome; once.
    func finish(_ outcome: Result<Appended, any Error>) {
        let waiting = state.withLock { state in
            state.outcome = outcome
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(with: outcome)
    }

    /// Waits until it is durable, or failed. Only one task may wait.
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
