package import Events
package import Foundation

/// A query by the numbers of fields, for asking many records.
///
/// It has no type of entity: code that is generic over one takes several times as long for each record. A class, for it is handed to
/// each condition of each record.
package final class RecordQuery: Sendable {
    /// A row's values by which rows are sorted, and its id, which decides between equal ones.
    package struct SortValues: Hashable, Sendable {
        let values: [SortValue]
        package let id: UUID
    }

    package let kind: ConcreteKind
    /// Whether the log alone describes the kind.
    let isDescribed: Bool
    let schema: EntitySchema
    let condition: ConditionNode?
    let sortKeys: [SortKey]
    let hasPredicates: Bool
    package let limit: Int?
    /// The most rows to look at without an index; nil for all.
    package let scanLimit: Int?
    /// What of the condition the record decides: conditions on its own fields, and those on other entities, which take longer.
    private let onRecord: ConditionNode?
    private let onOthers: ConditionNode?
    /// The rest: if a field is a collection, reads as nil while its target is deleted, or replaces others the decoded entity is needed. Its
    /// relations are asked last.
    let onEntity: ConditionNode?
    /// Whether the record alone does not tell the values of the fields that it reads.
    package let needsEntity: Bool
    /// The fields that it reads, by their numbers, ascending: few, so that walking them is quicker than a dictionary.
    let numbers: [UInt64]
    let readings: [Reading]
    /// The place of an item's trip among the numbers.
    private let tripIndex: Int?
    private let readsTimes: Bool
    private let makeWords: @Sendable () -> String

    /// How a field is read. A class, as its query.
    final class Reading: Sendable {
        let type: any FieldValue.Type
        /// Whether an app's property has a value for some bytes; nil if it has for all of the type.
        let isReadable: (@Sendable (UnsafeRawBufferPointer) -> Bool)?
        /// The value where the field is cleared, and its text.
        let cleared: OrderedValue?
        let clearedText: String

        init(_ field: EntitySchema.Field, on kind: EntityKind) {
            type = field.type
            isReadable = field.isReadable
            cleared = field.clearedValue(on: kind)
            clearedText = field.clearedText(on: kind)
        }

        func value(_ bytes: UnsafeRawBufferPointer?) -> OrderedValue? {
            guard let bytes, !bytes.isEmpty, isReadable?(bytes) ?? true else { return cleared }
            return type.ordered(bytes) ?? cleared
        }
    }

    /// Reads the fields of `keys` beside those of the query.
    ///
    /// Throws `ValidationError.unknownField` if a property of the query holds no field, or the field is of no kind that can be asked so.
    init<Entity: TripEntity>(
        _ query: Query<Entity>, reading keys: [QueriedField]
    ) throws(ValidationError) {
        let schema = query.schema
        kind = query.concreteKind
        isDescribed = query.described != nil
        self.schema = schema
        condition = query.condition
        sortKeys = query.sortKeys
        hasPredicates = !query.predicates.isEmpty
        limit = query.limit
        scanLimit = query.scanLimit
        makeWords = { query.words }
        var fields: [UInt64: Reading] = [:]
        var decoded: Set<QueriedField> = []
        // Whether an item is there depends on its trip.
        let parent = Entity.kind.isItem ? [QueriedField.field(FieldPath.parent.field)] : []
        let read = query.sortKeys.map(\.field) + keys
        let asked = (query.condition?.fields ?? []) + read + parent
        for field in asked {
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
                fields[number] = Reading(known, on: Entity.kind)
            }
        }
        numbers = fields.keys.sorted()
        readings = numbers.compactMap { fields[$0] }
        tripIndex = parent.isEmpty ? nil : numbers.firstIndex(of: FieldPath.parent.field)
        readsTimes = asked.contains { $0 == .created || $0 == .updated }
        var (own, others, rest): ([ConditionNode], [ConditionNode], [ConditionNode]) = ([], [], [])
        for node in query.condition?.conjuncts ?? [] {
            if node.fields.contains(where: decoded.contains) {
                rest.append(node)
            } else if node.readsOthers {
                others.append(node)
            } else {
                own.append(node)
            }
        }
        onRecord = own.isEmpty ? nil : .all(own)
        onOthers = others.isEmpty ? nil : .all(others)
        onEntity = rest.isEmpty ? nil : .all(rest.filter { !$0.readsOthers } + rest.filter(\.readsOthers))
        needsEntity =
            !rest.isEmpty || hasPredicates || read.contains(where: decoded.contains) || !schema.nullified.isEmpty
    }

    package var kindName: String { schema.name }
    package var entityKind: EntityKind { kind.kind }
    package var ownKind: OwnKind? { kind.own }

    /// The same query with another condition, for choosing an index by it.
    private init(_ query: RecordQuery, where condition: ConditionNode) {
        self.condition = condition
        kind = query.kind
        isDescribed = query.isDescribed
        schema = query.schema
        sortKeys = query.sortKeys
        hasPredicates = query.hasPredicates
        limit = query.limit
        scanLimit = query.scanLimit
        onRecord = query.onRecord
        onOthers = query.onOthers
        onEntity = query.onEntity
        needsEntity = query.needsEntity
        numbers = query.numbers
        readings = query.readings
        tripIndex = query.tripIndex
        readsTimes = query.readsTimes
        makeWords = query.makeWords
    }

    /// The query in words.
    package var words: String { makeWords() }

    /// For each condition of alternatives the queries for these, which together have all entities of this one; for choosing indexes alone.
    package var alternatives: [[RecordQuery]] {
        let nodes = condition?.conjuncts ?? []
        guard nodes.count <= Self.mostConjuncts else { return [] }
        return nodes.indices.compactMap { index in
            guard case .any(let alternatives) = nodes[index], alternatives.count <= Self.mostAlternatives else {
                return nil
            }
            var rest = nodes
            rest.remove(at: index)
            return alternatives.map { RecordQuery(self, where: .all(rest + [$0])) }
        }
    }

    /// More alternatives, or alternatives beside more other conditions, are not planned.
    private static let mostAlternatives = 16
    private static let mostConjuncts = 64

    package var hasNoCondition: Bool { condition == nil && !hasPredicates }

    /// Whether entities in the order of their ids are in the query's order.
    package var isOrderedByID: Bool { sortKeys.isEmpty }

    // MARK: One record

    /// The fields of a record as they lie in it: not to be used beyond its read.
    package struct Values {
        package fileprivate(set) var id = UUID.blank
        /// In the order of the fields that are read.
        fileprivate(set) var found: [UnsafeRawBufferPointer?] = []
        fileprivate(set) var created: Timestamp?
        fileprivate(set) var updated: Timestamp?

        package init() {}
    }

    /// Reads the fields of a record in place of those of another.
    package func read(
        _ id: UUID, _ record: borrowing RecordView, into values: inout Values
    ) throws(WireError) {
        values.id = id
        if values.found.count != numbers.count { values.found = Array(repeating: nil, count: numbers.count) }
        if readsTimes {
            values.created = try record.creationTimestamp()
            values.updated = try record.newestTimestamp()
        }
        var registers = record.registers
        var failure: WireError?
        numbers.withUnsafeBufferPointer { numbers in
            values.found.withUnsafeMutableBufferPointer { found in
                for index in found.indices { found[index] = nil }
                var slot = 0
                do throws(WireError) {
                    // Both ascend.
                    while slot < numbers.count, let register = try registers.next() {
                        while slot < numbers.count, numbers[slot] < register.field { slot += 1 }
                        guard slot < numbers.count else { return }
                        if numbers[slot] == register.field, register.key.isEmpty { found[slot] = register.value }
                    }
                } catch { failure = error }
            }
        }
        if let failure { throw failure }
    }

    /// False only if the record cannot match, by its own fields.
    package func mayMatch(_ values: Values) throws -> Bool {
        guard let onRecord else { return true }
        return try onRecord.holds(for: RecordSubject(query: self, values: values) { _ in false })
    }

    /// Whether the conditions on other entities are met that the record suffices for. `isRelated` says so of one.
    package func isRelated(
        _ values: Values, _ isRelated: (RelatedCondition) throws -> Bool
    ) throws -> Bool {
        guard let onOthers else { return true }
        return try withoutActuallyEscaping(isRelated) { isRelated in
            try onOthers.holds(for: RecordSubject(query: self, values: values, related: isRelated))
        }
    }

    /// The trip of an item, by its record.
    package func trip(_ values: Values) -> UUID? {
        guard let tripIndex, let bytes = values.found[tripIndex] else { return nil }
        return EntityReference.idBytes(in: bytes, of: .trip)?.uuid()
    }

    /// The entity that a field names; nil if it names none.
    package func reference(inField number: UInt64, _ values: Values) -> EntityReference? {
        index(of: number).flatMap { values.found[$0] }.flatMap { EntityReference(fieldValue: $0) }
    }

    /// The values by which a row is sorted, if the entity is not needed for them.
    package func sortValues(_ values: Values) -> SortValues {
        SortValues(values: sortKeys.map { $0.value(value($0.field, values)) }, id: values.id)
    }

    /// Whether a row comes before another.
    package func isBefore(_ a: SortValues, _ b: SortValues) -> Bool {
        for (index, key) in sortKeys.enumerated() {
            let order = key.compare(a.values[index], b.values[index])
            if order != 0 { return order < 0 }
        }
        return a.id < b.id
    }

    // MARK: One field

    func index(of number: UInt64) -> Int? { numbers.firstIndex(of: number) }

    func value(_ field: QueriedField, _ values: Values) -> OrderedValue? {
        switch field {
        case .field(let number): index(of: number).flatMap { readings[$0].value(values.found[$0]) }
        case .id: .bytes(EntityReference(kind: kind.kind, id: values.id).fieldValue)
        case .created: values.created?.date.ordered
        case .updated: values.updated?.date.ordered
        case .unknown: nil
        }
    }

    /// The bytes of a text, if they are ASCII: what is searched in without making text of them.
    func text(_ field: QueriedField, _ values: Values) -> UnsafeRawBufferPointer? {
        guard case .field(let number) = field, let index = index(of: number),
            readings[index].type is String.Type, readings[index].isReadable == nil, let bytes = values.found[index],
            bytes.isASCII
        else { return nil }
        return bytes
    }

    /// Of a field whose values are all of that type for the query; nil for others, and for ids and times.
    func valueType(_ field: QueriedField) -> (any FieldValue.Type)? {
        guard case .field(let number) = field, let index = index(of: number), readings[index].isReadable == nil else {
            return nil
        }
        return readings[index].type
    }

    /// The type of a field's values, their bytes, and the text where it is cleared.
    struct RawValue {
        let bytes: UnsafeRawBufferPointer
        let type: any FieldValue.Type
        let clearedText: String
    }

    func raw(_ number: UInt64, _ values: Values) -> RawValue? {
        index(of: number).map { index in
            RawValue(
                bytes: values.found[index] ?? UnsafeRawBufferPointer(start: nil, count: 0), type: readings[index].type,
                clearedText: readings[index].clearedText)
        }
    }
}
