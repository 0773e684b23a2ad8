import Events
import Foundation
import Trips

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
