import TripFormats
import TripStore

/// A trip that a calendar or a table brings.
struct ForeignTrip: Sendable {
    let id: Trip.ID
    let name: String
    /// Where the file says it; nil for a trip that holds what the file has.
    var place: String?
    var days: ClosedRange<Day>?
    /// What an export of a store says of its trip; nil for a trip that holds what the file has: its days then get no fewer.
    var exported: CalendarItems.TripEntry?

    func set(on trip: inout Trip) {
        trip.name = name
        guard let exported else {
            guard let days else { return }
            trip.startDay = min(trip.startDay ?? days.lowerBound, days.lowerBound)
            trip.endDay = max(trip.endDay ?? days.upperBound, days.upperBound)
            return
        }
        trip.startDay = exported.days.lowerBound
        trip.endDay = exported.isOneDay ? nil : exported.days.upperBound
        trip.stage = exported.stage
        trip.notes = exported.notes
    }
}

/// An item that a calendar or a table brings.
struct ForeignItemRecord: Sendable {
    enum Destination: Sendable {
        /// A trip that the file does not bring.
        case here(Trip.ID)
        case brought(ForeignTrip)
    }

    let entity: EntityReference
    let item: ForeignItem
    let destination: Destination
    /// Whether an item that is here already comes into the trip.
    let moves: Bool
    /// Of an export of a store, how often the item was changed when the file was written; nil for others.
    let sequence: Int?
    let place: String

    var trip: Trip.ID {
        switch destination {
        case .here(let trip): trip
        case .brought(let trip): trip.id
        }
    }

    func set(on item: inout some ItemEntity) {
        self.item.set(on: &item)
        if moves || item.trip == nil { item.trip = trip }
    }
}

extension ImportState {
    func bring(_ trip: ForeignTrip) throws -> ImportDecision {
        if let exported = trip.exported, let found = heldAlone(trip.id.reference) {
            return try bringBack(trip.id, found, exported.sequence) { trip.set(on: &$0) }
        }
        return try bring(trip.id) { trip.set(on: &$0) }
    }

    func bring(_ record: ForeignItemRecord) throws -> ImportDecision {
        let id = record.entity.id
        switch record.entity.kind {
        case .lodging: return try bring(Lodging.ID(id), record) { record.set(on: &$0) }
        case .transportation:
            return try bring(Transportation.ID(id), record) {
                record.set(on: &$0)
                record.item.setTravel(on: &$0)
            }
        default: return try bring(Activity.ID(id), record) { record.set(on: &$0) }
        }
    }

    private func bring<Entity: TripEntity>(
        _ id: Identifier<Entity>, _ record: ForeignItemRecord, _ set: (inout Entity) -> Void
    ) throws -> ImportDecision {
        if let sequence = record.sequence, let found = heldAlone(id.reference) {
            if let owner = found.trip, owner != record.trip.reference, !mayBeHere(owner) {
                return ImportDecision(outcome: .skipped)
            }
            return try bringBack(id, found, sequence, set)
        }
        return try bring(id, into: record.trip, set)
    }

    /// What is held of an entity that no import created.
    private func heldAlone(_ entity: EntityReference) -> ImportedRecord? {
        guard let found = created(entity), found.isInBase == nil else { return nil }
        return found
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
        guard let edit = TripEvent.edited(from: held, to: draft) else { return ImportDecision(outcome: .unchanged) }
        do throws(ValidationError) { try draft.validate(after: edit) } catch { return .rejected(error.words) }
        return ImportDecision(outcome: .edited, events: [edit])
    }
}
