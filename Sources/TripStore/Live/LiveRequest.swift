import ProjectionEngine
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
        case own(ObjectIdentifier, in: EntityReference?)
        /// By the query's words, which are equal for equal queries.
        case query(String, limit: Int?, scanLimit: Int?)
        case search([UInt8], in: Trip.ID?, kinds: [ConcreteKind], limit: Int)
        case rows(view: String, KeyBounds)
        case sums(view: String, KeyBounds)
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

extension LiveRequest where Row == SearchHit {
    /// The first page of what a search finds: see `TripStore.search`.
    public static func search(
        _ text: String, kinds: [any TripEntity.Type] = [], in trip: Trip.ID? = nil, limit: Int = 50
    ) -> Self {
        Self(.search(Array(text.utf8), in: trip, kinds: kinds.map { $0.concreteKind }, limit: limit)) {
            $0.live(searching: text, kinds: kinds, in: trip, limit: limit)
        }
    }
}

extension LiveRequest where Row: OwnEntity {
    /// The entities of an app's kind in the order of their creation.
    public static func entities(_ type: Row.Type) -> Self {
        Self(.own(ObjectIdentifier(type), in: nil)) { $0.live(type) }
    }

    /// Those under a parent.
    public static func entities<Parent: TripEntity>(_ type: Row.Type, in parent: Identifier<Parent>) -> Self {
        Self(.own(ObjectIdentifier(type), in: parent.reference)) { $0.live(type, in: parent) }
    }
}

extension LiveRequest where Row: TripEntity {
    /// What a query finds, in its order, at first one page; `loadMore()` of the model reads the next.
    public static func rows(of query: Query<Row>) -> Self {
        Self(.query(query.words, limit: query.limit, scanLimit: query.scanLimit)) { $0.live(query) }
    }
}

extension LiveRequest {
    /// The rows of an app's own view, in the order of their keys. In a store that was opened without the view the model has the error.
    public static func rows<Key, Value>(
        of view: AppView<Key, Value>, _ selection: RowSelection<Key> = .all
    ) -> Self where Row == AppRow<Key, Value> {
        Self(.rows(view: view.name, selection.bounds)) { store in
            store.appQuery { try $0.live(rowsOf: view, selection) }
        }
    }

    /// The sums of an app's own view, likewise.
    public static func sums<Key>(
        of view: AppSums<Key>, _ selection: RowSelection<Key> = .all
    ) -> Self where Row == AppSum<Key> {
        Self(.sums(view: view.name, selection.bounds)) { store in
            store.appQuery { try $0.live(sumsOf: view, selection) }
        }
    }
}

extension TripStore {
    /// A live query of an app's own views, which throws in its first step if the store has none.
    fileprivate func appQuery<Element>(_ query: (AppViews) throws -> LiveQuery<Element>) -> LiveQuery<Element> {
        do { return try query(appViews) } catch {
            return LiveQuery(views, log, interceptor) { _, _, _ in throw error }
        }
    }
}
