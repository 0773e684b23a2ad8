import Events
import ProjectionEngine
public import Trips

/// Queries as values: see `Query`.
extension FetchRequest {
    /// A page of what a query asks for; all of it, if the query has no limit.
    ///
    /// With an index O(log n + rows of the index that are looked at), which `explain(_:)` counts; without one O(entities of all kinds).
    /// Entities that do not match are rejected after decoding the fields of the condition alone; for a predicate the whole entity is decoded.
    ///
    /// The answer throws `TripStoreError.Code.unusableOption` for a property that holds no field, `.invalidCursor` for the cursor of
    /// another query, `.needsIndex` if a scan would look at more entities than the query allows, and `.predicateFailed` if a predicate
    /// cannot be evaluated.
    public static func rows<Entity: TripEntity>(
        of query: Query<Entity>, after cursor: PageCursor? = nil
    ) -> FetchRequest where Answer == Rows<Entity> {
        FetchRequest(rows: QueryIdentity(.page(cursor), query), readsDeclarations: true, isPaged: true) {
            views, context in
            try views.page(of: query, after: cursor, through: context.shown)
        }
    }

    /// One that is made of a query; `answer` may throw like that to `rows(of:after:)`.
    init<Entity: TripEntity>(
        _ answering: QueryIdentity<Entity>.Answer, _ query: Query<Entity>,
        _ answer: @escaping @Sendable (borrowing TripViews) throws -> Answer
    ) {
        self.init(QueryIdentity(answering, query), readsDeclarations: true) { views, _ in try answer(views) }
    }

    /// One that a run of the query answers, with about how many bytes the answer takes.
    fileprivate init<Entity: TripEntity>(
        _ answering: QueryIdentity<Entity>.Answer, running query: Query<Entity>, limit: Int? = nil,
        reading keys: [GroupKey<Entity>] = [],
        _ answer: @escaping @Sendable (inout QueryRun, borrowing TripViews) throws -> (Answer, byteCount: Int)
    ) {
        self.init(QueryIdentity(answering, query), readsDeclarations: true) { views, _ in
            try views.snapshot.sized {
                var run = try views.run(query, limit: limit, reading: keys)
                return try answer(&run, views)
            }
        }
    }
}

extension TripQuerying where Self: ~Copyable {
    /// A page of what a query asks for; all of it, if the query has no limit: see `FetchRequest.rows(of:after:)`.
    public func fetch<Entity: TripEntity>(
        _ query: Query<Entity>, after cursor: PageCursor? = nil
    ) throws -> Rows<Entity> {
        try fetch(.rows(of: query, after: cursor))
    }

    /// The first in the query's order; nil if there is none. As long as `fetch`.
    public func first<Entity: TripEntity>(_ query: Query<Entity>) throws -> Entity? { try fetch(query.limit(1)).first }

    /// How many entities meet a query's condition, regardless of its limit. As long as `fetch` without a limit; where an index decides the
    /// condition, its rows are counted and no record is read.
    public func count<Entity: TripEntity>(_ query: Query<Entity>) throws -> Int {
        try fetch(FetchRequest(.count, running: query) { run, views in (try run.count(in: views), 0) })
    }

    /// Whether there is any. O(rows or entities before the first).
    public func exists<Entity: TripEntity>(_ query: Query<Entity>) throws -> Bool {
        try fetch(FetchRequest(.existence, running: query, limit: 1) { run, views in (try run.hasMatch(in: views), 0) })
    }

    /// The ids of all that meet the condition, in the query's order, regardless of its limit. As long as `fetch` without a limit.
    public func ids<Entity: TripEntity>(_ query: Query<Entity>) throws -> [Identifier<Entity>] {
        try fetch(
            FetchRequest(.ids, running: query) { run, views in
                let found = try run.ids(in: views)
                return (found.map { Identifier($0) }, found.count * 16)
            })
    }

    /// How the first page of a query is answered: by which index, and how many rows are looked at. It answers it, without the cache.
    public func explain<Entity: TripEntity>(_ query: Query<Entity>) throws -> QueryExplanation {
        try read { views in
            var run = try views.run(query, limit: query.limit)
            let rows = try views.page(of: query, &run, after: nil, through: nil)
            return QueryExplanation(
                index: run.indexNames, rowsLookedAt: run.rowsLookedAt, rowsGiven: rows.count, isSorted: !run.isOrdered)
        }
    }

    /// The groups of the entities that meet a query's condition, in the order of their keys: of each the count, and sums, minimum and
    /// maximum of a property that is measured. Without keys there is one group, of all; without entities none.
    ///
    /// Takes as long as `count(_:)`. Throws like `fetch(_:after:)`.
    public func groups<Entity: TripEntity>(
        of query: Query<Entity>, by keys: [GroupKey<Entity>] = [], measuring measured: PartialKeyPath<Entity>? = nil
    ) throws -> [QueryGroup] {
        try groups(of: query, by: keys, measured.map { .value($0) })
    }

    /// The groups by keys, measuring the value of a property or of an app's own field: `.value(Book.rating)`.
    public func groups<Entity: TripEntity>(
        of query: Query<Entity>, by keys: [GroupKey<Entity>] = [], measuring measured: GroupKey<Entity>
    ) throws -> [QueryGroup] {
        try groups(of: query, by: keys, measured)
    }

    private func groups<Entity: TripEntity>(
        of query: Query<Entity>, by keys: [GroupKey<Entity>], _ measured: GroupKey<Entity>?
    ) throws -> [QueryGroup] {
        let read = keys + (measured.map { [$0] } ?? [])
        return try fetch(
            FetchRequest(.groups(keys, measured: measured), running: query, reading: read) { run, views in
                let groups = try run.groups(by: keys.map(\.key), measuring: measured?.key, in: views)
                return (groups, groups.count * 256)
            })
    }

    /// The different values of a property among the entities that meet a query's condition, in their order; a cleared one comes last.
    /// Takes as long as `count(_:)`.
    public func distinct<Entity: TripEntity>(
        _ property: PartialKeyPath<Entity>, of query: Query<Entity>
    ) throws -> [GroupValue] {
        try groups(of: query, by: [.value(property)]).compactMap(\.keys.first)
    }

    /// A page of a query's rows, and the entity that each of them names, of the same snapshot: one read for each that is named. Throws like
    /// `fetch(_:after:)`.
    public func fetch<Entity: TripEntity, Target: TripEntity>(
        _ query: Query<Entity>, after cursor: PageCursor? = nil, with reference: KeyPath<Entity, Identifier<Target>?>
    ) throws -> RelatedRows<Entity, Target> {
        let key = GroupKey.value(reference)
        // A key path never changes.
        nonisolated(unsafe) let reference = reference
        return try fetch(
            FetchRequest(.related(cursor, key), query) { views in
                let page = try views.fetch(query, after: cursor)
                var found: [Identifier<Target>: Target?] = [:]
                var related: [Entity.ID: Target] = [:]
                for row in page {
                    guard let id = row[keyPath: reference] else { continue }
                    let target = try found[id] ?? views.entity(id)
                    found[id] = target
                    related[row.id] = target
                }
                return RelatedRows(page, related)
            })
    }
}

extension TripViews {
    /// A page, and before it all rows up to the cursor `shown`: those do not count towards the limit.
    func page<Entity: TripEntity>(
        of query: Query<Entity>, after cursor: PageCursor?, through shown: PageCursor?
    ) throws -> Rows<Entity> {
        if let view = query.orderedView, let rows = try page(of: query, in: view, after: cursor, through: shown) {
            return rows
        }
        var run = try run(query, limit: query.limit)
        return try page(of: query, &run, after: cursor, through: shown)
    }

    fileprivate func page<Entity: TripEntity>(
        of query: Query<Entity>, _ run: inout QueryRun, after cursor: PageCursor?, through shown: PageCursor?
    ) throws -> Rows<Entity> {
        try snapshot.sized {
            let start = try cursor.map { try $0.sortValues(in: query, run.query) }
            let shown = try shown.map { try $0.sortValues(in: query, run.query) }
            var rows: [Entity] = []
            var byteCount = 0
            let hasReferences = Entity.kind.nullifies
            let last = try run.forEachOfPage(after: start, through: shown, in: self) { match in
                let hasOwnValues = try match.append(to: &rows)
                if hasOwnValues || hasReferences {
                    try rows[rows.count - 1].nullify { try isDeleted($0) }
                }
                byteCount += match.byteCount
            }
            return (try listed(rows, next: last.map { PageCursor(query, $0) }), byteCount)
        }
    }

    /// Whether answering a query may look at many entities: beside those of its page, or at all for want of a limit.
    func takesLong<Entity: TripEntity>(_ query: Query<Entity>) throws -> Bool {
        guard try snapshot.rowCount(of: "entities") > Self.few else { return false }
        let run = try run(query, limit: query.limit)
        return switch run.route {
        case .scan, .union: true
        case .index: run.mayLookAtAll && !(run.query.hasNoCondition && query.limit != nil)
        case .view(let view, _):
            try (run.mayLookAtAll || query.limit == nil && view.isUnbounded)
                && snapshot.rowCount(of: view.viewName) > Self.few
        case .listed(let entities): entities.count > Self.few
        }
    }

    /// So many are looked at in less than a millisecond.
    private static var few: Int { 1_000 }

    func run<Entity: TripEntity>(
        _ query: Query<Entity>, limit: Int? = nil, reading keys: [GroupKey<Entity>] = []
    ) throws -> QueryRun {
        try QueryRun(compiled(query, reading: keys), limit: limit, in: self)
    }

    func compiled<Entity: TripEntity>(
        _ query: Query<Entity>, reading keys: [GroupKey<Entity>] = []
    ) throws(TripStoreError) -> RecordQuery {
        do throws(ValidationError) { return try RecordQuery(query, reading: keys, in: known) } catch {
            throw TripStoreError(.unusableOption, error.message)
        }
    }
}

extension Query {
    /// All entities of the kind, for a question in words: `where(parsing:)` and `sorted(parsing:)` know the kinds and fields of apps by the names
    /// that a store has for them.
    public init(in store: TripStore) { self.init(in: store.knownSchema) }
}

/// How a query is answered: what `explain` gives.
public struct QueryExplanation: Hashable, Sendable {
    /// The index that serves it, or the indexes, one for each alternative of an `or`; "entities by id" or "entities by parent", or by a
    /// kind's word for them, for what is looked up without one; a view that has the entities in order; nil if all entities of the kind are looked at.
    public let index: String?
    /// The rows of the index that were read, or without an index the entities.
    public let rowsLookedAt: Int
    /// The rows of the first page.
    public let rowsGiven: Int
    /// Whether the rows had to be sorted, for they came in another order.
    package let isSorted: Bool
}

extension QueryExplanation: CustomStringConvertible {
    public var description: String {
        let source = index.map { "by the index \($0)" } ?? "by a scan, for no index serves it"
        return "\(source): \(rowsLookedAt.counted("row")) looked at, \(rowsGiven) given\(isSorted ? ", sorted" : "")"
    }
}
