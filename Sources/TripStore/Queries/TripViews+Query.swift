import Events
import Foundation
import ProjectionEngine
public import Trips

/// Queries as values: see `Query`.
extension TripViews {
    /// A page of what a query asks for; all of it, if the query has no limit.
    ///
    /// With an index O(log n + rows of the index that are looked at), which `explain(_:)` counts; without one O(entities of all kinds).
    /// Entities that do not match are rejected after decoding the fields of the condition alone, unless one of these is a collection,
    /// replaces others, or reads as nil while its target is deleted.
    ///
    /// Throws `TripStoreError.unusableOption` for a property that holds no field, `.invalidCursor` for the cursor of another query, and
    /// `.needsIndex` if a scan would look at more entities than the query allows, `.predicateFailed` if a predicate cannot be evaluated.
    public func fetch<Entity: TripEntity>(
        _ query: Query<Entity>, after cursor: PageCursor? = nil
    ) throws -> Rows<Entity> {
        var run = try run(query, limit: query.limit)
        return try fetch(query, &run, after: cursor)
    }

    /// How the first page of a query is answered. As long as `fetch`.
    public func explain<Entity: TripEntity>(_ query: Query<Entity>) throws -> QueryExplanation {
        var run = try run(query, limit: query.limit)
        let rows = try fetch(query, &run, after: nil)
        return QueryExplanation(
            index: run.path?.plan.index.name, rowsLookedAt: run.rowsLookedAt, rowsGiven: rows.count,
            isSorted: !run.isOrdered)
    }

    /// How many entities meet a query's condition, regardless of its limit. As long as `fetch` without a limit; where an index decides the
    /// condition, its rows are counted and no record is read.
    public func count<Entity: TripEntity>(_ query: Query<Entity>) throws -> Int {
        var run = try run(query)
        return try run.count(in: self)
    }

    /// Whether there is any. O(rows or entities before the first).
    public func exists<Entity: TripEntity>(_ query: Query<Entity>) throws -> Bool {
        var run = try run(query, limit: 1)
        var isFound = false
        try run.forEachMatch(in: self) { _ in
            isFound = true
            return false
        }
        return isFound
    }

    /// The first in the query's order; nil if there is none. As long as `fetch`.
    public func first<Entity: TripEntity>(_ query: Query<Entity>) throws -> Entity? {
        try fetch(query.limit(1)).first
    }

    /// The ids of all that meet the condition, in the query's order, regardless of its limit. As long as `fetch` without a limit.
    public func ids<Entity: TripEntity>(_ query: Query<Entity>) throws -> [Identifier<Entity>] {
        var run = try run(query)
        let (compiled, isOrdered) = (run.query, run.isOrdered)
        var found: [(id: Identifier<Entity>, values: CompiledQuery<Entity>.SortValues?)] = []
        try run.forEachMatch(in: self) { match in
            found.append((match.id, isOrdered ? nil : match.sortValues(compiled)))
            return true
        }
        if !isOrdered {
            found.sort { a, b in
                if let a = a.values, let b = b.values { compiled.isBefore(a, b) } else { false }
            }
        }
        return found.map(\.id)
    }

    func run<Entity: TripEntity>(
        _ query: Query<Entity>, limit: Int? = nil, reading keys: [GroupKey<Entity>] = []
    ) throws -> QueryRun<Entity> {
        let compiled: CompiledQuery<Entity>
        do throws(ValidationError) { compiled = try CompiledQuery(query, reading: keys) } catch {
            throw TripStoreError(.unusableOption, error.message)
        }
        return try QueryRun(compiled, limit: limit, in: self)
    }

    private func fetch<Entity: TripEntity>(
        _ query: Query<Entity>, _ run: inout QueryRun<Entity>, after cursor: PageCursor?
    ) throws -> Rows<Entity> {
        let compiled = run.query
        let start = try cursor.map { try $0.sortValues(in: query, compiled) }
        guard run.isOrdered else {
            var found = FirstRows(compiled)
            try run.forEachMatch(after: start, in: self) { match in
                found.add(match)
                return true
            }
            let (rows, last) = try found.rows()
            return Rows(rows, next: last.map { PageCursor(query, $0) }, position)
        }
        var rows: [Entity] = []
        var hasMore = false
        try run.forEachMatch(after: start, in: self) { match in
            hasMore = rows.count == query.limit
            if !hasMore { rows.append(try match.decoded()) }
            return !hasMore
        }
        let last = hasMore ? rows.last : nil
        return Rows(rows, next: last.map { PageCursor(query, compiled.sortValues($0)) }, position)
    }
}

/// The first rows of a query: as many as its limit, and whether there are more.
private struct FirstRows<Entity: TripEntity> {
    private typealias Found = (match: QueryMatch<Entity>, values: CompiledQuery<Entity>.SortValues)

    private let query: CompiledQuery<Entity>
    private var found: [Found] = []

    init(_ query: CompiledQuery<Entity>) { self.query = query }

    mutating func add(_ match: QueryMatch<Entity>) {
        found.append((match, match.sortValues(query)))
        // Rows behind the page are dropped now and then, so that a page of a large store takes little memory.
        guard let limit = query.limit, found.count > 2 * limit + 1_024 else { return }
        sort()
        found.removeSubrange((limit + 1)...)
    }

    private mutating func sort() { found.sort { query.isBefore($0.values, $1.values) } }

    /// The rows of the page, and the last of them if there are more.
    mutating func rows() throws -> (rows: [Entity], last: CompiledQuery<Entity>.SortValues?) {
        sort()
        let page = found.prefix(query.limit ?? .max)
        // Only those of the page are decoded.
        return (try page.map { try $0.match.decoded() }, page.count < found.count ? page.last?.values : nil)
    }
}
