import EventLog
public import Events
import Foundation
import ProjectionEngine
public import TripProjections
public import Trips

/// What trips can be asked for: of a store as it is, and as it was.
///
/// Every query is a plain call on a snapshot, from any thread, and waits for nobody. All throw
/// `TripStoreError.beingBuilt` or `.notBuilt` if there are no views to read, and `.closed` once the store was closed.
public protocol TripQuerying: Sendable {
    /// The source of the results.
    var querySource: QuerySource { get }
}

/// The source of a store's results: its views, through the cache of decoded results if they have one.
public struct QuerySource: Sendable {
    /// An object, so that passing it to each query costs only one reference count.
    private final class Source: Sendable {
        enum Views {
            case present(ViewReader)
            case past(PastViews)
        }

        let views: Views
        let interceptor: (any StoreInterceptor)?

        init(_ views: Views, _ interceptor: (any StoreInterceptor)?) {
            self.views = views
            self.interceptor = interceptor
        }
    }

    private let source: Source

    init(_ group: ProjectionGroup, _ interceptor: (any StoreInterceptor)?) {
        source = Source(.present(group.reader), interceptor)
    }

    init(_ past: PastViews, _ interceptor: (any StoreInterceptor)?) { source = Source(.past(past), interceptor) }

    func read<T>(_ body: (borrowing TripViews) throws -> T) throws -> T {
        try TripStoreError.wrap {
            try source.interceptor?.willRead()
            switch source.views {
            case .present(let views):
                views.notice()
                return try views.read { try body(TripViews($0.alias())) }
            case .past(let past): return try past.read { try body(TripViews($0.alias())) }
            }
        }
    }

    /// An entity, read again each time: that takes less time than a cache lookup, and leaves the cache to slower
    /// results.
    fileprivate func entity<Entity: TripEntity>(_ id: Identifier<Entity>) throws -> Entity? {
        try read { try $0.entity(id) }
    }

    /// The rows of a query, at the position up to which they are valid.
    func rows<Row>(
        _ query: some Hashable & Sendable, _ body: (borrowing TripViews) throws -> Rows<Row>
    ) throws -> Rows<Row> {
        let (rows, position) = try cached(query, body)
        return rows.at(position)
    }

    /// The result, and the position that it reflects.
    func cached<Value: Sendable>(
        _ query: some Hashable & Sendable, _ body: (borrowing TripViews) throws -> Value
    ) throws -> (value: Value, position: Position) {
        try TripStoreError.wrap {
            try source.interceptor?.willRead()
            switch source.views {
            case .present(let views):
                views.notice()
                return try views.cached(query) { try body(TripViews($0.alias())) }
            case .past(let past): return try past.read { (try body(TripViews($0.alias())), past.position) }
            }
        }
    }
}

extension TripQuerying {
    /// Runs several queries on one snapshot of the views. On any thread, without waiting. Only values may leave `body`.
    /// Keep it short, and query only the views that it receives: a query of the store inside it uses another snapshot,
    /// and may have to wait for a concurrent write.
    ///
    /// It does not use the cache. Throws what `body` throws, too.
    public func read<T>(_ body: (borrowing TripViews) throws -> T) throws -> T {
        try querySource.read(body)
    }

    /// A page of trips by date. O(log n + rows); O(1) while it is cached.
    public func trips(
        _ query: TripQuery = .dated, limit: Int = 50, after cursor: PageCursor? = nil
    ) throws -> Rows<TripRow> {
        try querySource.rows(CachedQuery.trips(query, limit, cursor)) {
            try $0.trips(query, limit: limit, after: cursor)
        }
    }

    /// An entity of any kind, or nil if it is missing. O(log n), and at most a few hundred nanoseconds.
    public func entity<Entity: TripEntity>(_ id: Identifier<Entity>) throws -> Entity? { try querySource.entity(id) }

    public func trip(_ id: Trip.ID) throws -> Trip? { try querySource.entity(id) }
    public func activity(_ id: Activity.ID) throws -> Activity? { try querySource.entity(id) }
    public func lodging(_ id: Lodging.ID) throws -> Lodging? { try querySource.entity(id) }
    public func transportation(_ id: Transportation.ID) throws -> Transportation? { try querySource.entity(id) }
    public func organization(_ id: Organization.ID) throws -> Organization? { try querySource.entity(id) }

    /// An item of any kind, or nil if it is not there.
    public func item(_ id: TripItem.ID) throws -> TripItem? {
        switch id {
        case .activity(let id): try activity(id).map { .activity($0) }
        case .lodging(let id): try lodging(id).map { .lodging($0) }
        case .transportation(let id): try transportation(id).map { .transportation($0) }
        }
    }

    /// The items of a trip in the order of time; empty if the trip is missing. O(items); O(1) while they are cached.
    public func items(of trip: Trip.ID) throws -> Rows<TripItem> {
        try querySource.rows(CachedQuery.items(trip)) { try $0.listed($0.items(of: trip)) }
    }

    /// The activities of a trip in the order of time. O(items); O(1) while they are cached.
    public func activities(of trip: Trip.ID) throws -> Rows<Activity> {
        try querySource.rows(CachedQuery.activities(trip)) { try $0.listed($0.activities(of: trip)) }
    }

    /// The items whose trip never arrived here.
    public func unfiledItems() throws -> Rows<TripItem> { try read { try $0.listed($0.unfiledItems()) } }

    /// The number and the costs of a trip's items.
    public func totals(of trip: Trip.ID) throws -> Totals {
        try querySource.cached(CachedQuery.totals(trip)) { try $0.totals(of: trip) }.value
    }

    /// The organizations whose name begins with some text, by name.
    public func organizations(named prefix: String = "", limit: Int = .max) throws -> Rows<Organization> {
        try querySource.rows(CachedQuery.organizations(Array(prefix.utf8), limit)) {
            try $0.listed($0.organizations(named: prefix, limit: limit))
        }
    }

    /// The entities of an app's kind that are there, in the order of their creation. O(entities of the kind); O(1) while they are cached.
    public func entities<Entity: OwnEntity>(_ type: Entity.Type) throws -> Rows<Entity> {
        try querySource.rows(CachedQuery.own(ObjectIdentifier(type), in: nil, kinds: OwnKind.describedCount)) {
            try $0.listed($0.entities(type))
        }
    }

    /// Those under a parent; empty if the parent is not there. O(entities of the kind there); O(1) while they are cached.
    public func entities<Entity: OwnEntity, Parent: TripEntity>(
        _ type: Entity.Type, in parent: Identifier<Parent>
    ) throws -> Rows<Entity> {
        let query = CachedQuery.own(
            ObjectIdentifier(type), in: parent.reference, kinds: OwnKind.describedCount)
        return try querySource.rows(query) { try $0.listed($0.entities(type, in: parent)) }
    }

    /// Those whose parent is not there, and of those that replicas concurrently put under each other the one that was moved last:
    /// see `TripViews.unfiled(_:)`. O(entities of the kind).
    public func unfiled<Entity: OwnEntity>(_ type: Entity.Type) throws -> Rows<Entity> {
        try read { try $0.listed($0.unfiled(type)) }
    }

    /// The version of an entity, to expect in a write; `.none` if nothing is held of it.
    public func version<Entity: TripEntity>(of id: Identifier<Entity>) throws -> EntityVersion {
        try read { try $0.version(of: id) }
    }
}

/// The identity of a query with cached results.
private enum CachedQuery: Hashable, Sendable {
    case trips(TripQuery, Int, PageCursor?)
    case items(Trip.ID)
    case activities(Trip.ID)
    case totals(Trip.ID)
    /// By the bytes of the prefix: equal texts may have different ones, and other organizations with them.
    case organizations([UInt8], Int)
    /// By the type of the entities, and how many kinds are described, whose rules decide what is there.
    case own(ObjectIdentifier, in: EntityReference?, kinds: Int)
}
