public import Trips

/// The rows that a view follows by `@Live`: a live query without a store.
///
/// ```swift
/// @Live(.trips(.starting(in: may), limit: 20)) private var trips
/// ```
public struct LiveRequest<Row: Identifiable & Equatable & Sendable>: Sendable where Row.ID: Sendable {
    /// The identity of a request.
    private enum Selection: Hashable {
        case trips(TripQuery, limit: Int)
        case items(Trip.ID)
        case activities(Trip.ID)
        case unfiledItems
        case organizations(prefix: [UInt8], limit: Int)
    }

    private let selection: Selection
    let query: @Sendable (TripStore) -> LiveQuery<LiveRows<Row>>

    private init(_ selection: Selection, _ query: @escaping @Sendable (TripStore) -> LiveQuery<LiveRows<Row>>) {
        self.selection = selection
        self.query = query
    }
}

extension LiveRequest: Equatable {
    public static func == (a: Self, b: Self) -> Bool { a.selection == b.selection }
}

extension LiveRequest where Row == TripRow {
    /// Trips by date, at first one page; `loadMore()` of the model reads the next.
    public static func trips(_ query: TripQuery = .dated, limit: Int = 50) -> Self {
        Self(.trips(query, limit: limit)) { $0.live(query, limit: limit) }
    }
}

extension LiveRequest where Row == TripItem {
    /// The items of a trip in the order of time.
    public static func items(of trip: Trip.ID) -> Self { Self(.items(trip)) { $0.live(itemsOf: trip) } }

    /// The items whose trip never arrived here.
    public static var unfiledItems: Self { Self(.unfiledItems) { $0.liveUnfiledItems() } }
}

extension LiveRequest where Row == Activity {
    /// The activities of a trip in the order of time.
    public static func activities(of trip: Trip.ID) -> Self { Self(.activities(trip)) { $0.live(activitiesOf: trip) } }
}

extension LiveRequest where Row == Organization {
    /// The organizations whose name begins with some text, by name.
    public static func organizations(named prefix: String = "", limit: Int = .max) -> Self {
        Self(.organizations(prefix: Array(prefix.utf8), limit: limit)) {
            $0.live(organizationsNamed: prefix, limit: limit)
        }
    }
}
