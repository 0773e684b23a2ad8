import Events
import ProjectionEngine
import TripProjections
public import Trips

/// Lists of trips and of what belongs to them: each as a request, and fetched from a store.
extension FetchRequest {
    /// A page of trips, each with the totals of its items: of the query's own limit if none is given, and of 50 without either.
    ///
    /// The answer throws like that to `rows(of:after:)`.
    public static func trips(
        _ query: Query<Trip> = .dated, limit: Int? = nil, after cursor: PageCursor? = nil
    ) -> FetchRequest where Answer == Rows<TripRow> {
        let limit = limit ?? query.limit ?? 50
        guard let trips = query.orderedView else {
            let query = query.limit(limit)
            return FetchRequest(
                rows: QueryIdentity(.withTotals(cursor), query), readsDeclarations: true, isPaged: true
            ) { views, context in
                let page = try views.page(of: query, after: cursor, through: context.shown)
                let totals = try TripTotals.Reader(views.snapshot)
                let rows = try page.map { TripRow(trip: $0, totals: try totals.totals(of: $0.id)) }
                return try views.listed(rows, next: page.next)
            }
        }
        return FetchRequest(rows: TripFetchIdentity.trips(trips, limit: limit, cursor), isPaged: true) {
            views, context in
            let totals = try TripTotals.Reader(views.snapshot)
            var rows: [TripRow] = []
            let next = try views.page(of: query, trips, limit, after: cursor, through: context.shown) {
                (trip: consuming Trip) in
                // Room for a page once it has some rows: the cache holds it, 32 KiB at a limit of 100.
                if rows.count == 4 {
                    rows.reserveCapacity(min(limit, 100))
                    views.snapshot.expect(parts: min(limit, 100))
                }
                let sums = try totals.totals(of: trip.id)
                rows.append(TripRow(trip: trip, totals: sums))
            }
            return try views.listed(rows, next: next)
        }
    }

    /// The activities of a trip in the order of time; empty if the trip is missing.
    public static func activities(of trip: Trip.ID) -> FetchRequest where Answer == Rows<Activity> {
        FetchRequest(rows: TripFetchIdentity.activities(trip)) { views, _ in
            try views.listed(
                views.items(of: trip, .activity).compactMap {
                    if case .activity(let activity) = $0 { activity } else { nil }
                })
        }
    }

    /// The organizations whose name begins with some text, regardless of the case of ASCII letters, by name.
    public static func organizations(
        named prefix: String = "", limit: Int = .max
    ) -> FetchRequest where Answer == Rows<Organization> {
        FetchRequest(rows: TripFetchIdentity.organizations(Array(prefix.utf8), limit: limit)) { views, _ in
            let found = try OrganizationsByName.organizations(named: prefix, limit: limit, in: views.snapshot)
            return try views.listed(found.compactMap { try views.entity($0) })
        }
    }
}

extension FetchRequest<Rows<TripItem>> {
    /// The items of a trip in the order of time; empty if the trip is missing.
    public static func items(of trip: Trip.ID) -> FetchRequest {
        FetchRequest(rows: TripFetchIdentity.items(trip)) { views, _ in try views.listed(views.items(of: trip, nil)) }
    }

    /// The items whose trip never arrived here, in no particular order.
    public static var unfiledItems: FetchRequest {
        FetchRequest(rows: TripFetchIdentity.unfiledItems) { views, _ in
            try views.listed(ChildrenByParent.unfiled(in: views.snapshot).compactMap { try views.item(at: $0) })
        }
    }
}

extension TripQuerying where Self: ~Copyable {
    /// A page of trips, each with the totals of its items: by date, or of any query. Of trips by date O(log n + rows).
    public func trips(
        _ query: Query<Trip> = .dated, limit: Int? = nil, after cursor: PageCursor? = nil
    ) throws -> Rows<TripRow> {
        try fetch(.trips(query, limit: limit, after: cursor))
    }

    /// The items of a trip in the order of time; empty if the trip is missing. O(items).
    public func items(of trip: Trip.ID) throws -> Rows<TripItem> { try fetch(.items(of: trip)) }

    /// The activities of a trip in the order of time; empty if the trip is missing. O(items).
    public func activities(of trip: Trip.ID) throws -> Rows<Activity> { try fetch(.activities(of: trip)) }

    /// The items whose trip never arrived here, in no particular order.
    public func unfiledItems() throws -> Rows<TripItem> { try read { try $0.fetch(.unfiledItems) } }

    /// The organizations whose name begins with some text, regardless of the case of ASCII letters, by name.
    public func organizations(named prefix: String = "", limit: Int = .max) throws -> Rows<Organization> {
        try fetch(.organizations(named: prefix, limit: limit))
    }
}

extension TripViews {
    /// A page of a query that a view has in order; nil for entities that are no trips.
    func page<Entity: TripEntity>(
        of query: Query<Entity>, in view: OrderedView, after cursor: PageCursor?, through shown: PageCursor?
    ) throws -> Rows<Entity>? {
        guard let query = query as? Query<Trip> else { return nil }
        var rows: [Trip] = []
        let next = try page(of: query, view, query.limit, after: cursor, through: shown) { rows.append($0) }
        return try listed(rows, next: next) as? Rows<Entity>
    }

    /// The items of a trip in the order of time, of one kind or of all; empty if the trip is missing.
    fileprivate func items(of trip: Trip.ID, _ kind: EntityKind?) throws -> [TripItem] {
        guard try snapshot.record(of: trip.reference)?.isPresent() == true else { return [] }
        let references = try ChildrenByParent.items(of: trip, kind: kind, in: snapshot)
        snapshot.expect(parts: references.count + 2)
        return try references.compactMap { try item(at: $0) }
    }

    /// The items of a trip; of over 10,000, so that memory holds no more, those of each part that begin first and end last.
    func itemsAtEnds(of trip: Trip.ID) throws -> [TripItem] {
        var items: [TripItem] = []
        try ChildrenByParent.forEachChild(of: trip.reference, ConcreteKind(.activity), in: snapshot) { child in
            try item(at: child).map { items.append($0) }
            guard items.count >= 10_000 else { return true }
            let all = ItemCourse.all(of: items.filter(\.takesPlace)).compactMap { c in c.span.map { (c.item, $0) } }
            let ends = [all.min { $0.1.lowerBound < $1.1.lowerBound }, all.max { $0.1.upperBound < $1.1.upperBound }]
            items = ends.compactMap { $0?.0 }
            return true
        }
        return items
    }

    /// An item whose trip is there, or never arrived here.
    func item(at reference: EntityReference) throws -> TripItem? {
        guard let record = try snapshot.record(of: reference) else { return nil }
        // Each by its own type: reading a part of the enumeration would copy the item.
        return switch reference.kind {
        case .activity: .activity(try entity(Identifier(reference.id), record))
        case .lodging: .lodging(try entity(Identifier(reference.id), record))
        case .transportation: .transportation(try entity(Identifier(reference.id), record))
        default: nil
        }
    }

    /// Calls `body` with the trips of a page by date, and before it with all up to the cursor `shown`: those do not count towards the limit.
    @inline(__always)
    func page(
        of query: Query<Trip>, _ trips: OrderedView, _ limit: Int?, after cursor: PageCursor?,
        through shown: PageCursor?,
        _ body: (consuming Trip) throws -> Void
    ) throws -> PageCursor? {
        var start = try cursor?.position(in: query, trips)
        var end = try shown?.position(in: query, trips)
        let limit = limit.map { max(1, min($0, .max - 1)) } ?? .max
        while true {
            let next = try trips.page(after: start, through: end, limit: end == nil ? limit : .max, in: snapshot) {
                (trip: consuming Trip) in
                if trip.own.hasStoreFields { try trip.nullify { try isDeleted($0) } }
                try body(trip)
            }
            guard let reached = end else { return next.map { PageCursor(query, position: $0) } }
            (start, end) = (reached, nil)
        }
    }
}

/// The identities of requests for trips and what belongs to them that are no `Query`.
private enum TripFetchIdentity: Hashable, Sendable {
    case trips(OrderedView, limit: Int, PageCursor?)
    case items(Trip.ID)
    case activities(Trip.ID)
    case unfiledItems
    /// By the bytes of the prefix: equal texts may have different ones, and other organizations with them.
    case organizations([UInt8], limit: Int)
}

/// A trip in a list, with the totals of its items.
public struct TripRow: Sendable, Hashable, Identifiable {
    public let trip: Trip
    public let totals: Totals

    package init(trip: Trip, totals: Totals) {
        self.trip = trip
        self.totals = totals
    }

    public var id: Trip.ID { trip.id }
    public var itemCount: Int { totals.itemCount }
    /// The exact costs of the items, a sum for each currency.
    public var costs: [CostSum] { totals.costs }
}
