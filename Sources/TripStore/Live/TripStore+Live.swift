import EventLog
import Events
import ProjectionEngine
public import TripProjections
public import Trips

extension TripStore {
    /// Any query, live: `query` runs on one snapshot of the views, and again when something that it read has changed.
    ///
    /// It must depend only on the rows of the views: not on `position`, which advances with every commit.
    public func live<Value: Equatable & Sendable>(
        _ query: @escaping @Sendable (borrowing TripViews) throws -> Value
    ) -> LiveQuery<Value> {
        LiveQuery(views, log, interceptor) { views, _, last in
            let value = try query(views)
            return value == last ? nil : value
        }
    }

    /// A live page of trips by date.
    ///
    /// Its iteration throws `TripStoreError.invalidCursor` if the cursor belongs to another query.
    public func live(
        _ query: TripQuery = .dated, limit: Int = 50, after cursor: PageCursor? = nil
    ) -> LiveQuery<LiveRows<TripRow>> {
        @Sendable func evaluation(through shown: PageCursor?) -> LiveQuery<LiveRows<TripRow>>.Evaluation {
            Self.rows { views in
                let page = try views.trips(query, limit: limit, after: cursor, through: shown)
                return (page.rows, page.next)
            }
        }
        return LiveQuery(
            views, log, interceptor, more: { $0.next.map { evaluation(through: $0) } }, evaluation(through: nil))
    }

    /// The items of a trip in the order of time, live; empty while the trip is missing.
    public func live(itemsOf trip: Trip.ID) -> LiveQuery<LiveRows<TripItem>> {
        liveRows { (try $0.items(of: trip), nil) }
    }

    /// The activities of a trip in the order of time, live.
    public func live(activitiesOf trip: Trip.ID) -> LiveQuery<LiveRows<Activity>> {
        liveRows { (try $0.activities(of: trip), nil) }
    }

    /// The items whose trip never arrived here, live.
    public func liveUnfiledItems() -> LiveQuery<LiveRows<TripItem>> { liveRows { (try $0.unfiledItems(), nil) } }

    /// The organizations whose name begins with some text, live.
    public func live(organizationsNamed prefix: String, limit: Int = .max) -> LiveQuery<LiveRows<Organization>> {
        liveRows { (try $0.organizations(named: prefix, limit: limit), nil) }
    }

    /// The entities of an app's kind in the order of their creation, live.
    public func live<Entity: OwnEntity>(_ type: Entity.Type) -> LiveQuery<LiveRows<Entity>> {
        liveRows { (try $0.entities(type), nil) }
    }

    /// Those under a parent, live; empty while the parent is not there.
    public func live<Entity: OwnEntity, Parent: TripEntity>(
        _ type: Entity.Type, in parent: Identifier<Parent>
    ) -> LiveQuery<LiveRows<Entity>> {
        liveRows { (try $0.entities(type, in: parent), nil) }
    }

    /// One entity, live; nil while it is missing.
    public func live<Entity: TripEntity>(_ id: Identifier<Entity>) -> LiveQuery<Entity?> {
        LiveQuery(views, log, interceptor) { views, _, last in
            let entity = try views.entity(id)
            // A first result of nil is a result, too.
            if let last, last == entity { return nil }
            return .some(entity)
        }
    }

    /// The number and the costs of a trip's items, live.
    public func live(totalsOf trip: Trip.ID) -> LiveQuery<Totals> { live { try $0.totals(of: trip) } }

    /// The history of an entity, live; empty while nothing is held of it.
    public func live<Entity: TripEntity>(historyOf id: Identifier<Entity>) -> LiveQuery<[HistoryEntry]> {
        LiveQuery(views, log, interceptor) { views, log, last in
            var auditor = try Auditor(views.snapshot.alias(), log.alias())
            let history = try auditor.history(of: id.reference)
            return history == last ? nil : history
        }
    }

    func liveRows<Row: Identifiable & Equatable & Sendable>(
        _ query: @escaping @Sendable (borrowing TripViews) throws -> (rows: [Row], next: PageCursor?)
    ) -> LiveQuery<LiveRows<Row>> where Row.ID: Sendable {
        LiveQuery(views, log, interceptor, Self.rows(query))
    }

    static func rows<Row: Identifiable & Equatable & Sendable>(
        _ query: @escaping @Sendable (borrowing TripViews) throws -> (rows: [Row], next: PageCursor?)
    ) -> LiveQuery<LiveRows<Row>>.Evaluation where Row.ID: Sendable {
        someRows { views in
            let (rows, next) = try query(views)
            return (rows, next, true)
        }
    }

    /// The same of a query that may leave some out.
    static func someRows<Row: Identifiable & Equatable & Sendable>(
        _ query:
            @escaping @Sendable (borrowing TripViews) throws -> (
                rows: [Row], next: PageCursor?, isComplete: Bool
            )
    ) -> LiveQuery<LiveRows<Row>>.Evaluation where Row.ID: Sendable {
        { views, _, last in
            let (rows, next, isComplete) = try query(views)
            let needed = try views.neededUpdate
            if let last, last.rows == rows, last.next == next, last.isComplete == isComplete,
                last.neededUpdate == needed
            {
                return nil
            }
            return LiveRows(
                rows: rows, next: next, isComplete: isComplete, position: views.position, neededUpdate: needed,
                changes: RowChanges(from: last?.rows ?? [], to: rows))
        }
    }
}
