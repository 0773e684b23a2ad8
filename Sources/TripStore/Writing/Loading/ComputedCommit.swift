package import Events
package import Trips

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
