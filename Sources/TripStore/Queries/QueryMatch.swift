import Events
import Foundation
import Trips

/// An entity that a query has found, with what was read of it: not to be used beyond the read.
struct QueryMatch {
    let values: RecordQuery.Values
    /// Nil as long as it need not be decoded.
    private let entity: (any DecodedMatch)?
    private let record: UnsafeRawBufferPointer

    init(_ values: RecordQuery.Values, _ entity: (any DecodedMatch)?, _ record: UnsafeRawBufferPointer) {
        self.values = values
        self.entity = entity
        self.record = record
    }

    var id: UUID { values.id }

    /// Bytes of its record.
    var byteCount: Int { record.count }

    /// Appends the entity to a list. Returns whether it has values of apps' fields.
    func append<Entity: TripEntity>(to entities: inout [Entity]) throws -> Bool {
        guard let entity = entity?.entity as? Entity else {
            return try Entity.append(id: id, record: RecordView(record), to: &entities)
        }
        entities.append(entity)
        return !entity.own.isEmpty
    }

    /// What decides the group of an entity that was not decoded: see `RecordQuery.readIdentityBytes`. False if it was decoded.
    func readIdentityBytes(_ keys: [RecordGroupKey], _ query: RecordQuery, into bytes: inout [UInt8]) -> Bool {
        guard entity == nil else { return false }
        query.readIdentityBytes(keys, values, into: &bytes)
        return true
    }

    func identity(_ keys: [RecordGroupKey], _ query: RecordQuery) -> GroupIdentity {
        entity.map { $0.identity(keys) } ?? query.identity(keys, values)
    }

    func measured(_ key: RecordGroupKey, _ query: RecordQuery) -> MeasuredValue? {
        guard let entity else { return query.measured(key, values) }
        return entity.measured(key)
    }

    func groupValue(_ key: RecordGroupKey, _ query: RecordQuery) -> GroupValue {
        entity.map { $0.groupValue(key) } ?? query.groupValue(key, values)
    }

    func sortValues(_ query: RecordQuery) -> RecordQuery.SortValues {
        entity.map { $0.sortValues } ?? query.sortValues(values)
    }
}

/// Decides what the records of a query's entities do not tell.
protocol EntityMatching: Sendable {
    /// The entity of a record that may match; nil if it does not. `isRelated` says so of the entities that belong to it.
    func match(
        _ id: UUID, _ record: borrowing RecordView, isDeleted: (EntityReference) throws -> Bool,
        isRelated: (RelatedCondition, (UInt64) -> EntityReference?) throws -> Bool
    ) throws -> (any DecodedMatch)?
}

/// A decoded entity with its query.
protocol DecodedMatch {
    var entity: Any { get }
    var sortValues: RecordQuery.SortValues { get }
    func identity(_ keys: [RecordGroupKey]) -> GroupIdentity
    func measured(_ key: RecordGroupKey) -> MeasuredValue?
    func groupValue(_ key: RecordGroupKey) -> GroupValue
}

extension CompiledQuery: EntityMatching {
    func match(
        _ id: UUID, _ record: borrowing RecordView, isDeleted: (EntityReference) throws -> Bool,
        isRelated: (RelatedCondition, (UInt64) -> EntityReference?) throws -> Bool
    ) throws -> (any DecodedMatch)? {
        var entity = try Entity(id: Identifier(id), record: record)
        try entity.nullify(where: isDeleted)
        let found = entity
        guard try matches(found, { try isRelated($0) { found.reference(inField: $0) } }), try meetsPredicates(found)
        else { return nil }
        return Decoded(entity: found, query: self)
    }

    private struct Decoded: DecodedMatch {
        let found: Entity
        let query: CompiledQuery

        init(entity: Entity, query: CompiledQuery) {
            found = entity
            self.query = query
        }

        var entity: Any { found }
        var sortValues: RecordQuery.SortValues { query.sortValues(found) }
        func identity(_ keys: [RecordGroupKey]) -> GroupIdentity { query.identity(keys, found) }
        func measured(_ key: RecordGroupKey) -> MeasuredValue? { query.measured(key, found) }
        func groupValue(_ key: RecordGroupKey) -> GroupValue { query.groupValue(key, found) }
    }
}
