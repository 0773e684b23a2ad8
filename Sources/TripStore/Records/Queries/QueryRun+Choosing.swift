import ProjectionEngine
import TripProjections
import Trips

/// Choosing an index.
extension QueryRun {
    /// The most rows that are walked in an index for choosing one, and that are looked at.
    private static var mostProbed: Int { 500 }
    private static var mostSampled: Int { 100 }
    /// How many entities a scan looks at in the time that one takes by an index.
    private static var mostScanned: Int { 4 }

    /// How a query is answered best.
    static func route(
        for query: RecordQuery, _ limit: Int?, _ views: borrowing TripViews
    ) throws -> Route {
        if let view = query.orderedView { return .view(view, isWhole: true) }
        let route = try indexedRoute(for: query, limit, views)
        guard case .scan = route, let view = query.amongOrderedView else { return route }
        return .view(view, isWhole: false)
    }

    private static func indexedRoute(
        for query: RecordQuery, _ limit: Int?, _ views: borrowing TripViews
    ) throws -> Route {
        let constraints = FieldConstraints(query)
        let path = try path(for: query, constraints, limit, views)
        // Nothing is shorter than the matches alone.
        if let path, path.plan.isDecisive { return .index(path) }
        if constraints.nameEntities(of: query.kind) {
            let bound = try path.map {
                try cost(of: $0, query, limit, TripViews(views.snapshot.unrecorded(), in: views.known))
            }
            if let listed = try ListedEntities.of(query, constraints, below: bound ?? .max, in: views) {
                return .listed(listed)
            }
        }
        if let path { return .index(path) }
        if let union = try union(
            for: query, constraints, limit, TripViews(views.snapshot.unrecorded(), in: views.known))
        {
            return .union(union)
        }
        return .scan
    }

    /// An index for each alternative of one of the query's conditions, if together they are shorter than a scan.
    private static func union(
        for query: RecordQuery, _ constraints: FieldConstraints, _ limit: Int?, _ views: borrowing TripViews
    ) throws -> [IndexPath]? {
        for alternatives in constraints.alternatives {
            var paths: [IndexPath] = []
            for alternative in alternatives {
                guard let path = try path(for: query, alternative, nil, views) else { break }
                paths.append(path)
            }
            guard paths.count == alternatives.count else { continue }
            // A row of an index takes longer than one of a scan, for its record is looked up.
            var left = try views.snapshot.rowCount(of: "entities") / mostScanned
            // A scan in the query's order ends with the page.
            if limit != nil, query.isOrderedByID { left = min(left, mostProbed) }
            for path in paths {
                for range in path.plan.ranges where left >= 0 {
                    let scan = try views.snapshot.scan(path.view, range.bounds())
                    while left >= 0, try scan.next() != nil { left -= 1 }
                }
            }
            if left >= 0 { return paths }
        }
        return nil
    }

    /// The index that serves a query best; nil if none does.
    private static func path(
        for query: RecordQuery, _ constraints: FieldConstraints, _ limit: Int?, _ views: borrowing TripViews
    ) throws -> IndexPath? {
        var paths: [IndexPath] = []
        for index in (try views.snapshot.attachedViews.projection as? IndexProjection)?.indexes ?? [] {
            guard let plan = IndexPlan(index.definition, for: query, constraints), limit != nil || plan.strength > 0
            else { continue }
            paths.append(IndexPath(view: index.view, plan: plan))
        }
        guard paths.count > 1 else { return paths.first }
        // Nothing is better than the rows of the page alone.
        if let limit, limit < mostProbed, let exact = paths.first(where: { $0.plan.isOrdered && $0.plan.isDecisive }) {
            return exact
        }
        // What is read for choosing changes no result.
        let unrecorded = TripViews(views.snapshot.unrecorded(), in: views.known)
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
        of path: IndexPath, _ query: RecordQuery, _ limit: Int?, _ views: borrowing TripViews
    ) throws -> Int {
        let plan = path.plan
        var count = 0
        for range in plan.ranges where count < mostProbed {
            // Going to where a range begins takes as long as a row.
            count += 1
            let scan = try views.snapshot.scan(path.view, range.bounds())
            while count < mostProbed, try scan.next() != nil { count += 1 }
        }
        if count < mostProbed { return count }
        guard plan.isOrdered, let limit else { return 4 * count }
        // As many as it takes for the limit, if matches lie everywhere as at the beginning.
        var run = QueryRun(query, by: .index(path))
        let matches = try run.sample(views)
        let rows = Double(limit) * Double(run.rowsLookedAt) / max(0.5, Double(matches))
        return rows < Double(Int32.max) ? Int(rows) : .max
    }

    /// How many of the first rows match.
    private mutating func sample(_ views: borrowing TripViews) throws -> Int {
        isSampled = true
        var matches = 0
        guard case .index(let path) = route else { return 0 }
        for walk in path.plan.walks {
            let rows = try views.snapshot.scan(path.view, walk.range.bounds(isReversed: walk.reading != .forwards))
            while rowsLookedAt < Self.mostSampled, let row = try rows.next() {
                if try match(row, views) != nil { matches += 1 }
            }
        }
        return matches
    }
}
