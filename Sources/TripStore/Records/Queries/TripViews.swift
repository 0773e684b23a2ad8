public import EventLog
public import Events
public import Foundation
package import ProjectionEngine
public import Trips

/// The views after one commit, for several queries that must agree; valid inside the closure that receives it.
///
/// `@unchecked Sendable`: it cannot be copied, and the closure, which does not wait, can hand it to no other task.
public struct TripViews: ~Copyable, @unchecked Sendable {
    let snapshot: ViewSnapshot
    /// The kinds and fields that the store knows. Not counted as a reference, which all threads that read would change: sound, for the
    /// store outlives the closure.
    unowned(unsafe) let known: KnownSchema?

    package init(_ snapshot: consuming ViewSnapshot, in known: KnownSchema?) {
        self.snapshot = snapshot
        self.known = known
    }

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
    func listed<Row>(_ rows: [Row], next: PageCursor? = nil, isComplete: Bool = true) throws -> Rows<Row> {
        Rows(rows, next: next, isComplete: isComplete, position, needing: try neededUpdate)
    }

    /// A present entity: created, not deleted, and not hidden with a deleted parent. Nil otherwise.
    public func entity<Entity: TripEntity>(_ id: Identifier<Entity>) throws -> Entity? {
        let reference = id.reference
        guard id.isOfKind, let record = try shownRecord(of: reference) else { return nil }
        return try entity(id, record)
    }

    /// An entity as its record has it, but for what it names that is deleted.
    func entity<Entity: TripEntity>(_ id: Identifier<Entity>, _ record: borrowing RecordView) throws -> Entity {
        var entity = try Entity(id: id, record: record)
        // Fast path: the schema of a kind is not read where no field of it may read as nil.
        if Entity.kind.nullifies || entity.own.hasStoreFields { try entity.nullify { try isDeleted($0) } }
        return entity
    }

    /// Whether an entity may be created: nothing created it, and nothing deleted it, whose creation may still arrive.
    func mayBeCreated<Entity: TripEntity>(_ id: Identifier<Entity>) throws -> Bool {
        guard let record = try snapshot.record(of: id.reference) else { return true }
        if try record.isDeleted() { throw TripStoreError.deleted(id.reference, in: known) }
        return !record.isCreated
    }

    /// The entity and its version; throws `TripStoreError.Code.unknownEntity` or `.deleted` if it is not present.
    package func present<Entity: TripEntity>(_ id: Identifier<Entity>) throws -> (Entity, EntityVersion) {
        guard id.isOfKind, let record = try snapshot.record(of: id.reference), record.isCreated else {
            throw TripStoreError.unknown(id.reference, in: known)
        }
        guard try record.isPresent() else { throw TripStoreError.deleted(id.reference, in: known) }
        var entity = try Entity(id: id, record: record)
        // As it is read: a change may depend on it.
        try entity.nullify { try isDeleted($0) }
        return (entity, record.version)
    }

    /// The record of an entity, present or not: for tools. Nil if nothing is held of it.
    package func record(of entity: EntityReference) throws -> EntityRecord? {
        try snapshot.withRecord(of: entity) { try EntityRecord($0) }
    }

    /// The entities with an id, of any kind, deleted ones included; usually one.
    public func entities(withID id: UUID) throws -> [EntityReference] { try snapshot.entities(withID: id.bytes) }
}
