import Events
import Foundation
import Trips

/// What the state of entities allows, whoever knows it.
enum EventRules {
    /// What the rules ask of an entity.
    struct Presence {
        /// Whether the entity came to be, deleted or not.
        var isCreated = false
        var isDeleted = false

        /// Whether queries show it.
        var isPresent: Bool { isCreated && !isDeleted }
    }

    /// Throws `TripStoreError` if a verb is out of place.
    static func check(_ verb: Verb, of entity: EntityReference, on state: Presence) throws(TripStoreError) {
        if verb == .created {
            guard !state.isCreated else {
                throw TripStoreError(
                    .alreadyExists,
                    state.isDeleted
                        ? "The \(entity.words) was created before and deleted. Restore it instead."
                        : "The \(entity.words) is there already. Edit it, or give the new one another id.",
                    entity: entity)
            }
            return
        }
        guard state.isCreated else { throw TripStoreError.unknown(entity) }
        if verb == .restored {
            guard state.isDeleted else {
                throw TripStoreError(
                    .notDeleted, "The \(entity.words) is not deleted: there is nothing to restore.", entity: entity)
            }
        } else if state.isDeleted {
            throw TripStoreError.deleted(entity)
        }
    }

    /// The trip to which an item belongs after an event, and whether the event says so; nil for what is no item, and for items
    /// that have none. `held` answers the id that the item has before.
    static func trip(
        of event: TripEvent, held: () throws -> EntityReference?
    ) rethrows -> (trip: EntityReference, isWritten: Bool)? {
        guard event.entity.kind.isItem else { return nil }
        let field = ItemField.trip.rawValue
        // Mostly it is the only one, and among the first.
        guard let place = event.writes.lastIndex(where: { $0.field == field }) else {
            return try held().map { ($0, false) }
        }
        return event.writes[place].value?.withUnsafeBytes { reference(toTrip: $0) }.map { ($0, true) }
    }

    /// The trip that the value of a field names; nil if it is none.
    static func reference(toTrip value: UnsafeRawBufferPointer) -> EntityReference? {
        value.count == 16 ? Trip.ID(value.uuid()).reference : nil
    }

    /// An item belongs to a trip that is here and not deleted; what belongs to a deleted one is restored with it.
    ///
    /// Throws `TripStoreError.unknownTrip`.
    static func check(
        _ trip: EntityReference, isWritten: Bool, by event: TripEvent, on state: Presence
    ) throws(TripStoreError) {
        if state.isPresent { return }
        // An item that a peer put into a trip which never came here may be edited, moved and deleted all the same.
        if !isWritten && (!state.isCreated || event.verb == .deleted) { return }
        throw TripStoreError(
            .unknownTrip,
            state.isDeleted
                ? "The \(trip.words) of the \(event.entity.words) was deleted. Restore the trip, or choose another."
                : "There is no \(trip.words) for the \(event.entity.words). Create the trip first, or choose another.",
            entity: trip)
    }
}
