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

    /// The most rows that are walked in an index for choosing one, and that are looked at.
    private static var mostProbed: Int { 500 }
    private static var mostSampled: Int { 100 }

    /// `limit` is how many rows are wanted, and nil for all; it may be another than the query's.
    init(_ query: CompiledQuery<Entity>, limit: Int?, in views: borrowing TripViews) throws {
        self.query = query
        path = try Self.path(for: query, limit, views)
    }

    private init(_ query: CompiledQuery<Entity>, by path: IndexPath) {
        self.query = query
        self.path = path
    }

    /// Whether matches come in the query's order.
    var isOrdered: Bool { path?.plan.isOrdered ?? query.isOrderedByID }

    // MARK: Choosing an index

    private static func path(
        for query: CompiledQuery<Entity>, _ limit: Int?, _ views: borrowing TripViews
    ) throws -> IndexPath? {
        var paths: [IndexPath] = []
        for index in (try views.snapshot.attachedViews.projection as? IndexProjection)?.indexes ?? [] {
            guard let plan = query.plan(index.definition), limit != nil || plan.strength > 0 else { continue }
            paths.append(IndexPath(view: index.view, plan: plan))
        }
        guard paths.count > 1 else { return paths.first }
        // Nothing is better than the rows of the page alone.
        if let limit, limit < mostProbed, let exact = paths.first(where: { $0.plan.isOrdered && $0.plan.isDecisive }) {
            return exact
        }
        // What is read for choosing changes no result.
        let unrecorded = TripViews(views.snapshot.unrecorded())
        var best: (path: IndexPath, cost: Int)?
        for path in paths {
            let cost = try cost(of: path, query, limit, unrecorded)
            if let best, (best.cost, -best.path.plan.strength) <= (cost, -path.plan.strength) { continue }
            best = (path, cost)
        }
        return best?.path
    }

    /// About how many rows would be looked at.
    private static func cost(
        of path: IndexPath, _ query: CompiledQuery<Entity>, _ limit: Int?, _ views: borrowing TripViews
    ) throws -> Int {
        let plan = path.plan
        var count = 0
        for range in plan.ranges {
            let scan = try views.snapshot.scan(path.view, range.bounds())
            while count < mostProbed, try scan.next() != nil { count += 1 }
        }
        if count < mostProbed { return count }
        guard plan.isOrdered, let limit else { return 4 * count }
        // As many as it takes for the limit, if matches lie everywhere as at the beginning.
        var run = QueryRun(query, by: path)
        let matches = try run.sample(views)
        return Int(clamping: Int(Double(limit) * Double(run.rowsLookedAt) / max(0.5, Double(matches))))
    }

    /// How many of the first rows match.
    private mutating func sample(_ views: borrowing TripViews) throws -> Int {
        var matches = 0
        for walk in path?.plan.walks ?? [] {
            guard let path else { break }
            let rows = try views.snapshot.scan(path.view, walk.range.bounds(isReversed: walk.isReversed))
            while rowsLookedAt < Self.mostSampled, let row = try rows.next() {
                if try match(row, views) != nil { matches += 1 }
            }
        }
        return matches
    }

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

    /// Rows with the same values, in which some text was cut, are put in order. Returns whether to go on.
    private mutating func forEachForwards(
        _ range: IndexPlan.Range, _ path: IndexPath, _ start: CompiledQuery<Entity>.SortValues?,
        _ key: IndexPlan.RowKey?,
        _ views: borrowing TripViews, _ body: (QueryMatch<Entity>) throws -> Bool
    ) throws -> Bool {
        guard let bounds = range.bounds(after: key) else { return true }
        let rows = try views.snapshot.scan(path.view, bounds)
        var group: [RowScan.Row] = []
        while let row = try rows.next() {
            if let first = group.first, !first.hasValues(of: row) {
                if try !forEach(of: group, start, views, body) { return false }
                group.removeAll(keepingCapacity: true)
            }
            guard !row.isCut else {
                group.append(row)
                continue
            }
            guard let match = try match(row, views) else { continue }
            if let start, !query.isBefore(start, match.sortValues(query)) { continue }
            if try !body(match) { return false }
        }
        return try forEach(of: group, start, views, body)
    }

    /// Groups of rows with the same values from the last to the first, each in the order of the ids.
    private mutating func forEachBackwards(
        _ range: IndexPlan.Range, _ path: IndexPath, _ start: CompiledQuery<Entity>.SortValues?,
        _ key: IndexPlan.RowKey?,
        _ views: borrowing TripViews, _ body: (QueryMatch<Entity>) throws -> Bool
    ) throws -> Bool {
        var range = range
        groups: while let bounds = range.bounds(before: key) {
            let rows = try views.snapshot.scan(path.view, bounds)
            var group: [RowScan.Row] = []
            while let row = try rows.next() {
                if let first = group.first, !first.hasValues(of: row) {
                    if try !forEach(of: group, start, views, body) { return false }
                    group.removeAll(keepingCapacity: true)
                }
                group.append(row)
                // Many with the same values: forwards, so that a page need not read all of them.
                guard group.count == Self.mostInGroup, !row.isCut else { continue }
                let values = [UInt8](row.key.part(1..<row.key.count - 16))
                let same = IndexPlan.Range(first: values, end: values.afterPrefix)
                if try !forEachForwards(same, path, start, key, views, body) { return false }
                range.end = values
                continue groups
            }
            return try forEach(of: group, start, views, body)
        }
        return true
    }

    private static var mostInGroup: Int { 64 }

    private mutating func forEach(
        of group: [RowScan.Row], _ start: CompiledQuery<Entity>.SortValues?, _ views: borrowing TripViews,
        _ body: (QueryMatch<Entity>) throws -> Bool
    ) throws -> Bool {
        var matches: [(match: QueryMatch<Entity>, values: CompiledQuery<Entity>.SortValues)] = []
        for row in group {
            guard let match = try match(row, views) else { continue }
            let values = match.sortValues(query)
            if let start, !query.isBefore(start, values) { continue }
            matches.append((match, values))
        }
        if matches.count > 1 { matches.sort { query.isBefore($0.values, $1.values) } }
        for (match, _) in matches { if try !body(match) { return false } }
        return true
    }

    private mutating func scan(
        after start: CompiledQuery<Entity>.SortValues?, _ views: borrowing TripViews,
        _ body: (QueryMatch<Entity>) throws -> Bool
    ) throws {
        let prefix = Entity.schema.ownKind?.prefix ?? []
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

    private mutating func match(_ row: RowScan.Row, _ views: borrowing TripViews) throws -> QueryMatch<Entity>? {
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

extension RowScan.Row {
    /// Whether some text in the key was cut.
    fileprivate var isCut: Bool { value.first == 1 }

    /// The trip of an item.
    fileprivate var trip: UUID? { value.count == 17 ? value.uuid(at: 1) : nil }

    /// Whether another row of an index has the same values.
    fileprivate func hasValues(of other: RowScan.Row) -> Bool {
        key.count == other.key.count && key.part(0..<key.count - 16).equals(other.key.part(0..<key.count - 16))
    }
}

extension IndexPlan.Range {
    fileprivate func bounds(isReversed: Bool = false) -> KeyBounds {
        KeyBounds(prefix: [], lower: first, upper: end, isReversed: isReversed)
    }

    /// What comes after a row, read forwards; nil if all of it comes before.
    fileprivate func bounds(after key: IndexPlan.RowKey?) -> KeyBounds? {
        var range = self
        if let key, first.lexicographicallyPrecedes(key.next) { range.first = key.next }
        return range.isEmpty ? nil : range.bounds()
    }

    /// The row and what comes after it, read backwards; nil if all of it comes before.
    fileprivate func bounds(before key: IndexPlan.RowKey?) -> KeyBounds? {
        var range = self
        if let key {
            if let end, !key.values.lexicographicallyPrecedes(end) { return nil }
            if let last = key.values.afterPrefix, range.end.map({ last.lexicographicallyPrecedes($0) }) ?? true {
                range.end = last
            }
        }
        return range.isEmpty ? nil : range.bounds(isReversed: true)
    }

    private var isEmpty: Bool { end.map { !first.lexicographicallyPrecedes($0) } ?? false }
}

extension TripStoreError {
    fileprivate static func needsIndex<Entity>(_ query: CompiledQuery<Entity>, _ limit: Int) -> TripStoreError {
        TripStoreError(
            .needsIndex,
            "No index serves the query for \(query.words), and there are more than \(limit) entities to look at. Declare an index in "
                + "'Options.indexes', or allow more with 'scanning(atMost:)'.")
    }
}
