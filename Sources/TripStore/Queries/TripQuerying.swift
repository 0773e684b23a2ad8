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
    /// Where the answers come from.
    var answers: TripAnswers { get }
}

/// Where a store's answers come from: its views, through the cache of decoded answers if they have one.
public struct TripAnswers: Sendable {
    /// An object, so that handing the answers out for each query counts one reference and no more.
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

    /// An entity, read anew: that takes less time than to find it in a cache, and leaves the room there to answers that
    /// take more.
    fileprivate func entity<Entity: TripEntity>(_ id: Identifier<Entity>) throws -> Entity? {
        try read { try $0.entity(id) }
    }

    /// The answer, and up to which position it holds.
    fileprivate func cached<Value: Sendable>(
        _ query: CachedQuery, _ body: (borrowing TripViews) throws -> Value
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
    /// Runs several queries on one snapshot of the views. Any thread; waits for nobody. Nothing may leave `body` but
    /// values. Keep it short, and ask the views that it is given: a query of the store inside of it is another snapshot, and
    /// may have to wait until a write beside it gives up.
    ///
    /// It does not go through the cache. Throws what `body` throws, too.
    public func read<T>(_ body: (borrowing TripViews) throws -> T) throws -> T {
        try answers.read(body)
    }

    /// A page of trips by date. O(log n + rows); O(1) while it is cached.
    public func trips(
        _ query: TripQuery = .dated, limit: Int = 50, after cursor: PageCursor? = nil
    ) throws -> Rows<TripRow> {
        let (page, position) = try answers.cached(.trips(query, limit, cursor)) {
            try $0.trips(query, limit: limit, after: cursor)
        }
        return Rows(page.rows, next: page.next, position)
    }

    /// An entity of any kind, or nil if it is not there. O(log n), and no more than a few hundred nanoseconds.
    public func entity<Entity: TripEntity>(_ id: Identifier<Entity>) throws -> Entity? { try answers.entity(id) }

    public func trip(_ id: Trip.ID) throws -> Trip? { try answers.entity(id) }
    public func activity(_ id: Activity.ID) throws -> Activity? { try answers.entity(id) }
    public func lodging(_ id: Lodging.ID) throws -> Lodging? { try answers.entity(id) }
    public func transportation(_ id: Transportation.ID) throws -> Transportation? { try answers.entity(id) }
    public func organization(_ id: Organization.ID) throws -> Organization? { try answers.entity(id) }

    /// An item of any kind, or nil if it is not there.
    public func item(_ id: TripItem.ID) throws -> TripItem? {
        switch id {
        case .activity(let id): try activity(id).map { .activity($0) }
        case .lodging(let id): try lodging(id).map { .lodging($0) }
        case .transportation(let id): try transportation(id).map { .transportation($0) }
        }
    }

    /// The items of a trip in the order of time; none if the trip is not there. O(items); O(1) while they are cached.
    public func items(of trip: Trip.ID) throws -> Rows<TripItem> {
        let (items, position) = try answers.cached(.items(trip)) { try $0.items(of: trip) }
        return Rows(items, position)
    }

    /// The activities of a trip in the order of time. O(items); O(1) while they are cached.
    public func activities(of trip: Trip.ID) throws -> Rows<Activity> {
        let (activities, position) = try answers.cached(.activities(trip)) { try $0.activities(of: trip) }
        return Rows(activities, position)
    }

    /// The items whose trip never came here.
    public func unfiledItems() throws -> Rows<TripItem> { try read { Rows(try $0.unfiledItems(), $0.position) } }

    /// How many items a trip has and what they cost.
    public func totals(of trip: Trip.ID) throws -> Totals {
        try answers.cached(.totals(trip)) { try $0.totals(of: trip) }.value
    }

    /// The organizations whose name begins with some text, by name.
    public func organizations(named prefix: String = "", limit: Int = .max) throws -> Rows<Organization> {
        let (organizations, position) = try answers.cached(.organizations(prefix, limit)) {
            try $0.organizations(named: prefix, limit: limit)
        }
        return Rows(organizations, position)
    }

    /// The version of an entity, to expect when writing; `.none` if nothing is held of it.
    public func version<Entity: TripEntity>(of id: Identifier<Entity>) throws -> EntityVersion {
        try read { try $0.version(of: id) }
    }
}

/// What names a query whose answers are cached.
private enum CachedQuery: Hashable, Sendable {
    case trips(TripQuery, Int, PageCursor?)
    case items(Trip.ID)
    case activities(Trip.ID)
    case totals(Trip.ID)
    case organizations(String, Int)
}
