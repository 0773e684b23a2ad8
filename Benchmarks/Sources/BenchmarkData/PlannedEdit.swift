public import TripStore

/// A later change of a trip or an item: what people change most.
public struct PlannedEdit: Sendable {
    /// What is changed, with the new value.
    public enum Value: Sendable {
        case tripName(String)
        case tripNotes(String)
        case itemNotes(String)
        case itemTimes(start: Moment, end: Moment)
        case itemCost(Money)
        case itemPaid(PaidStatus)
        case itemReservation(String)
    }

    public let entity: EntityReference
    public let value: Value

    /// The event that makes it.
    public var event: TripEvent {
        switch value {
        case .tripName(let name): TripEvent(.edited, Trip.ID(entity.id), [.set(\.name, name)])
        case .tripNotes(let notes): TripEvent(.edited, Trip.ID(entity.id), [.set(\.notes, notes)])
        case .itemNotes(let notes): item([.set(\.notes, notes)])
        case .itemTimes(let start, let end): item([.set(\.start, start), .set(\.end, end)])
        case .itemCost(let cost): item([.set(\.cost, cost)])
        case .itemPaid(let paid): item([.set(\.paid, paid)])
        case .itemReservation(let code): item([.set(\.reservation, code)])
        }
    }

    // The three kinds of items share their fields, and so the bytes of these changes.
    private func item(_ changes: [FieldChange<Activity>]) -> TripEvent {
        var event = TripEvent(.edited, Activity.ID(entity.id), changes)
        event.entity = entity
        return event
    }
}
