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
    /// What the store knows for which the query was made; nil if it was made for none.
    package let known: KnownSchema?
    /// Whether the log alone describes the kind.
    let isDescribed: Bool
    let schema: EntitySchema
    let condition: ConditionNode?
    let sortKeys: [SortKey]
    package let limit: Int?
    /// The most rows to look at without an index; nil for all.
    package let scanLimit: Int?
    /// The part of the condition for which `read` suffices, and the rest: first conditions on further values, then those on other entities, which take
    /// longer.
    private let onRecord: ConditionNode?
    private let onRest: ConditionNode?
    /// The fields of which `read` does not find the values; nil if there are none.
    let further: FurtherFields?
    /// The predicates, evaluated on the decoded entity; nil if there are none.
    package let evaluation: Evaluation?
    /// The fields that it reads, and how.
    let slice: FieldSlice
    let readings: [Reading]
    /// The place of the parent in the slice, of a kind whose parents are of one kind.
    private let parentIndex: Int?
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
    package convenience init<Entity: TripEntity>(
        _ query: Query<Entity>, reading keys: [GroupKey<Entity>] = []
    ) throws(ValidationError) {
        // Not by a key path: that of a generic type is made anew for each query, which took a quarter of the time of preparing one.
        try self.init(query, reading: keys.map { $0.key.field })
        var checked: [ObjectIdentifier: Set<KnownKind>] = [:]
        try checkRelations(&checked)
    }

    private init<Entity: TripEntity>(_ query: Query<Entity>, reading keys: [QueriedField]) throws(ValidationError) {
        let schema = query.schema
        kind = query.concreteKind
        known = query.kind.known
        isDescribed = query.kind.isDescribed
        self.schema = schema
        condition = query.condition
        sortKeys = query.sortKeys
        limit = query.limit
        scanLimit = query.scanLimit
        evaluation = query.evaluation
        makeWords = { query.words }
        var fields: [UInt64: Reading] = [:]
        var further = FurtherFields()
        // Whether an entity is there depends on its parent.
        let parent =
            if case .one = schema.parents { [QueriedField.field(FieldPath.parent.field)] } else { [QueriedField]() }
        let asked = ((query.condition?.fields ?? []) + query.sortKeys.map(\.field) + keys + parent).flatMap(\.parts)
        for field in asked {
            switch field {
            case .id, .created, .updated, .creation, .either: continue
            case .unknown(let property):
                throw ValidationError(
                    .unknownField,
                    "\(schema.name) has no field for \(property). Ask by one of \(schema.fields.map(\.name).joined(separator: ", "))."
                )
            case .field(let number):
                guard let known = query.kind.field(number) else {
                    throw ValidationError(
                        .unknownField, "\(schema.name) has no field \(number). Declare it, or update this program.")
                }
                if fields[number] == nil { further.add(known, of: schema, isDescribed: isDescribed) }
                fields[number] = Reading(known, on: Entity.kind)
            }
        }
        slice = FieldSlice(fields.keys.sorted())
        readings = slice.numbers.compactMap { fields[$0] }
        parentIndex = parent.isEmpty ? nil : slice.index(of: FieldPath.parent.field)
        readsTimes = asked.contains { [.created, .updated, .creation].contains($0) }
        self.further = further.isEmpty ? nil : further
        var (own, later, others): ([ConditionNode], [ConditionNode], [ConditionNode]) = ([], [], [])
        for node in query.condition?.conjuncts ?? [] {
            if node.readsOthers {
                others.append(node)
            } else if node.fields.flatMap(\.parts).contains(where: further.contains) {
                later.append(node)
            } else {
                own.append(node)
            }
        }
        onRecord = own.isEmpty ? nil : .all(own)
        onRest = later.isEmpty && others.isEmpty ? nil : .all(later + others)
    }

    /// Checks the conditions on other entities. Each once for a kind: those in it are the same for each kind, and checking them for each again
    /// would take exponentially long.
    private func checkRelations(_ checked: inout [ObjectIdentifier: Set<KnownKind>]) throws(ValidationError) {
        for related in condition?.relations ?? [] {
            for kind in related.kinds where checked[ObjectIdentifier(related), default: []].insert(kind).inserted {
                try Self.query(related, of: kind.type).checkRelations(&checked)
            }
        }
    }

    private static func query<Related: TripEntity>(
        _ condition: RelatedCondition, of kind: Related.Type
    ) throws(ValidationError) -> RecordQuery {
        try RecordQuery(condition.query(of: kind), reading: [QueriedField]())
    }

    package var kindName: String { schema.name }
    package var entityKind: EntityKind { kind.kind }
    package var ownKind: OwnKind? { kind.own }
    package var parents: ParentKinds { schema.parents }
    /// Whether entities are hidden while their parent is deleted.
    package var isHiddenWithParent: Bool { schema.parentRule == .cascade }
    /// Whether some entities are in no list.
    package var hasUnlisted: Bool { schema.unlisted != nil }

    /// The query in words.
    package var words: String { makeWords() }

    package var hasNoCondition: Bool { condition == nil && evaluation == nil }

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
        /// Nil unless the query reads such values.
        fileprivate(set) var further: FurtherValues?

        package init() {}
    }

    /// Reads the fields of a record in place of those of another.
    package func read(
        _ id: UUID, _ record: borrowing RecordView, into values: inout Values
    ) throws(WireError) {
        values.id = id
        if values.found.count != readings.count { values.found = Array(repeating: nil, count: readings.count) }
        if readsTimes {
            values.created = try record.creationTimestamp()
            values.updated = try record.newestTimestamp()
        }
        let registers = record.registers
        var failure: WireError?
        values.found.withUnsafeMutableBufferPointer { found in
            for index in found.indices { found[index] = nil }
            do throws(WireError) { try slice.read(registers, into: found) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Whether a record meets what the condition says of fields that `read` finds.
    package func mayMatch(_ values: Values) throws -> Bool {
        guard let onRecord else { return true }
        return try onRecord.holds(for: RecordSubject(query: self, values: values) { _ in false })
    }

    /// Whether it reads fields of which `read` does not find the values.
    package var readsFurther: Bool { further != nil }

    /// Reads the further values of a record that may match. `isDeleted` says whether an entity, or what it belongs to, is deleted.
    package func readFurther(
        _ record: borrowing RecordView, into values: inout Values, _ isDeleted: (EntityReference) throws -> Bool
    ) throws {
        guard let further else { return }
        if !isKnownUniquelyReferenced(&values.further) { values.further = FurtherValues() }
        try values.further?.read(further, record, isDeleted)
        for field in further.evolved {
            guard let index = index(of: field.number), let found = values.further,
                let shown = found.shown(field), shown.origin != field.number
            else { continue }
            values.found[index] = shown.value.map { found.keep($0) }
        }
        for number in further.nullified {
            guard let index = index(of: number), readings[index].value(values.found[index]) != nil,
                let target = values.found[index].flatMap({ EntityReference(fieldValue: $0) }), try isDeleted(target)
            else { continue }
            values.found[index] = nil
        }
    }

    /// Whether a record that may match meets the rest of the condition. `isRelated` says whether a condition on other entities is met.
    package func matches(_ values: Values, _ isRelated: (RelatedCondition) throws -> Bool) throws -> Bool {
        guard let onRest else { return true }
        return try withoutActuallyEscaping(isRelated) { isRelated in
            try onRest.holds(for: RecordSubject(query: self, values: values, isRelated: isRelated))
        }
    }

    /// The parent, by the record of an entity of a kind whose parents are of one kind.
    package func parent(_ values: Values) -> EntityReference? {
        guard let parentIndex, case .one(let kind) = schema.parents, let bytes = values.found[parentIndex] else {
            return nil
        }
        return EntityReference.idBytes(in: bytes, of: kind).map { EntityReference(kind: kind, id: $0.uuid()) }
    }

    /// The entity that a field names; nil if it names none.
    package func reference(inField number: UInt64, _ values: Values) -> EntityReference? {
        bytes(.field(number), values).flatMap { EntityReference(fieldValue: $0) }
    }

    /// The values by which a row is sorted.
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

    func index(of number: UInt64) -> Int? { slice.index(of: number) }

    /// The bytes of a field; nil if it is cleared, and for ids and times.
    func bytes(_ field: QueriedField, _ values: Values) -> UnsafeRawBufferPointer? {
        guard case .field(let number) = field else { return nil }
        return index(of: number).flatMap { values.found[$0] }
    }

    func value(_ field: QueriedField, _ values: Values) -> OrderedValue? {
        switch field {
        case .field(let number): index(of: number).flatMap { readings[$0].value(values.found[$0]) }
        case .id: .bytes(EntityReference(kind: kind.kind, id: values.id).fieldValue)
        case .created: values.created?.date.ordered
        case .updated: values.updated?.date.ordered
        case .creation: values.created.map { .integer(Int64(clamping: $0.rawValue)) }
        case .either(let first, let other): value(.field(first), values) ?? value(.field(other), values)
        case .unknown: nil
        }
    }

    /// How a field is read; nil for ids and times.
    func reading(_ field: QueriedField) -> Reading? {
        guard case .field(let number) = field else { return nil }
        return index(of: number).map { readings[$0] }
    }
}
