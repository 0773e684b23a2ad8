import TripStore

/// A trip that a calendar or a table brings.
struct ForeignTrip: Sendable {
    let id: Trip.ID
    let name: String
    /// Where the file says it; nil for a trip that holds what the file has.
    var place: String?
    var days: ClosedRange<Day>?
    /// What an export of a store says of its trip; nil for a trip that holds what the file has: its days then follow its items.
    var exported: CalendarItems.TripEntry?

    /// - Parameter keepsLinks: whether links that the file lacks stay.
    func set(on trip: inout Trip, keepsLinks: Bool = false) {
        guard let exported else {
            trip.name = name
            // All items of a trip that is here decide, not just those of the file: see `TripStore.followItems(of:by:)`.
            if trip.createdAt == nil { (trip.startDay, trip.endDay) = (days?.lowerBound, days?.upperBound) }
            return
        }
        exported.set(on: &trip, keepsLinks: keepsLinks)
    }
}

/// The organization of an item that comes from another store.
struct ForeignOrganizationRecord: Sendable {
    let organization: ForeignOrganization
    let place: String

    func set(on held: inout Organization) {
        held.name = organization.name
        (held.phone, held.email, held.website) = (organization.phone, organization.email, organization.website)
    }
}

/// What an export of a store says of the state that an entity had when it was written.
struct ForeignOrigin: Hashable, Sendable {
    /// How often it was changed.
    let sequence: Int
    /// When it was created in that store; nil if the file does not say it.
    let creation: String?
}

/// An item that a calendar or a table brings.
struct ForeignItemRecord: Sendable {
    enum Destination: Sendable {
        /// A trip that the file does not bring.
        case here(Trip.ID)
        case brought(ForeignTrip)
        /// An item that is here stays in its trip.
        case held

        var trip: Trip.ID? {
            switch self {
            case .here(let trip): trip
            case .brought(let trip): trip.id
            case .held: nil
            }
        }
    }

    let entity: EntityReference
    let item: ForeignItem
    let destination: Destination
    /// Whether an item that is here already comes into the trip.
    let moves: Bool
    /// Of an export of a store; nil for others.
    let origin: ForeignOrigin?
    let place: String

    var trip: Trip.ID? { destination.trip }

    /// The record with its item as one of the kind that the entity has: an import or a person may have taken it for another kind before.
    var ofHeldKind: ForeignItemRecord {
        ForeignItemRecord(
            entity: entity, item: item.taken(as: entity.kind), destination: destination, moves: moves, origin: origin,
            place: place)
    }

    /// - Parameter keepsLinks: whether links that the file lacks stay.
    func set<Kind>(on item: inout Item<Kind>, keepsLinks: Bool = false) {
        self.item.set(on: &item, keepsLinks: keepsLinks)
        if let trip, moves || item.trip == nil { item.trip = trip }
    }
}

extension ImportState {
    func bring(_ trip: ForeignTrip) throws -> ImportDecision {
        if let exported = trip.exported,
            let found = try held(trip.id, ForeignOrigin(sequence: exported.sequence, creation: exported.creation))
        {
            return try bringBack(trip.id, found, exported.sequence) { trip.set(on: &$0, keepsLinks: true) }
        }
        return try bring(trip.id) { trip.set(on: &$0) }
    }

    func bring(_ record: ForeignItemRecord) throws -> ImportDecision {
        let id = record.entity.id
        if record.item.isCancellation, created(record.entity)?.isDeleted != false {
            return ImportDecision(outcome: .untouched)
        }
        let record = record.ofHeldKind
        switch record.entity.kind {
        case .lodging:
            return try bring(Lodging.ID(id), record) {
                record.set(on: &$0, keepsLinks: $1)
                record.item.setStay(on: &$0)
            }
        case .transportation:
            return try bring(Transportation.ID(id), record) {
                record.set(on: &$0, keepsLinks: $1)
                record.item.setTravel(on: &$0)
            }
        default: return try bring(Activity.ID(id), record) { record.set(on: &$0, keepsLinks: $1) }
        }
    }

    /// Creates an organization that never was here; one that is, deleted or not, stays as it is.
    func bring(_ record: ForeignOrganizationRecord) throws -> ImportDecision {
        let id = record.organization.id
        guard created(id.reference) == nil else { return ImportDecision(outcome: .untouched) }
        return try bring(id) { record.set(on: &$0) }
    }

    private func bring<Entity: TripEntity>(
        _ id: Identifier<Entity>, _ record: ForeignItemRecord, _ set: (inout Entity, _ keepsLinks: Bool) -> Void
    ) throws -> ImportDecision {
        if let origin = record.origin, let found = try held(id, origin) {
            if let owner = found.parent, owner != record.trip?.reference, !mayBeHere(owner) {
                return ImportDecision(outcome: .skipped)
            }
            return try bringBack(id, found, origin.sequence) { set(&$0, true) }
        }
        return try bring(id, into: record.trip) { set(&$0, false) }
    }

    /// What is held of an entity of the store that wrote the file: no import created it, or the file says the time of its creation.
    private func held<Entity: TripEntity>(_ id: Identifier<Entity>, _ origin: ForeignOrigin) throws -> ImportedRecord? {
        guard let found = created(id.reference) else { return nil }
        if found.isInBase == nil { return found }
        let entity: Entity = try found.base(id)
        let isSame = entity.createdAt.map { Moment($0, "UTC").localISO8601 == origin.creation } ?? false
        return isSame ? found : nil
    }

    /// Brings an entity of this store to what its export says, which another program may have changed: just what differs is written.
    /// An export of before the last change is nothing new.
    private func bringBack<Entity: TripEntity>(
        _ id: Identifier<Entity>, _ found: ImportedRecord, _ sequence: Int, _ set: (inout Entity) -> Void
    ) throws -> ImportDecision {
        if found.isDeleted { return ImportDecision(outcome: .skipped, isHere: false) }
        guard found.version.events <= UInt64(max(0, sequence)) + 1 else { return ImportDecision(outcome: .unchanged) }
        let held: Entity =
            if let others = found.others { Entity(id: id, record: others.record) } else { try found.base(id) }
        var draft = held
        set(&draft)
        guard var edit = TripEvent.edited(from: held, to: draft) else { return ImportDecision(outcome: .unchanged) }
        do throws(ValidationError) { try draft.validate(after: edit) } catch { return .rejected(error.words) }
        let leftOut = try leaveOutErased(of: &edit, found)
        guard !edit.writes.isEmpty else { return ImportDecision(outcome: .unchanged, erased: leftOut) }
        return ImportDecision(outcome: .edited, events: [edit], erased: leftOut)
    }
}
