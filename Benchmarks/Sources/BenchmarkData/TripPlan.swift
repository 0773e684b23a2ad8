public import TripStore

/// A trip and its five items, as they are created together.
public struct TripPlan: Sendable {
    public let trip: Trip
    /// A flight there, a hotel, two activities, and a flight back.
    public let items: [TripItem]

    /// How many entities it is.
    public static let entityCount = 6

    /// The events that create it.
    public var events: [TripEvent] { [.created(trip)] + items.map(\.creation) }
}

extension TripItem {
    /// The event that creates it.
    public var creation: TripEvent {
        switch self {
        case .activity(let item): .created(item)
        case .lodging(let item): .created(item)
        case .transportation(let item): .created(item)
        }
    }
}
