import Events

/// Which entities an index has, and in which order: all that its rows depend on, so that every process can keep it up to date.
package struct IndexDefinition: Hashable, Sendable {
    package let kind: ConcreteKind
    let fields: [IndexedField]

    /// Of keys with three texts there is room for the ids.
    static let mostFields = 3
    /// The version of the keys' encoding.
    private static let format: UInt8 = 1

    init<Entity: TripEntity>(_ type: Entity.Type, _ fields: [IndexedField]) {
        self.init(kind: ConcreteKind(Entity.self), fields)
    }

    init(kind: ConcreteKind, _ fields: [IndexedField]) {
        self.kind = kind
        self.fields = fields
    }

    /// Format (1), version of the folding of text (4), length of the kind (1) and the kind, then the fields.
    package var bytes: [UInt8] {
        [Self.format] + TextFolding.version.bigEndianBytes + [UInt8(kind.bytes.count)] + kind.bytes
            + fields.flatMap(\.bytes)
    }

    /// From the bytes; nil if this version does not make the same rows from them.
    package init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard reader.byte() == Self.format, reader.number(4) == UInt64(TextFolding.version),
            let count = reader.byte(), let kind = reader.bytes(Int(count)).flatMap({ ConcreteKind(bytes: $0) })
        else { return nil }
        self.kind = kind
        var fields: [IndexedField] = []
        while !reader.isAtEnd {
            guard let field = IndexedField(&reader, of: kind) else { return nil }
            fields.append(field)
        }
        guard (1...Self.mostFields).contains(fields.count) else { return nil }
        self.fields = fields
    }

    /// In words, with the names that a store knows.
    package func name(in known: KnownSchema?) -> String {
        let schema = known.declared.schema(of: kind) ?? kind.own.map { KnownKind($0, in: known).schema }
        let names = fields.map { field in
            (schema?.field(field.number)?.name ?? "field \(field.number)") + (field.isNatural ? " as people do" : "")
        }
        return "\(schema?.name ?? "kind \(kind.bytes.hexadecimal)") by \(names.joined(separator: ", "))"
    }

    /// Whether entities whose first field is cleared are left out: those that name no other.
    /// Of addresses, which are in the order of their cells, those without a place.
    var isSparse: Bool {
        if case .reference? = fields.first?.type.form { return true }
        return fields.first.map { $0.ownType == .reference || $0.isPlace } ?? false
    }
}

/// A field of an index.
struct IndexedField: Hashable, Sendable {
    let number: UInt64
    /// Whether text is in the order in which people expect names.
    let isNatural: Bool
    /// The type of an app's own field.
    let ownType: OwnFieldType?
    /// The bytes of the value that an app's property has where the field is cleared.
    let cleared: [UInt8]?
    let type: any FieldValue.Type
    private let clearedValue: OrderedValue?

    struct Refusal: Error { let words: String }

    private init(
        _ number: UInt64, _ isNatural: Bool, _ ownType: OwnFieldType?, cleared: [UInt8]?, type: any FieldValue.Type
    ) {
        self.number = number
        self.isNatural = isNatural
        self.ownType = ownType
        self.cleared = cleared
        self.type = type
        clearedValue =
            ownType == nil
            ? type.clearedOrder : cleared.map { type.ordered(ofWritten: $0) }
    }

    static func of(_ field: QueriedField, _ isNatural: Bool, _ kind: KnownKind) -> Result<IndexedField, Refusal> {
        guard case .field(let number) = field, let known = kind.field(number) else {
            if case .unknown(let property) = field { return .failure(Refusal(words: "has no field for \(property)")) }
            return .failure(Refusal(words: "has no such field"))
        }
        if known.collection != nil { return .failure(Refusal(words: "has several values in '\(known.name)'")) }
        if known.former != nil { return .failure(Refusal(words: "has a field '\(known.name)' that replaces others")) }
        if kind.schema.nullified.contains(number) {
            return .failure(Refusal(words: "has '\(known.name)', which reads as nil while its target is deleted"))
        }
        if isNatural, !(known.type is String.Type) { return .failure(Refusal(words: "has no text in '\(known.name)'")) }
        guard kind.own != nil || FieldPath(field: number).isOwn else {
            return .success(IndexedField(number, isNatural, nil, cleared: nil, type: known.type))
        }
        let type = OwnFieldType(known.type)
        guard let values = type.values, values == known.type || type == .reference else {
            return .failure(Refusal(words: "has a type in '\(known.name)' that has no order"))
        }
        return .success(IndexedField(number, isNatural, type, cleared: known.cleared, type: values))
    }

    /// Number (8), flags (1: natural, 2: an app's own, 4: has a value where it is cleared); of an app's own the type (4), and the
    /// length (2) and the bytes of that value.
    var bytes: [UInt8] {
        number.bigEndianBytes + [(isNatural ? 1 : 0) | (ownType != nil ? 2 : 0) | (cleared != nil ? 4 : 0)]
            + (ownType?.rawValue.bigEndianBytes ?? [])
            + (cleared.map { UInt16(clamping: $0.count).bigEndianBytes + $0 } ?? [])
    }

    init?(_ reader: inout ByteReader, of kind: ConcreteKind) {
        guard let number = reader.number(8), let flags = reader.byte() else { return nil }
        var ownType: OwnFieldType?
        var cleared: [UInt8]?
        if flags & 2 != 0 {
            guard let raw = reader.number(4) else { return nil }
            ownType = OwnFieldType(rawValue: UInt32(truncatingIfNeeded: raw))
        }
        if flags & 4 != 0 {
            guard let count = reader.number(2), let bytes = reader.bytes(Int(count)) else { return nil }
            cleared = bytes
        }
        guard let type = ownType.map(\.values) ?? EntitySchema.of(kind.kind)?.field(number)?.type else { return nil }
        self.init(number, flags & 1 != 0, ownType, cleared: cleared, type: type)
    }

    /// Whether its values are addresses, and their order that of the cells in which their places are.
    var isPlace: Bool { type == Address.self }

    func value(_ bytes: UnsafeRawBufferPointer?) -> OrderedValue? {
        guard !isPlace else {
            return bytes.flatMap { GlobePoint(address: $0) }.map { GlobeCell.ordered(GlobeCell.number($0)) }
        }
        return type.ordered(bytes) ?? clearedValue
    }

    /// Whether another one has the same rows but for cleared fields.
    func isSameButForDefault(as other: IndexedField) -> Bool {
        number == other.number && isNatural == other.isNatural && ownType == other.ownType
    }

    static func == (a: IndexedField, b: IndexedField) -> Bool {
        a.number == b.number && a.isNatural == b.isNatural && a.ownType == b.ownType && a.cleared == b.cleared
    }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
