import Events
import Foundation
import ProjectionEngine
public import Trips

/// Queries as values: see `Query`.
extension TripViews {
    /// A page of what a query asks for; all of it, if the query has no limit.
    ///
    /// With an index O(log n + rows of the index that are looked at), which `explain(_:)` counts; without one O(entities of all kinds).
    /// Entities that do not match are rejected after decoding the fields of the condition alone; for a predicate the whole entity is decoded.
    ///
    /// Throws `TripStoreError.unusableOption` for a property that holds no field, `.invalidCursor` for the cursor of another query, and
    /// `.needsIndex` if a scan would look at more entities than the query allows, `.predicateFailed` if a predicate cannot be evaluated.
    public func fetch<Entity: TripEntity>(
        _ query: Query<Entity>, after cursor: PageCursor? = nil
    ) throws -> Rows<Entity> {
        var run = try run(query, limit: query.limit)
        return try fetch(query, &run, after: cursor)
    }

    /// The first page, and before it all rows up to the cursor `shown`: those do not count towards the limit.
    func fetch<Entity: TripEntity>(_ query: Query<Entity>, through shown: PageCursor?) throws -> Rows<Entity> {
        var run = try run(query, limit: query.limit)
        return try fetch(query, &run, after: nil, through: shown)
    }

    /// Whether answering a query may look at many entities beside those of its page.
    func takesLong<Entity: TripEntity>(_ query: Query<Entity>) throws -> Bool {
        guard try snapshot.rowCount(of: "entities") > Self.few else { return false }
        let run = try run(query, limit: query.limit)
        return switch run.route {
        case .scan, .union: true
        case .index: run.mayLookAtAll && !(run.query.hasNoCondition && query.limit != nil)
        case .listed(let entities): entities.count > Self.few
        }
    }

    /// So many are looked at in less than a millisecond.
    private static var few: Int { 1_000 }

    /// How the first page of a query is answered. As long as `fetch`.
    public func explain<Entity: TripEntity>(_ query: Query<Entity>) throws -> QueryExplanation {
        var run = try run(query, limit: query.limit)
        let rows = try fetch(query, &run, after: nil)
        return QueryExplanation(
            index: run.indexNames, rowsLookedAt: run.rowsLookedAt, rowsGiven: rows.count,
            isSorted: !run.isOrdered)
    }

    /// How many entities meet a query's condition, regardless of its limit. As long as `fetch` without a limit; where an index decides the
    /// condition, its rows are counted and no record is read.
    public func count<Entity: TripEntity>(_ query: Query<Entity>) throws -> Int {
        try snapshot.sized {
            var run = try run(query)
            return (try run.count(in: self), 0)
        }
    }

    /// Whether there is any. O(rows or entities before the first).
    public func exists<Entity: TripEntity>(_ query: Query<Entity>) throws -> Bool {
        try snapshot.sized {
            var run = try run(query, limit: 1)
            return (try run.hasMatch(in: self), 0)
        }
    }

    /// The first in the query's order; nil if there is none. As long as `fetch`.
    public func first<Entity: TripEntity>(_ query: Query<Entity>) throws -> Entity? {
        try fetch(query.limit(1)).first
    }

    /// The ids of all that meet the condition, in the query's order, regardless of its limit. As long as `fetch` without a limit.
    public func ids<Entity: TripEntity>(_ query: Query<Entity>) throws -> [Identifier<Entity>] {
        try snapshot.sized {
            var run = try run(query)
            let found = try run.ids(in: self)
            return (found.map { Identifier($0) }, found.count * 16)
        }
    }

    func run<Entity: TripEntity>(
        _ query: Query<Entity>, limit: Int? = nil, reading keys: [GroupKey<Entity>] = []
    ) throws -> QueryRun {
        try QueryRun(compiled(query, reading: keys), limit: limit, in: self)
    }

    func compiled<Entity: TripEntity>(
        _ query: Query<Entity>, reading keys: [GroupKey<Entity>] = []
    ) throws(TripStoreError) -> RecordQuery {
        do throws(ValidationError) { return try RecordQuery(query, reading: keys) } catch {
            throw TripStoreError(.unusableOption, error.message)
        }
    }

    private func fetch<Entity: TripEntity>(
        _ query: Query<Entity>, _ run: inout QueryRun, after cursor: PageCursor?, through shown: PageCursor? = nil
    ) throws -> Rows<Entity> {
        try snapshot.sized {
            let start = try cursor.map { try $0.sortValues(in: query, run.query) }
            let shown = try shown.map { try $0.sortValues(in: query, run.query) }
            var rows: [Entity] = []
            var byteCount = 0
            let hasReferences = Entity.hasNullifiedReferences
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
}

extension QueryRun {
    /// The ids of all matches, in the query's order.
    fileprivate mutating func ids(in views: borrowing TripViews) throws -> [UUID] {
        let (query, isOrdered) = (query, isOrdered)
        var ids: [UUID] = []
        var values: [RecordQuery.SortValues] = []
        try forEachMatch(in: views) { match in
            if isOrdered { ids.append(match.id) } else { values.append(query.sortValues(match.values)) }
            return true
        }
        if isOrdered { return ids }
        return values.sorted { query.isBefore($0, $1) }.map(\.id)
    }

    /// Calls `body` with the matches of a page, in the query's order, and before them with all up to `shown`. Returns the values of the last
    /// of them if there are more.
    fileprivate mutating func forEachOfPage(
        after start: RecordQuery.SortValues?, through shown: RecordQuery.SortValues?, in views: borrowing TripViews,
        _ body: (QueryMatch) throws -> Void
    ) throws -> RecordQuery.SortValues? {
        let query = query
        guard isOrdered else {
            var found = FirstRows(query, through: shown)
            try forEachMatch(after: start, in: views) { match in
                found.add(match)
                return true
            }
            let (matches, last) = found.page()
            for match in matches { try body(match) }
            return last
        }
        var count = 0
        var last: RecordQuery.SortValues?
        var hasMore = false
        try forEachMatch(after: start, in: views) { match in
            hasMore = count == query.limit
            if hasMore { return false }
            try body(match)
            if let shown, !query.isBefore(shown, query.sortValues(match.values)) { return true }
            count += 1
            if count == query.limit { last = query.sortValues(match.values) }
            return true
        }
        return hasMore ? last : nil
    }
}

/// The first rows of a query: those up to `shown`, as many more as its limit, and whether there are further ones.
private struct FirstRows {
    private let query: RecordQuery
    private let shown: RecordQuery.SortValues?
    private var found: [(match: QueryMatch, values: RecordQuery.SortValues)] = []
    /// How many are wanted; nil for all.
    private var limit: Int?

    init(_ query: RecordQuery, through shown: RecordQuery.SortValues?) {
        self.query = query
        self.shown = shown
        limit = query.limit
    }

    mutating func add(_ match: QueryMatch) {
        let values = query.sortValues(match.values)
        if let shown, !query.isBefore(shown, values) { limit = limit.map { $0 + 1 } }
        found.append((match, values))
        // Rows behind the page are dropped now and then, so that a page of a large store takes little memory.
        guard let limit, found.count > 2 * limit + 1_024 else { return }
        sort()
        found.removeSubrange((limit + 1)...)
    }

    private mutating func sort() { found.sort { query.isBefore($0.values, $1.values) } }

    /// The matches of the page, and the values of the last of them if there are more. Only these are decoded.
    mutating func page() -> (matches: [QueryMatch], last: RecordQuery.SortValues?) {
        sort()
        let page = found.prefix(limit ?? .max)
        return (page.map(\.match), page.count < found.count ? page.last?.values : nil)
    }
}
