import Events
import Foundation
import TestSupport
import Testing

@testable import Trips

/// Records of one entity, as in a store.
enum Records {
    static func stamp(_ milliseconds: UInt64) throws -> Stamp {
        let replica = try #require(ReplicaID([UInt8](repeating: 7, count: 16)))
        return Stamp(
            timestamp: Timestamp(milliseconds: milliseconds), replica: replica,
            hash: Digest(words: (milliseconds, 0, 0, 0)))
    }

    /// A record created at one time, with the given bytes in its fields.
    static func record(
        of entity: EntityReference, _ fields: [UInt64: [UInt8]?], created milliseconds: UInt64 = 1_000
    ) throws -> EntityRecord {
        let changes = fields.sorted { $0.key < $1.key }.map { Change(path: FieldPath(field: $0.key), value: $0.value) }
        var record = EntityRecord()
        record.apply(Event(verb: .created, entity: entity, changes: changes), index: 0, stamp: try stamp(milliseconds))
        return record
    }

    /// The record of an entity that was just created.
    static func record(of entity: some TripEntity) throws -> EntityRecord {
        let writes = TripEvent.created(entity).writes.map { ($0.field, $0.value) }
        return try record(of: entity.reference, Dictionary(uniqueKeysWithValues: writes))
    }

    /// Reads an entity in place from the bytes of a record.
    static func view<Entity: TripEntity>(
        _ type: Entity.Type = Entity.self, id: Entity.ID, _ record: EntityRecord
    ) throws -> Entity {
        try record.encoded().withUnsafeBytes { try Entity(id: id, record: RecordView($0)) }
    }
}

/// Bytes of unknown fields: number 1000, text.
enum UnknownParts {
    static let bytes: [UInt8] = bytes("later")

    static func bytes(_ text: String) -> [UInt8] {
        var writer = WireWriter()
        writer.string(1000, text)
        return writer.bytes
    }
}
