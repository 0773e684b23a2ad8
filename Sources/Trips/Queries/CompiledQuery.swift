import Events
import Foundation

/// A query with what is known of its fields, for asking decoded entities: what their records alone do not decide.
package struct CompiledQuery<Entity: TripEntity>: Sendable {
    package typealias SortValues = RecordQuery.SortValues

    package let query: Query<Entity>
    /// The same for records.
    package let record: RecordQuery

    /// Reads the fields of `keys` beside those of the query.
    ///
    /// Throws `ValidationError.unknownField` if a property of the query holds no field, or the field is of no kind that can be asked so.
    package init(_ query: Query<Entity>, reading keys: [GroupKey<Entity>] = []) throws(ValidationError) {
        var checked: Set<CheckedCondition> = []
        try self.init(query, reading: keys, &checked)
    }

    private init(
        _ query: Query<Entity>, reading keys: [GroupKey<Entity>], _ checked: inout Set<CheckedCondition>
    ) throws(ValidationError) {
        self.query = query
        // Not by a key path: that of a generic type is made anew for each query, which took a quarter of the time of preparing one.
        record = try RecordQuery(query, reading: keys.map { $0.key.field })
        for related in query.condition?.relations ?? [] {
            for kind in related.kinds where checked.insert(CheckedCondition(related, kind)).inserted {
                try Self.check(related, kind.type, &checked)
            }
        }
    }

    private static func check<Related: TripEntity>(
        _ condition: RelatedCondition, _ kind: Related.Type, _ checked: inout Set<CheckedCondition>
    ) throws(ValidationError) {
        _ = try CompiledQuery<Related>(condition.query(of: kind), reading: [], &checked)
    }

    /// Whether an entity whose record may match meets the condition. `isRelated` says so of the entities that belong to it.
    package func matches(_ entity: Entity, _ isRelated: (RelatedCondition) throws -> Bool) throws -> Bool {
        guard let onEntity = record.onEntity else { return true }
        return try withoutActuallyEscaping(isRelated) { isRelated in
            try onEntity.holds(for: EntitySubject(query: self, entity: entity, related: isRelated))
        }
    }

    package func sortValues(_ entity: Entity) -> SortValues {
        SortValues(values: record.sortKeys.map { $0.value(value($0.field, entity)) }, id: entity.id.uuid)
    }

    /// What `RecordQuery.raw` returns of a record, of a decoded entity.
    func withRaw<T>(_ number: UInt64, _ entity: Entity, _ body: (RecordQuery.RawValue?) -> T) -> T {
        guard let index = record.index(of: number) else { return body(nil) }
        let reading = record.readings[index]
        return (encoded(number, entity) ?? []).withUnsafeBytes { bytes in
            body(RecordQuery.RawValue(bytes: bytes, type: reading.type, clearedText: reading.clearedText))
        }
    }

    private func encoded(_ number: UInt64, _ entity: Entity) -> [UInt8]? {
        FieldPath(field: number).isOwn ? entity.own.shown(number, of: Entity.self) : entity.encoded(number)
    }

    func value(_ field: QueriedField, _ entity: Entity) -> OrderedValue? {
        switch field {
        case .field(let number):
            record.index(of: number).map { record.readings[$0] }.flatMap { reading in
                guard let bytes = encoded(number, entity) else { return reading.cleared }
                return bytes.withUnsafeBytes { reading.value($0) }
            }
        case .id: entity.id.ordered
        case .created: entity.createdAt?.ordered
        case .updated: entity.updatedAt?.ordered
        case .unknown: nil
        }
    }
}

/// A condition on entities of one kind that was compiled: those in it are the same for each kind, and compiling them for each again would
/// take exponentially long.
private struct CheckedCondition: Hashable {
    private let condition: ObjectIdentifier
    private let kind: RelatedKind

    init(_ condition: RelatedCondition, _ kind: RelatedKind) {
        self.condition = ObjectIdentifier(condition)
        self.kind = kind
    }
}
