import Events
import Foundation
import ProjectionEngine
import TripProjections
import Trips

/// A query that is being answered: by an index, or by a scan over all entities of the kind.
struct QueryRun<Entity: TripEntity> {
    let query: CompiledQuery<Entity>
    /// Nil for a scan.
    let path: IndexPath?
    private(set) var rowsLookedAt = 0
    /// Thousands of items may be of one trip.
    private var hiddenTrips: [Trip.ID: Bool] = [:]
    /// All deleted trips, if many items are looked at.
    private var deletedTrips: Set<UUID>?
    private let related = RelatedMatches()
    /// Used for one record after another.
    private var values = CompiledQuery<Entity>.Values()

    struct IndexPath {
        let view: AttachedViews.View
        let plan: IndexPlan
    }

    /// `limit` is how many rows are wanted, and nil for all; it may be another than the query's.
    init(_ query: CompiledQuery<Entity>, limit: Int?, in views: borrowing TripViews) throws {
        self.query = query
        path = try Self.path(for: query, limit, views)
    }

    init(_ query: CompiledQuery<Entity>, by path: IndexPath) {
        self.query = query
        self.path = path
    }

    /// Whether matches come in the query's order.
    var isOrdered: Bool { path?.plan.isOrdered ?? query.isOrderedByID }

    // MARK: Matches

    /// Calls `body` with each match until it returns false: in the query's order if the run is ordered, and only with those after a row.
    mutating func forEachMatch(
        after start: CompiledQuery<Entity>.SortValues? = nil, in views: borrowing TripViews,
        _ body: (QueryMatch<Entity>) throws -> Bool
    ) throws {
        guard let path else { return try scan(after: start, views, body) }
        guard path.plan.isOrdered else {
            for range in path.plan.ranges {
                let rows = try views.snapshot.scan(path.view, range.bounds())
                while let row = try rows.next() {
                    guard let match = try match(row, views) else { continue }
                    if let start, !query.isBefore(start, match.sortValues(query)) { continue }
                    if try !body(match) { return }
                }
            }
            return
        }
        let key = start.map { path.plan.key($0, of: query) }
        for walk in path.plan.walks {
            let goesOn =
                walk.isReversed
                ? try forEachBackwards(walk.range, path, start, key, views, body)
                : try forEachForwards(walk.range, path, start, key, views, body)
            if !goesOn { return }
        }
    }

    /// How many match. Where the index decides, its rows are counted and no record is read.
    mutating func count(in views: borrowing TripViews) throws -> Int {
        try readDeletedTrips(views)
        guard let path, path.plan.isDecisive, Entity.kind != .own else {
            var count = 0
            try forEachMatch(in: views) { _ in
                count += 1
                return true
            }
            return count
        }
        var count = 0
        for range in path.plan.ranges {
            let rows = try views.snapshot.scan(path.view, range.bounds())
            while let row = try rows.next() {
                rowsLookedAt += 1
                if let deletedTrips, !deletedTrips.isEmpty, let trip = row.trip, deletedTrips.contains(trip) {
                    continue
                }
                count += 1
            }
        }
        return count
    }

    /// Before many items are looked at: instead of the trip of each. Then the deletion of any trip changes what was read.
    mutating func readDeletedTrips(_ views: borrowing TripViews) throws {
        guard Entity.kind.isItem, try views.snapshot.attachedViews.projection != nil else { return }
        deletedTrips = try IndexProjection.deletedTrips(in: views.snapshot)
    }

    private mutating func scan(
        after start: CompiledQuery<Entity>.SortValues?, _ views: borrowing TripViews,
        _ body: (QueryMatch<Entity>) throws -> Bool
    ) throws {
        let prefix = query.idPrefix
        let first = query.isOrderedByID ? start.map { Array($0.id.bytes.dropFirst(prefix.count)) } : nil
        let rows = try views.snapshot.scan("entities", KeyBounds(prefix: prefix, lower: first))
        while let row = try rows.next() {
            guard row.key.count == 18, let reference = EntityReference(row.key),
                let id = Identifier<Entity>(reference)
            else { continue }
            rowsLookedAt += 1
            if let limit = query.scanLimit, rowsLookedAt > limit { throw TripStoreError.needsIndex(query, limit) }
            guard let match = try match(id, RecordView(row.value), views) else { continue }
            if let start, !query.isBefore(start, match.sortValues(query)) { continue }
            if try !body(match) { return }
        }
    }

    mutating func match(_ row: RowScan.Row, _ views: borrowing TripViews) throws -> QueryMatch<Entity>? {
        rowsLookedAt += 1
        guard row.key.count > 16 else { throw ProjectionError.damaged("a row of an index") }
        let id = Identifier<Entity>(row.key.uuid(at: row.key.count - 16))
        guard let record = try views.snapshot.record(of: id.reference) else { return nil }
        return try match(id, record, views)
    }

    /// An entity by its record, if it is there and meets the condition.
    mutating func match(
        _ id: Identifier<Entity>, _ record: borrowing RecordView, _ views: borrowing TripViews
    ) throws -> QueryMatch<Entity>? {
        guard try record.isPresent() else { return nil }
        try query.read(id, record, into: &values)
        guard try query.mayMatch(values), try !isHidden(id, views) else { return nil }
        guard query.needsEntity else { return QueryMatch(values, nil, record.bytes) }
        var entity = try Entity(id: id, record: record)
        try entity.nullify { try views.isDeleted($0) }
        guard try query.matches(entity, { try related.holds($0, for: entity, views) }),
            try query.meetsPredicates(entity)
        else { return nil }
        return QueryMatch(values, entity, record.bytes)
    }

    private mutating func isHidden(_ id: Identifier<Entity>, _ views: borrowing TripViews) throws -> Bool {
        if Entity.kind == .own { return try views.isHidden(id.reference) }
        guard Entity.kind.isItem, let trip = query.trip(values) else { return false }
        if let deletedTrips { return deletedTrips.contains(trip.uuid) }
        if let isKnown = hiddenTrips[trip] { return isKnown }
        let isHidden = try views.isHidden(trip)
        hiddenTrips[trip] = isHidden
        return isHidden
    }
}

extension TripStoreError {
    fileprivate static func needsIndex<Entity>(_ query: CompiledQuery<Entity>, _ limit: Int) -> TripStoreError {
        TripStoreError(
            .needsIndex,
            "No index serves the query for \(query.words), and there are more than \(limit) entities to look at. Declare an index in "
                + "'Options.indexes', or allow more with 'scanning(atMost:)'.")
    }
}
