import Events
import Foundation
import ProjectionEngine
public import Trips

/// Queries as values: see `Query`.
extension TripViews {
    /// A page of what a query asks for; all of it, if the query has no limit.
    ///
    /// O(entities of all kinds): no index serves a query yet. Entities that do not match are rejected after decoding the fields of the
    /// condition alone, unless one of these is a collection, replaces others, or reads as nil while its target is deleted.
    ///
    /// Throws `TripStoreError.unusableOption` for a property that holds no field, and `.invalidCursor` for the cursor of another query.
    public func fetch<Entity: TripEntity>(
        _ query: Query<Entity>, after cursor: PageCursor? = nil
    ) throws -> Rows<Entity> {
        let compiled = try Self.compiled(query)
        let start = try cursor.map { try $0.sortValues(in: query, compiled) }
        var found = FirstRows(compiled)
        try forEachMatch(compiled) { entity in
            let values = compiled.sortValues(entity)
            if let start, !compiled.isBefore(start, values) { return true }
            found.add(entity, values)
            return true
        }
        let (rows, last) = found.rows()
        return Rows(rows, next: last.map { PageCursor(query, $0) }, position)
    }

    /// How many entities meet a query's condition, regardless of its limit. O(entities).
    public func count<Entity: TripEntity>(_ query: Query<Entity>) throws -> Int {
        var count = 0
        try forEachMatch(Self.compiled(query)) { _ in
            count += 1
            return true
        }
        return count
    }

    /// Whether there is any. O(entities before the first).
    public func exists<Entity: TripEntity>(_ query: Query<Entity>) throws -> Bool {
        var isFound = false
        try forEachMatch(Self.compiled(query)) { _ in
            isFound = true
            return false
        }
        return isFound
    }

    /// The first in the query's order; nil if there is none. O(entities).
    public func first<Entity: TripEntity>(_ query: Query<Entity>) throws -> Entity? {
        try fetch(query.limit(1)).first
    }

    /// The ids of all that meet the condition, in the query's order, regardless of its limit. O(entities).
    public func ids<Entity: TripEntity>(_ query: Query<Entity>) throws -> [Identifier<Entity>] {
        let compiled = try Self.compiled(query)
        var found: [(id: Identifier<Entity>, values: CompiledQuery<Entity>.SortValues)] = []
        try forEachMatch(compiled) { entity in
            found.append((entity.id, compiled.sortValues(entity)))
            return true
        }
        return found.sorted { compiled.isBefore($0.values, $1.values) }.map(\.id)
    }

    private static func compiled<Entity: TripEntity>(_ query: Query<Entity>) throws -> CompiledQuery<Entity> {
        do throws(ValidationError) { return try CompiledQuery(query) } catch {
            throw TripStoreError(.unusableOption, error.message)
        }
    }

    /// Calls `body` with each entity that is there and meets the condition, in the order of the ids, until it returns false.
    private func forEachMatch<Entity: TripEntity>(
        _ query: CompiledQuery<Entity>, _ body: (Entity) throws -> Bool
    ) throws {
        let scan = try snapshot.scan("entities", KeyBounds(prefix: Entity.schema.ownKind?.prefix ?? []))
        // Thousands of items may be of one trip.
        var hiddenTrips: [Trip.ID: Bool] = [:]
        while let row = try scan.next() {
            guard row.key.count == 18, let reference = EntityReference(row.key),
                let id = Identifier<Entity>(reference)
            else { continue }
            let record = try RecordView(row.value)
            guard try record.isPresent(), try query.mayMatch(id, record) else { continue }
            var entity = try Entity(id: id, record: record)
            if Entity.kind.isItem, let trip = (entity as? any ItemEntity)?.trip {
                let isTripHidden = try hiddenTrips[trip] ?? isHidden(trip)
                hiddenTrips[trip] = isTripHidden
                if isTripHidden { continue }
            } else if Entity.kind == .own {
                if try isHidden(reference) { continue }
                try entity.nullify { try isDeleted($0) }
            }
            guard query.matches(entity) else { continue }
            if try !body(entity) { return }
        }
    }
}

/// The first rows of a query: as many as its limit, and whether there are more.
private struct FirstRows<Entity: TripEntity> {
    private typealias Found = (entity: Entity, values: CompiledQuery<Entity>.SortValues)

    private let query: CompiledQuery<Entity>
    private var found: [Found] = []

    init(_ query: CompiledQuery<Entity>) { self.query = query }

    mutating func add(_ entity: Entity, _ values: CompiledQuery<Entity>.SortValues) {
        found.append((entity, values))
        // Rows behind the page are dropped now and then, so that a page of a large store takes little memory.
        guard let limit = query.limit, found.count > 2 * limit + 1_024 else { return }
        sort()
        found.removeSubrange((limit + 1)...)
    }

    private mutating func sort() { found.sort { query.isBefore($0.values, $1.values) } }

    /// The rows of the page, and the last of them if there are more.
    mutating func rows() -> (rows: [Entity], last: CompiledQuery<Entity>.SortValues?) {
        sort()
        guard let limit = query.limit, found.count > limit else { return (found.map(\.entity), nil) }
        return (found.prefix(limit).map(\.entity), found[limit - 1].values)
    }
}
