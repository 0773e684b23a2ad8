import Events
import Foundation
import Trips

/// What the state of entities allows, for every source of the state.
enum EventRules {
    /// The state of an entity that the rules depend on.
    struct Presence {
        /// Whether the entity was created, deleted or not.
        var isCreated: Bool
        var isDeleted: Bool

        /// Whether queries show it.
        var isPresent: Bool { isCreated && !isDeleted }

        init(isCreated: Bool = false, isDeleted: Bool = false) {
            self.isCreated = isCreated
            self.isDeleted = isDeleted
        }

        init(_ record: EntityRecord) { self.init(isCreated: record.creation != nil, isDeleted: record.isDeleted) }
    }

    /// Throws `TripStoreError` if a verb is not allowed.
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

    /// The field of items that references their trip.
    static let tripField = FieldPath.parent.field

    /// The trip to which an event assigns its item; nil if it does not write it. Within that, nil if it clears it.
    static func writtenTrip(_ event: TripEvent) -> EntityReference?? {
        guard let place = event.writes.lastIndex(where: { $0.path == .parent }) else { return nil }
        return .some(event.writes[place].value?.withUnsafeBytes { reference(toTrip: $0) })
    }

    /// The same for an encoded event.
    static func writtenTrip(_ event: Event) -> EntityReference?? {
        guard let change = event.changes.last(where: { $0.path == FieldPath(field: tripField) }) else { return nil }
        return .some(change.value.flatMap(reference(toTrip:)))
    }

    /// The trip that a field's value references; nil if it is none.
    static func reference(toTrip value: [UInt8]) -> EntityReference? {
        value.withUnsafeBytes { reference(toTrip: $0) }
    }

    /// The trip that a field's value references; nil if it is none.
    static func reference(toTrip value: UnsafeRawBufferPointer) -> EntityReference? {
        EntityReference(fieldValue: value).flatMap { $0.kind == .trip ? $0 : nil }
    }

    /// An item must be in a present trip; the items of a deleted trip are restored with it.
    ///
    /// Throws `TripStoreError.unknownTrip`.
    static func check(
        _ trip: EntityReference, isWritten: Bool, by verb: Verb, of item: EntityReference, on state: Presence
    ) throws(TripStoreError) {
        if state.isPresent { return }
        // An item that a peer assigned to a trip that never arrived here may still be edited, moved and deleted.
        if !isWritten && (!state.isCreated || verb == .deleted) { return }
        throw TripStoreError(
            .unknownTrip,
            state.isDeleted
                ? "The \(trip.words) of the \(item.words) was deleted. Restore the trip, or choose another."
                : "There is no \(trip.words) for the \(item.words). Create the trip first, or choose another.",
            entity: trip)
    }
}
