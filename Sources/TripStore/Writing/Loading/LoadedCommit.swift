import EventLog
import Events
import Trips

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
}
