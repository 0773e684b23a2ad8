package import Events

/// A query by the numbers of fields, for asking many records.
///
/// It has no type of entity: code that is generic over one takes several times as long for each record. A class, for it is handed to
/// each condition of each record.
package final class RecordQuery: Sendable {
    package let kind: ConcreteKind
    /// The kind with the fields by which the query reads it.
    let fields: KnownKind
    let schema: EntitySchema
    /// Whether entities are hidden while their parent is deleted.
    package let isHiddenWithParent: Bool
    let condition: ConditionNode?
    let sortKeys: [SortKey]
    package let limit: Int?
    /// The most rows to look at without an index; nil for all.
    package let scanLimit: Int?
    /// The part of the condition for which `read` suffices, and the rest: first conditions on further values, then those on other entities, which take
    /// longer.
    let onRecord: ConditionNode?
    let onRest: ConditionNode?
    /// The fields of which `read` does not find the values; nil if there are none.
    let further: FurtherFields?
    /// The predicates, evaluated on the decoded entity; nil if there are none.
    package let evaluation: Evaluation?
    /// The fields that it reads, and how.
    let slice: FieldSlice
    let readings: [Reading]
    /// The place of the parent in the slice, of a kind whose parents are of one kind.
    let parentIndex: Int?
    let readsTimes: Bool
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

    /// Reads the fields of `keys` beside those of the query, as a store knows them.
    ///
    /// Throws `ValidationError.unknownField` if a property of the query holds no field, or the field is of no kind that can be asked so.
    package convenience init<Entity: TripEntity>(
        _ query: Query<Entity>, reading keys: [GroupKey<Entity>] = [], in known: KnownSchema?
    ) throws(ValidationError) {
        var (read, declared) = ([QueriedField](), DeclaredFields())
        for key in keys {
            read.append(key.key.field)
            declared.fields += key.declared.fields
        }
        try self.init(query, reading: read, query.kind.known(in: known, declaring: declared))
        var checked: [ObjectIdentifier: Set<KnownKind>] = [:]
        try checkRelations(&checked)
    }

    private init<Entity: TripEntity>(
        _ query: Query<Entity>, reading keys: [QueriedField], _ knownKind: KnownKind
    ) throws(ValidationError) {
        let schema = query.schema
        kind = query.concreteKind
        self.fields = knownKind
        self.schema = schema
        isHiddenWithParent = knownKind.parentRule == .cascade
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
                guard let known = knownKind.field(number) else {
                    throw ValidationError(
                        .unknownField, "\(schema.name) has no field \(number). Declare it, or update this program.")
                }
                if fields[number] == nil { further.add(known, of: schema, isDescribed: knownKind.isDescribed) }
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
                try Self.query(related, of: kind.type, in: known).checkRelations(&checked)
            }
        }
    }

    private static func query<Related: TripEntity>(
        _ condition: RelatedCondition, of kind: Related.Type, in known: KnownSchema?
    ) throws(ValidationError) -> RecordQuery {
        let query = condition.query(of: kind)
        return try RecordQuery(query, reading: [QueriedField](), query.kind.known(in: known))
    }

    /// The schema of the store for which the query was made; nil if it was made for none.
    package var known: KnownSchema? { fields.known }
    /// Whether the log alone describes the kind.
    var isDescribed: Bool { fields.isDescribed }

    package var kindName: String { schema.name }
    package var entityKind: EntityKind { kind.kind }
    package var ownKind: OwnKind? { kind.own }
    package var parents: ParentKinds { schema.parents }
    /// Whether some entities are in no list.
    package var hasUnlisted: Bool { schema.unlisted != nil }

    /// The query in words.
    package var words: String { makeWords() }

    package var hasNoCondition: Bool { condition == nil && evaluation == nil }

    /// Whether entities in the order of their ids are in the query's order.
    package var isOrderedByID: Bool { sortKeys.isEmpty }
}
