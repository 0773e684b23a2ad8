public import EventLog
public import Trips

/// A page of rows with the entities that belong to them, of the same snapshot.
public struct RelatedRows<Row: TripEntity, Related: Hashable & Sendable>: Hashable, Sendable {
    public let rows: [Row]
    /// Where the next page begins; nil if there are no further rows.
    public let next: PageCursor?
    /// The update of the program that is needed to see everything, as `Rows.neededUpdate`.
    public let neededUpdate: NeededUpdate?
    private let related: [Row.ID: Related]

    init(_ page: Rows<Row>, _ related: [Row.ID: Related]) {
        rows = page.rows
        next = page.next
        neededUpdate = page.neededUpdate
        self.related = related
    }

    /// What belongs to a row; nil if it names none, or one that is not there.
    public subscript(row: Row) -> Related? { related[row.id] }
}

extension TripViews {
    /// A page of a query's rows, and the entity that each of them names: one read for each that is named. Throws like `fetch(_:after:)`.
    public func fetch<Entity: TripEntity, Target: TripEntity>(
        _ query: Query<Entity>, after cursor: PageCursor? = nil, with reference: KeyPath<Entity, Identifier<Target>?>
    ) throws -> RelatedRows<Entity, Target> {
        let page = try fetch(query, after: cursor)
        var found: [Identifier<Target>: Target?] = [:]
        var related: [Entity.ID: Target] = [:]
        for row in page {
            guard let id = row[keyPath: reference] else { continue }
            let target = try found[id] ?? entity(id)
            found[id] = target
            related[row.id] = target
        }
        return RelatedRows(page, related)
    }

    /// A page of trips, each with its items in the order of time.
    public func fetch(withItems query: Query<Trip>, after cursor: PageCursor? = nil) throws -> RelatedRows<
        Trip, [TripItem]
    > {
        let page = try fetch(query, after: cursor)
        let related = try Dictionary(uniqueKeysWithValues: page.map { ($0.id, try items(of: $0.id)) })
        return RelatedRows(page, related)
    }
}

extension TripQuerying {
    /// A page of a query's rows, and the entity that each of them names, of the same snapshot. O(1) while it is cached.
    public func fetch<Entity: TripEntity, Target: TripEntity>(
        _ query: Query<Entity>, after cursor: PageCursor? = nil, with reference: KeyPath<Entity, Identifier<Target>?>
    ) throws -> RelatedRows<Entity, Target> {
        try querySource.cached(CachedQuestion(.related(cursor, GroupKey.value(reference)), query)) {
            try $0.fetch(query, after: cursor, with: reference)
        }.value
    }

    /// A page of trips, each with its items in the order of time, of the same snapshot. O(1) while it is cached.
    public func fetch(withItems query: Query<Trip>, after cursor: PageCursor? = nil) throws -> RelatedRows<
        Trip, [TripItem]
    > {
        try querySource.cached(CachedQuestion(.items(cursor), query)) { try $0.fetch(withItems: query, after: cursor) }
            .value
    }
}
