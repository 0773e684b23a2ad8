import Events
import Foundation
import ProjectionEngine
import TripProjections
import Trips

/// A query that is being answered: by an index, by several, by a view, or by a scan over all entities of the kind.
struct QueryRun {
    let query: RecordQuery
    let route: Route
    /// Whether the rows of its index meet what the condition says of their own fields, so that it need not be asked again: a twentieth of a
    /// page's time.
    let isDecided: Bool
    /// Whether what is asked belongs to an entity that is there.
    let isShown: Bool
    var rowsLookedAt = 0
    /// Whether it looks at some rows alone, for choosing a route.
    var isSampled = false
    /// Whether parents are deleted: each is read once.
    var goneParents: [UUID: Bool] = [:]
    /// All deleted parents, if many entities are looked at.
    var deletedParents: Set<UUID>?
    /// Read with the first match.
    var unlisted: Set<UUID>?
    /// Shared with the runs on related entities, so that each of these is asked once.
    unowned let related: RelatedMatches
    /// Retains it, unless another run does.
    private let ownMatches: RelatedMatches?
    /// Used for one record after another.
    var values = RecordQuery.Values()

    enum Route {
        case scan
        case index(IndexPath)
        /// One index for each alternative of an `or`.
        case union([IndexPath])
        /// Entities that the condition names, or that lie under a parent that it names.
        case listed(ListedEntities)
        /// A view that has the entities in order, and all of them and no others if that is said.
        case view(OrderedView, isWhole: Bool)
    }

    struct IndexPath {
        let view: AttachedViews.View
        let plan: IndexPlan
    }

    /// `limit` is how many rows are wanted, and nil for all; it may be another than the query's.
    init(
        _ query: RecordQuery, limit: Int?, in views: borrowing TripViews, sharing related: RelatedMatches? = nil
    ) throws {
        self.init(query, by: try Self.route(for: query, limit, views), sharing: related)
    }

    /// `related` is that of another run, which outlives this one. `isShown` says that all entities that are asked belong to one that is there.
    init(
        _ query: RecordQuery, by route: Route, sharing related: RelatedMatches? = nil, isShown: Bool = false
    ) {
        switch route {
        case .index(let path): (isDecided, self.isShown) = (path.plan.decidesFields, isShown)
        case .view(_, let isWhole): (isDecided, self.isShown) = (isWhole, true)
        default: (isDecided, self.isShown) = (false, isShown)
        }
        self.query = query
        self.route = route
        if let related {
            (self.related, ownMatches) = (related, nil)
        } else {
            let own = RelatedMatches()
            (self.related, ownMatches) = (own, own)
        }
    }

    /// Whether matches come in the query's order.
    var isOrdered: Bool {
        switch route {
        case .scan: query.isOrderedByID
        case .index(let path): path.plan.isOrdered
        case .union: false
        case .listed: query.isOrderedByID
        case .view: true
        }
    }

    /// Whether every entity of the kind may be looked at.
    var mayLookAtAll: Bool {
        switch route {
        case .scan: true
        case .index(let path): path.plan.strength == 0
        case .view(let view, let isWhole): view.isUnbounded && !isWhole
        case .union, .listed: false
        }
    }

    /// The indexes, or the rows that serve as one, in words; nil for a scan.
    var indexNames: String? {
        switch route {
        case .scan: nil
        case .index(let path): path.plan.index.name(in: query.known)
        case .union(let paths): paths.map { $0.plan.index.name(in: query.known) }.joined(separator: ", and ")
        case .listed(let entities): entities.name
        case .view(let view, _): view.viewName
        }
    }

    // MARK: Matches

    /// Calls `body` with each match until it returns false: in the query's order if the run is ordered, and only with those after a row.
    mutating func forEachMatch(
        after start: RecordQuery.SortValues? = nil, in views: borrowing TripViews,
        _ body: (QueryMatch) throws -> Bool
    ) throws {
        switch route {
        case .scan: try scan(after: start, views, body)
        case .index(let path) where path.plan.isOrdered: try walk(path, after: start, views, body)
        case .index(let path): _ = try forEachUnordered(path, after: start, views, body)
        case .union(let paths):
            var found: Set<UUID> = []
            for path in paths {
                let goesOn = try forEachUnordered(path, after: start, views) { match in
                    guard found.insert(match.id).inserted else { return true }
                    return try body(match)
                }
                if !goesOn { return }
            }
        case .listed(let entities):
            let ids = query.isOrderedByID ? start.map { entities.ids(after: $0.id) } : nil
            for id in ids ?? entities.all {
                guard let match = try match(id, views) else { continue }
                if let start, !query.isBefore(start, query.sortValues(match.values)) { continue }
                if try !body(match) { return }
            }
        case .view(let view, _):
            try view.forEachID(after: start.flatMap(view.position), in: views.snapshot) { id in
                guard let match = try match(id, views) else { return true }
                if let start, !query.isBefore(start, query.sortValues(match.values)) { return true }
                return try body(match)
            }
        }
    }

    /// Calls `body` with the matches in the ranges of an index, as they lie there. Returns whether to go on.
    private mutating func forEachUnordered(
        _ path: IndexPath, after start: RecordQuery.SortValues?, _ views: borrowing TripViews,
        _ body: (QueryMatch) throws -> Bool
    ) throws -> Bool {
        for range in path.plan.ranges {
            let rows = try views.snapshot.scan(path.view, range.bounds())
            while let row = try rows.next() {
                guard let match = try match(row, views) else { continue }
                if let start, !query.isBefore(start, query.sortValues(match.values)) { continue }
                if try !body(match) { return false }
            }
        }
        return true
    }

    private mutating func scan(
        after start: RecordQuery.SortValues?, _ views: borrowing TripViews,
        _ body: (QueryMatch) throws -> Bool
    ) throws {
        let (kind, prefix) = (query.entityKind, query.ownKind?.prefix ?? [])
        let first = query.isOrderedByID ? start.map { Array($0.id.bytes.dropFirst(prefix.count)) } : nil
        let rows = try views.snapshot.scan("entities", KeyBounds(prefix: prefix, lower: first))
        try rows.forEachRow { row in
            // The id, and the number of the kind.
            guard row.key.count == 18, row.key.bigEndian(UInt16.self, at: 16) == kind.rawValue else { return true }
            try lookAtNext(views)
            guard let match = try match(row.key.uuid(), RecordView(row.value), views) else { return true }
            if let start, !query.isBefore(start, query.sortValues(match.values)) { return true }
            return try body(match)
        }
    }
}
