import EventLog
package import Events
import Synchronization
package import Trips

/// A commit of a load in flight.
final class LoadedCommit: Sendable {
    let draft: DraftedEvents
    /// What computes the events; nil if they stay as they are.
    let source: (any ComputedCommit)?
    /// Up to which commit of the log the computed events hold.
    let position: Position
    /// Its outcome.
    let pending = PendingAppend()

    /// Validates the events alone. Throws their faults.
    init(_ events: [TripEvent], in known: KnownSchema) throws(ValidationError) {
        draft = DraftedEvents(events, in: known)
        (source, position) = (nil, .start)
        if let fault = draft.firstFault { throw fault }
    }

    /// Events that were computed. They are computed anew as long as something is wrong with them; nil if none are left.
    init?(_ source: any ComputedCommit, _ first: ComputedEvents, in known: KnownSchema) throws {
        var computed = first
        var draft = DraftedEvents(computed.events, in: known)
        while let fault = draft.firstFault {
            computed = try source.compute(without: fault)
            draft = DraftedEvents(computed.events, in: known)
        }
        guard !computed.events.isEmpty else {
            source.stored()
            return nil
        }
        (self.draft, self.source, position) = (draft, source, computed.position)
    }
}

/// Events that were computed from what queries showed.
package struct ComputedEvents: Sendable {
    package let events: [TripEvent]
    /// Up to which commit of the log they hold.
    package let position: Position
    /// The versions that they depend on, if another writer has committed since the load began.
    package let versions: [EntityReference: EntityVersion]

    package init(
        _ events: [TripEvent], at position: Position, expecting versions: [EntityReference: EntityVersion] = [:]
    ) {
        self.events = events
        self.position = position
        self.versions = versions
    }
}

/// A commit of a load whose events are computed again if another writer commits before it is stored.
package protocol ComputedCommit: AnyObject, Sendable {
    /// The events as they were computed last.
    var computed: ComputedEvents { get }

    /// Computes the events from what queries show now. `refusal` is why the events were refused, if that was no conflict with another
    /// writer: leave out what is at fault, or throw the error.
    func compute(without refusal: (any Error)?) throws -> ComputedEvents

    /// The events as they were computed last are durable, or there are none.
    func stored()
}

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
