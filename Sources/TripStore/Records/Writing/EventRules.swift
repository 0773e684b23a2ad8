import Events
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
    static func check(
        _ verb: Verb, of entity: EntityReference, on state: Presence, in known: KnownSchema?
    ) throws(TripStoreError) {
        if verb == .created {
            guard !state.isCreated else {
                throw TripStoreError(
                    .alreadyExists,
                    state.isDeleted
                        ? "The \(entity.words(in: known)) was created before and deleted. Restore it instead."
                        : "The \(entity.words(in: known)) is there already. Edit it, or give the new one another id.",
                    entity: entity)
            }
            return
        }
        guard state.isCreated else { throw TripStoreError.unknown(entity, in: known) }
        if verb == .restored {
            guard state.isDeleted else {
                throw TripStoreError(
                    .notDeleted, "The \(entity.words(in: known)) is not deleted: there is nothing to restore.",
                    entity: entity)
            }
        } else if state.isDeleted {
            throw TripStoreError.deleted(entity, in: known)
        }
    }

    /// How many ancestors an entity may have, and how many levels may be below the first; more are not looked at.
    static let mostAncestors = 64

    /// The parent to which an event assigns its entity; nil if it does not write it. Within that, nil if it clears it.
    static func writtenParent(_ event: TripEvent) -> EntityReference?? {
        guard event.entity.kind.mayHaveParent, let place = event.writes.lastIndex(where: { $0.path == .parent }) else {
            return nil
        }
        return .some(event.writes[place].value?.withUnsafeBytes { event.entity.kind.parent(in: $0) })
    }

    /// The same for an encoded event.
    static func writtenParent(_ event: Event) -> EntityReference?? {
        guard event.entity.kind.mayHaveParent, let change = event.changes.last(where: { $0.path == .parent }) else {
            return nil
        }
        return .some(change.value?.withUnsafeBytes { event.entity.kind.parent(in: $0) })
    }

    /// An entity must be in a present parent; what was in a deleted one is restored with it.
    ///
    /// Throws `TripStoreError` with the code for a missing parent of its kind.
    static func check(
        _ parent: EntityReference, isWritten: Bool, by verb: Verb, of child: EntityReference, on state: Presence,
        in known: KnownSchema?
    ) throws(TripStoreError) {
        if state.isPresent { return }
        // What a peer assigned to a parent that never arrived here may still be edited, moved and deleted.
        if !isWritten && (!state.isCreated || verb == .deleted) { return }
        let kind = parent.kindName(in: known) ?? "parent"
        throw TripStoreError(
            .missing(parent.kind),
            state.isDeleted
                ? "The \(parent.words(in: known)) of the \(child.words(in: known)) was deleted. Restore the \(kind), or choose another."
                : "There is no \(parent.words(in: known)) for the \(child.words(in: known)). Create the \(kind) first, or choose another.",
            entity: parent)
    }

    /// The error of a parent that would be its own ancestor, or be too deep.
    static func unusable(
        _ parent: EntityReference, of child: EntityReference, isCycle: Bool, in known: KnownSchema?
    ) -> TripStoreError {
        TripStoreError(
            .unusableParent,
            isCycle
                ? "The \(parent.words(in: known)) is the \(child.words(in: known)) or belongs to it. Choose another parent."
                : "The \(parent.words(in: known)) has \(mostAncestors) ancestors, and the \(child.words(in: known)) would have more. Choose a parent "
                    + "that is less deep.", entity: child)
    }
}
