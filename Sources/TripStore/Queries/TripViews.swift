public import EventLog
public import Events
public import Foundation
import ProjectionEngine
public import TripProjections
public import Trips

/// The views after one commit, for several queries that must agree; valid inside the closure that receives it.
public struct TripViews: ~Copyable {
    let snapshot: ViewSnapshot

    init(_ snapshot: consuming ViewSnapshot) { self.snapshot = snapshot }

    /// The position of the log that the results reflect.
    public var position: Position { snapshot.position }

    /// The update of the program that is needed to see everything: until then every result may lack what commits of a newer version say. Nil
    /// if this version reads all commits that count. O(log n).
    ///
    /// ```swift
    /// for try await needed in store.live({ try $0.neededUpdate }) { banner.isHidden = needed == nil }
    /// ```
    public var neededUpdate: NeededUpdate? { get throws { try snapshot.neededUpdate } }

    /// Rows of this snapshot.
    func listed<Row>(_ rows: [Row], next: PageCursor? = nil) throws -> Rows<Row> {
        Rows(rows, next: next, position, needing: try neededUpdate)
    }

    /// A present entity: created, not deleted, and not of a deleted trip or of another deleted parent. Nil otherwise.
    public func entity<Entity: TripEntity>(_ id: Identifier<Entity>) throws -> Entity? {
        guard id.isOfKind, let record = try snapshot.record(of: id.reference), try record.isPresent() else {
            return nil
        }
        var entity = try Entity(id: id, record: record)
        // By the kind first: checking a type's conformance takes longer than decoding a trip.
        if Entity.kind.isItem, let item = entity as? any ItemEntity, try isHidden(item.trip) {
            return nil
        }
        if Entity.kind == .own {
            if try isHidden(id.reference) { return nil }
            try entity.nullify { try isDeleted($0) }
        } else if entity.own.nameTravellers {
            try entity.nullify { try isDeleted($0) }
        }
        return entity
    }

    /// Whether an entity may be created: nothing created it, and nothing deleted it, whose creation may still arrive.
    func mayBeCreated<Entity: TripEntity>(_ id: Identifier<Entity>) throws -> Bool {
        guard let record = try snapshot.record(of: id.reference) else { return true }
        if try record.isDeleted() { throw TripStoreError.deleted(id.reference) }
        return !record.isCreated
    }

    /// The entity and its version; throws `TripStoreError.unknownEntity` or `.deleted` if it is not present.
    package func present<Entity: TripEntity>(_ id: Identifier<Entity>) throws -> (Entity, EntityVersion) {
        guard id.isOfKind, let record = try snapshot.record(of: id.reference), record.isCreated else {
            throw TripStoreError.unknown(id.reference)
        }
        guard try record.isPresent() else { throw TripStoreError.deleted(id.reference) }
        var entity = try Entity(id: id, record: record)
        // As it is read: a change may depend on it.
        try entity.nullify { try isDeleted($0) }
        return (entity, record.version)
    }

    /// The version of an entity, deleted ones included; `.none` if nothing is held of it.
    public func version<Entity: TripEntity>(of id: Identifier<Entity>) throws -> EntityVersion {
        try snapshot.record(of: id.reference)?.version ?? .none
    }

    /// The record of an entity, present or not: for tools. Nil if nothing is held of it.
    public func record(of entity: EntityReference) throws -> EntityRecord? {
        try snapshot.withRecord(of: entity) { try EntityRecord($0) }
    }

    /// The entities with an id, of any kind, deleted ones included; usually one.
    public func entities(withID id: UUID) throws -> [EntityReference] { try snapshot.entities(withID: id.bytes) }

    /// The items of a trip in the order of time, of one kind or of all; empty if the trip is missing.
    public func items(of trip: Trip.ID, kind: EntityKind? = nil) throws -> [TripItem] {
        guard try snapshot.record(of: trip.reference)?.isPresent() == true else { return [] }
        let references = try ItemsByTrip.items(of: trip, kind: kind, in: snapshot)
        snapshot.expect(parts: references.count + 2)
        var items: [TripItem] = []
        items.reserveCapacity(references.count)
        for reference in references {
            guard let record = try snapshot.record(of: reference) else { continue }
            guard var item = try TripItem(reference, record: record) else { continue }
            if item.hasOwnValues { try item.nullify { try isDeleted($0) } }
            items.append(item)
        }
        return items
    }

    /// The activities of a trip in the order of time; empty if the trip is missing.
    public func activities(of trip: Trip.ID) throws -> [Activity] {
        try items(of: trip, kind: .activity).compactMap {
            if case .activity(let activity) = $0 { activity } else { nil }
        }
    }

    /// The items whose trip never arrived here, in no particular order.
    public func unfiledItems() throws -> [TripItem] {
        try ItemsByTrip.unfiled(in: snapshot).compactMap { try item($0) }
    }

    private func item(_ reference: EntityReference) throws -> TripItem? {
        guard let record = try snapshot.record(of: reference) else { return nil }
        var item = try TripItem(reference, record: record)
        try item?.nullify { try isDeleted($0) }
        return item
    }

    /// The number and the costs of a trip's items; zero if the trip is missing.
    public func totals(of trip: Trip.ID) throws -> Totals {
        guard try snapshot.record(of: trip.reference)?.isPresent() == true else { return Totals() }
        return try TripTotals.totals(of: trip, in: snapshot)
    }

    /// The organizations whose name begins with some text, regardless of the case of ASCII letters, by name.
    public func organizations(named prefix: String = "", limit: Int = .max) throws -> [Organization] {
        try OrganizationsByName.organizations(named: prefix, limit: limit, in: snapshot).compactMap { try entity($0) }
    }

    /// The number of trips. O(1) for dated and undated ones together.
    public func tripCount() throws -> Int { try snapshot.rowCount(of: "trips-by-start") }

    /// A page of trips by date.
    ///
    /// Throws `TripStoreError.invalidCursor` if the cursor belongs to another query.
    public func trips(_ query: TripQuery = .dated, limit: Int = 50, after cursor: PageCursor? = nil) throws -> Rows<
        TripRow
    > {
        try trips(query, limit: limit, after: cursor, through: nil)
    }

    /// A page of trips by date, and before it every row up to the cursor `shown`: those do not count towards the limit.
    func trips(
        _ query: TripQuery, limit: Int, after cursor: PageCursor?, through shown: PageCursor?
    ) throws -> Rows<TripRow> {
        var start = try cursor?.place(in: query)
        var end = try shown?.place(in: query)
        let limit = max(1, min(limit, .max - 1))
        // Each trip's totals, and the range of the list.
        let expected = min(limit, 100)
        snapshot.expect(parts: expected + 1)
        let totals = try TripTotals.Reader(snapshot)
        var rows: [TripRow] = []
        rows.reserveCapacity(expected)
        while true {
            let next = try query.listing.page(
                after: start, through: end, limit: end == nil ? limit : .max - 1, in: snapshot
            ) { (trip: consuming Trip) in
                let sums = try totals.totals(of: trip.id)
                var trip = trip
                if trip.own.nameTravellers { try trip.nullify { try isDeleted($0) } }
                rows.append(TripRow(trip: trip, totals: sums))
            }
            guard let reached = end else {
                return try listed(rows, next: next.map { PageCursor(query, $0) })
            }
            (start, end) = (reached, nil)
        }
    }

    func isHidden(_ trip: Trip.ID?) throws -> Bool {
        guard let trip, let record = try snapshot.record(of: trip.reference) else { return false }
        return try record.creation() != nil && !record.isPresent()
    }
}
