import Events
import Foundation
import ProjectionEngine
import TripProjections
import Trips

/// Whether entities match, and how many do.
extension QueryRun {
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
        if case .view(let view, isWhole: true) = route {
            try view.forEachID(in: views.snapshot) { _ in
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

    // MARK: One entity

    mutating func match(_ row: RowScan.Row, _ views: borrowing TripViews) throws -> QueryMatch? {
        guard row.key.count > 16 else { throw ProjectionError.damaged("a row of an index") }
        return try match(row.key.uuid(at: row.key.count - 16), views)
    }

    mutating func match(_ id: UUID, _ views: borrowing TripViews) throws -> QueryMatch? {
        try lookAtNext(views)
        guard let record = try views.snapshot.record(of: EntityReference(kind: query.entityKind, id: id)) else {
            return nil
        }
        return try match(id, record, views)
    }

    /// Throws `TripStoreError.Code.needsIndex` if nothing narrows down the rows and there are more than the query allows: an index for the order
    /// alone may have to be walked as a whole, too.
    mutating func lookAtNext(_ views: borrowing TripViews) throws {
        rowsLookedAt += 1
        if rowsLookedAt == Self.mostWithoutDemand { views.snapshot.demand(query.indexesOnDemand) }
        if let limit = query.scanLimit, rowsLookedAt > limit, mayLookAtAll, !isSampled {
            views.snapshot.demand(query.indexesOnDemand)
            throw TripStoreError.needsIndex(query, limit)
        }
    }

    /// So many take some milliseconds.
    private static var mostWithoutDemand: Int { 4_096 }

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

/// An entity that a query has found, with what was read of it: not to be used beyond the read.
struct QueryMatch {
    let values: RecordQuery.Values
    /// Nil if it was not decoded for predicates.
    private let entity: (any TripEntity)?
    private let record: UnsafeRawBufferPointer

    init(_ values: RecordQuery.Values, _ entity: (any TripEntity)?, _ record: UnsafeRawBufferPointer) {
        self.values = values
        self.entity = entity
        self.record = record
    }

    var id: UUID { values.id }

    /// Bytes of its record.
    var byteCount: Int { record.count }

    /// Appends the entity to a list. Returns whether it has values of apps' fields.
    func append<Entity: TripEntity>(to entities: inout [Entity]) throws -> Bool {
        guard let entity = entity as? Entity else {
            return try Entity.append(id: id, record: RecordView(record), to: &entities)
        }
        entities.append(entity)
        return !entity.own.isEmpty
    }
}
