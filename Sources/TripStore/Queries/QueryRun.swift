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
    private let isDecided: Bool
    /// Whether what is asked belongs to an entity that is there.
    private let isShown: Bool
    private(set) var rowsLookedAt = 0
    /// Whether it looks at some rows alone, for choosing a route.
    var isSampled = false
    /// Whether parents are deleted: each is read once.
    private var goneParents: [UUID: Bool] = [:]
    /// All deleted parents, if many entities are looked at.
    private var deletedParents: Set<UUID>?
    /// Read with the first match.
    private var unlisted: Set<UUID>?
    /// Shared with the runs on related entities, so that each of these is asked once.
    private unowned let related: RelatedMatches
    /// Retains it, unless another run does.
    private let ownMatches: RelatedMatches?
    /// Used for one record after another.
    private var values = RecordQuery.Values()

    enum Route {
        case scan
        case index(IndexPath)
        /// One index for each alternative of an `or`.
        case union([IndexPath])
        /// Entities that the condition names, or that lie under a parent that it names.
        case listed(ListedEntities)
        /// The view of trips by date, which has nothing else and all in order if that is said.
        case trips(TripsByDate, isWhole: Bool)
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
        case .trips(_, let isWhole): (isDecided, self.isShown) = (isWhole, true)
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
        case .trips: true
        }
    }

    /// Whether every entity of the kind may be looked at.
    var mayLookAtAll: Bool {
        switch route {
        case .scan: true
        case .index(let path): path.plan.strength == 0
        case .trips(let trips, let isWhole): trips.range == .dated && !isWhole
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
        case .trips(let trips, _): trips.viewName
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
        case .trips(let trips, _):
            try trips.forEachID(after: start.flatMap(trips.position), in: views.snapshot) { id in
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

    mutating func hasMatch(in views: borrowing TripViews) throws -> Bool {
        var isFound = false
        try forEachMatch(in: views) { _ in
            isFound = true
            return false
        }
        return isFound
    }

    /// How many match. Where the index decides, its rows are counted and no record is read.
    mutating func count(in views: borrowing TripViews) throws -> Int {
        if case .trips(let trips, isWhole: true) = route {
            try trips.forEachID(in: views.snapshot) { _ in
                rowsLookedAt += 1
                return true
            }
            return rowsLookedAt
        }
        try readDeletedParents(views)
        let unlisted = try unlisted(views)
        guard case .index(let path) = route, path.plan.isDecisive, query.parents != .any,
            !query.hasUnlisted || unlisted.isEmpty
        else {
            var count = 0
            try forEachMatch(in: views) { _ in
                count += 1
                return true
            }
            return count
        }
        let hidden = deletedParents.map { $0.union(unlisted) }.flatMap { $0.isEmpty ? nil : $0 }
        var count = 0
        for range in path.plan.ranges {
            let rows = try views.snapshot.scan(path.view, range.bounds())
            guard let hidden else {
                count += try rows.count()
                continue
            }
            while let row = try rows.next() {
                rowsLookedAt += 1
                if let parent = row.parent, hidden.contains(parent) { continue }
                count += 1
            }
        }
        if hidden == nil { rowsLookedAt += count }
        return count
    }

    /// Before many entities are looked at: instead of the parent of each. Then the deletion of any parent changes what was read; those that lie
    /// under parents that the condition names have few.
    mutating func readDeletedParents(_ views: borrowing TripViews) throws {
        if case .listed = route { return }
        guard case .one = query.parents, try views.snapshot.attachedViews.projection != nil else { return }
        deletedParents = query.isHiddenWithParent ? try IndexProjection.deletedParents(in: views.snapshot) : []
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
            try lookAtNext()
            guard let match = try match(row.key.uuid(), RecordView(row.value), views) else { return true }
            if let start, !query.isBefore(start, query.sortValues(match.values)) { return true }
            return try body(match)
        }
    }

    mutating func match(_ row: RowScan.Row, _ views: borrowing TripViews) throws -> QueryMatch? {
        guard row.key.count > 16 else { throw ProjectionError.damaged("a row of an index") }
        return try match(row.key.uuid(at: row.key.count - 16), views)
    }

    private mutating func match(_ id: UUID, _ views: borrowing TripViews) throws -> QueryMatch? {
        try lookAtNext()
        guard let record = try views.snapshot.record(of: EntityReference(kind: query.entityKind, id: id)) else {
            return nil
        }
        return try match(id, record, views)
    }

    /// Throws `TripStoreError.needsIndex` if nothing narrows down the rows and there are more than the query allows: an index for the order
    /// alone may have to be walked as a whole, too.
    private mutating func lookAtNext() throws {
        rowsLookedAt += 1
        if let limit = query.scanLimit, rowsLookedAt > limit, mayLookAtAll, !isSampled {
            throw TripStoreError.needsIndex(query, limit)
        }
    }

    /// An entity by its record, if it is there and meets the condition.
    mutating func match(
        _ id: UUID, _ record: borrowing RecordView, _ views: borrowing TripViews
    ) throws -> QueryMatch? {
        guard try record.isPresent() else { return nil }
        try query.read(id, record, into: &values)
        guard try isDecided || query.mayMatch(values), try isShown || !isHidden(id, record, views) else { return nil }
        let reference = EntityReference(kind: query.entityKind, id: id)
        if query.readsFurther {
            let related = related
            try query.readFurther(record, into: &values) { try related.isDeleted($0, views) }
        }
        let isMatch = try query.matches(values) { condition in
            try related.holds(condition, for: reference, views) { query.reference(inField: $0, values) }
        }
        guard isMatch else { return nil }
        guard let evaluation = query.evaluation else { return QueryMatch(values, nil, record.bytes) }
        let entity = try evaluation(id, record) { try related.isDeleted($0, views) }
        return entity.map { QueryMatch(values, $0, record.bytes) }
    }

    /// The ids of what no list has: what belongs to it is no match either.
    private mutating func unlisted(_ views: borrowing TripViews) throws -> Set<UUID> {
        if let unlisted { return unlisted }
        let found = try Templates.all(in: views.snapshot)
        unlisted = found
        return found
    }

    private mutating func isHidden(
        _ id: UUID, _ record: borrowing RecordView, _ views: borrowing TripViews
    ) throws -> Bool {
        switch query.parents {
        case .none: return try query.hasUnlisted && unlisted(views).contains(id)
        case .one:
            let unlisted = try unlisted(views)
            guard let parent = query.parent(values) else { return false }
            if unlisted.contains(parent.id) { return true }
            if let deletedParents { return deletedParents.contains(parent.id) }
            guard query.isHiddenWithParent else { return false }
            if let isGone = goneParents[parent.id] { return isGone }
            let isGone = try views.isGone(parent)
            goneParents[parent.id] = isGone
            return isGone
        case .any:
            let reference = EntityReference(kind: query.entityKind, id: id)
            if try views.isHidden(reference, record) { return true }
            return try views.isIn(unlisted(views), reference)
        }
    }
}
