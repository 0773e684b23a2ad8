package import Events
package import Foundation

/// A query with what is known of its fields, for asking many entities.
package struct CompiledQuery<Entity: TripEntity> {
    /// A row's values by which rows are sorted, and its id, which decides between equal ones.
    package struct SortValues: Hashable, Sendable {
        let values: [SortValue]
        package let id: UUID
    }

    let query: Query<Entity>
    var sortKeys: [SortKey] { query.sortKeys }
    package var limit: Int? { query.limit }
    /// Whether entities in the order of their ids are in the query's order.
    package var isOrderedByID: Bool { query.sortKeys.isEmpty }
    /// What of the condition is asked of the record, before it is decoded.
    private let onRecord: ConditionNode?
    /// The rest: if a field is a collection, reads as nil while its target is deleted, or replaces others the decoded entity is needed, and
    /// its relations are asked last.
    private let onEntity: ConditionNode?
    /// Whether the record alone does not tell the values of the fields that it reads.
    package let needsEntity: Bool
    /// The fields that it reads, by their numbers, ascending: few, so that walking them is quicker than a dictionary.
    private let numbers: [UInt64]
    private let readings: [Reading]

    /// How a field is read.
    private struct Reading {
        let type: any FieldValue.Type
        /// Whether an app's property has a value for some bytes; nil if it has for all of the type.
        let isReadable: (@Sendable (UnsafeRawBufferPointer) -> Bool)?
        /// The value where the field is cleared, and its text.
        let cleared: OrderedValue?
        let clearedText: String

        func value(_ bytes: UnsafeRawBufferPointer?) -> OrderedValue? {
            guard let bytes, !bytes.isEmpty, isReadable?(bytes) ?? true else { return cleared }
            return type.ordered(bytes) ?? cleared
        }
    }

    /// Reads the fields of `keys` beside those of the query.
    ///
    /// Throws `ValidationError.unknownField` if a property of the query holds no field, or the field is of no kind that can be asked so.
    package init(_ query: Query<Entity>, reading keys: [GroupKey<Entity>] = []) throws(ValidationError) {
        self.query = query
        let schema = query.schema
        var fields: [UInt64: Reading] = [:]
        var decoded: Set<QueriedField> = []
        // Whether an item is there depends on its trip.
        let parent = Entity.kind.isItem ? [QueriedField.field(FieldPath.parent.field)] : []
        let read = query.sortKeys.map(\.field) + keys.map(\.field)
        for field in (query.condition?.fields ?? []) + read + parent {
            switch field {
            case .id, .created, .updated: continue
            case .unknown(let property):
                throw ValidationError(
                    .unknownField,
                    "\(schema.name) has no field for \(property). Ask by one of \(schema.fields.map(\.name).joined(separator: ", "))."
                )
            case .field(let number):
                guard let known = schema.field(number) ?? schema.described(number) else {
                    throw ValidationError(
                        .unknownField, "\(schema.name) has no field \(number). Declare it, or update this program.")
                }
                if known.former != nil || known.collection != nil || known.isNullified { decoded.insert(field) }
                fields[number] = Reading(
                    type: known.type, isReadable: known.isReadable, cleared: known.clearedValue(on: Entity.kind),
                    clearedText: known.clearedText(on: Entity.kind))
            }
        }
        for related in query.condition?.relations ?? [] {
            for kind in related.kinds { try Self.check(related, kind.type) }
        }
        numbers = fields.keys.sorted()
        readings = numbers.compactMap { fields[$0] }
        let conjuncts = query.condition?.conjuncts ?? []
        let split = Dictionary(grouping: conjuncts) { node in
            !node.readsOthers && !node.fields.contains(where: decoded.contains)
        }
        onRecord = split[true].map { .all($0) }
        // Relations, which take longer, last.
        needsEntity =
            split[false] != nil || !query.predicates.isEmpty || read.contains(where: decoded.contains)
            || !schema.nullified.isEmpty
        onEntity = split[false].map { nodes in .all(nodes.filter { !$0.readsOthers } + nodes.filter(\.readsOthers)) }
    }

    private static func check<Related: TripEntity>(
        _ condition: RelatedCondition, _ kind: Related.Type
    ) throws(ValidationError) {
        _ = try CompiledQuery<Related>(condition.query(of: kind))
    }

    // MARK: One entity

    /// The fields of a record as they lie in it: not to be used beyond its read.
    package struct Values {
        package fileprivate(set) var id = Identifier<Entity>(.blank)
        /// In the order of the fields that are read.
        fileprivate var found: [UnsafeRawBufferPointer?] = []
        fileprivate var created: Timestamp?
        fileprivate var updated: Timestamp?

        package init() {}
    }

    /// False only if the record cannot match; true if the decoded entity is needed: then `matches(_:)` decides.
    package func mayMatch(_ values: Values) throws -> Bool {
        try onRecord?.holds(for: RecordSubject(query: self, values: values)) ?? true
    }

    /// Whether an entity whose record may match meets the condition. `isRelated` says so of the entities that belong to it.
    package func matches(_ entity: Entity, _ isRelated: (RelatedCondition) throws -> Bool) throws -> Bool {
        guard let onEntity else { return true }
        return try withoutActuallyEscaping(isRelated) { isRelated in
            try onEntity.holds(for: EntitySubject(query: self, entity: entity, related: isRelated))
        }
    }

    /// The trip of an item, by its record.
    package func trip(_ values: Values) -> Trip.ID? {
        numbers.firstIndex(of: FieldPath.parent.field).flatMap { values.found[$0] }
            .flatMap { EntityReference(fieldValue: $0) }.flatMap { Trip.ID($0) }
    }

    /// The values by which a row is sorted, if the entity is not needed for them.
    package func sortValues(_ values: Values) -> SortValues {
        SortValues(values: query.sortKeys.map { $0.value(value($0.field, values)) }, id: values.id.uuid)
    }

    package func sortValues(_ entity: Entity) -> SortValues {
        SortValues(values: query.sortKeys.map { $0.value(value($0.field, entity)) }, id: entity.id.uuid)
    }

    /// Whether a row comes before another.
    package func isBefore(_ a: SortValues, _ b: SortValues) -> Bool {
        for (index, key) in query.sortKeys.enumerated() {
            let order = key.compare(a.values[index], b.values[index])
            if order != 0 { return order < 0 }
        }
        return a.id < b.id
    }

    /// Reads the fields of a record in place of those of another.
    package func read(
        _ id: Identifier<Entity>, _ record: borrowing RecordView, into values: inout Values
    ) throws(WireError) {
        values.id = id
        if values.found.count != numbers.count {
            values.found = Array(repeating: nil, count: numbers.count)
        } else {
            for index in values.found.indices { values.found[index] = nil }
        }
        values.created = try record.creationTimestamp()
        values.updated = try record.newestTimestamp()
        var registers = record.registers
        // They ascend.
        while let register = try registers.next(), register.field <= numbers.last ?? 0 {
            guard register.key.isEmpty, let index = numbers.firstIndex(of: register.field) else { continue }
            values.found[index] = register.value
        }
    }

    /// The bytes of a text, if they are ASCII: what is searched in without making text of them.
    func text(_ field: QueriedField, _ values: Values) -> UnsafeRawBufferPointer? {
        guard case .field(let number) = field, let index = numbers.firstIndex(of: number),
            readings[index].type is String.Type, readings[index].isReadable == nil, let bytes = values.found[index],
            bytes.isASCII
        else { return nil }
        return bytes
    }

    /// Of a field whose values are all of that type for the query; nil for others, and for ids and times.
    func valueType(_ field: QueriedField) -> (any FieldValue.Type)? {
        guard case .field(let number) = field, let index = numbers.firstIndex(of: number),
            readings[index].isReadable == nil
        else { return nil }
        return readings[index].type
    }

    /// The type of a field's values, their bytes, and the text where it is cleared.
    struct RawValue {
        let bytes: UnsafeRawBufferPointer
        let type: any FieldValue.Type
        let clearedText: String
    }

    func raw(_ number: UInt64, _ values: Values) -> RawValue? {
        numbers.firstIndex(of: number).map { index in
            RawValue(
                bytes: values.found[index] ?? UnsafeRawBufferPointer(start: nil, count: 0), type: readings[index].type,
                clearedText: readings[index].clearedText)
        }
    }

    /// The same of a decoded entity.
    func withRaw<T>(_ number: UInt64, _ entity: Entity, _ body: (RawValue?) -> T) -> T {
        guard let index = numbers.firstIndex(of: number) else { return body(nil) }
        return (encoded(number, entity) ?? []).withUnsafeBytes { bytes in
            body(RawValue(bytes: bytes, type: readings[index].type, clearedText: readings[index].clearedText))
        }
    }

    private func encoded(_ number: UInt64, _ entity: Entity) -> [UInt8]? {
        FieldPath(field: number).isOwn ? entity.own.shown(number, of: Entity.self) : entity.encoded(number)
    }

    func value(_ field: QueriedField, _ values: Values) -> OrderedValue? {
        switch field {
        case .field(let number):
            numbers.firstIndex(of: number).flatMap { readings[$0].value(values.found[$0]) }
        case .id: values.id.ordered
        case .created: values.created?.date.ordered
        case .updated: values.updated?.date.ordered
        case .unknown: nil
        }
    }

    func value(_ field: QueriedField, _ entity: Entity) -> OrderedValue? {
        switch field {
        case .field(let number):
            numbers.firstIndex(of: number).map { readings[$0] }.flatMap { reading in
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
