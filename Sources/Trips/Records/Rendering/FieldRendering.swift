package import Events

/// A field and its value for people and programs, from numbers and bytes.
public struct FieldRendering: Hashable, Sendable {
    /// The field's name, or "field 42" if this version does not know it.
    public let name: String
    /// The value for people; "" if it was cleared, "0x…" if it cannot be read.
    public let text: String
    /// The value for programs; null if it was cleared, `{"base64": …}` if it cannot be read.
    public let value: JSONValue

    package init(name: String, text: String, value: JSONValue) {
        self.name = name
        self.text = text
        self.value = value
    }

    /// Renders any bytes, also of kinds, fields and values that this version cannot read; of one of the store's own kinds.
    package init(kind: EntityKind, field: UInt64, value bytes: [UInt8]?) {
        self.init(ConcreteKind(kind), FieldPath(field: field), value: bytes, in: nil)
    }

    /// Renders a field of an entity, an app's own kinds included, or an element of a collection, whose key is part of the name where
    /// the value does not tell it from others.
    package init(of entity: EntityReference, _ path: FieldPath, value bytes: [UInt8]?) {
        self.init(of: entity, path, value: bytes, in: nil)
    }

    /// Renders bytes of an entity by what a store knows of its kind.
    package init(of entity: EntityReference, _ path: FieldPath, value bytes: [UInt8]?, in known: KnownSchema?) {
        self.init(ConcreteKind(entity), path, value: bytes, in: known)
    }

    private init(_ kind: ConcreteKind, _ path: FieldPath, value bytes: [UInt8]?, in known: KnownSchema?) {
        if !kind.kind.hasBuiltIn(path.field) {
            self = EntitySchema.Field.shown(kind, path.field, in: known).rendering(of: bytes, under: path.key)
            return
        }
        let field = path.field
        if kind.kind == .schema, field == FieldDescription.field {
            let words = bytes.flatMap { FieldDescription.words($0, under: path.key) } ?? ""
            name = "fields" + (path.key.isEmpty ? "" : "[\(path.key.hexadecimal)]")
            text = words
            value = words.isEmpty ? .null : .string(words)
            return
        }
        let schema = EntitySchema.of(kind.kind)?.field(field)
        name = (schema?.name ?? "field \(field)") + (path.key.isEmpty ? "" : "[\(path.key.hexadecimal)]")
        // A known field without bytes counts as cleared.
        guard let bytes, !(schema != nil && bytes.isEmpty) else {
            text = ""
            value = .null
            return
        }
        (text, value) = EntitySchema.Field.value(bytes, schema?.type)
    }
}

extension TripEntity {
    /// The entity as a JSON object: its id, the times of its creation and newest change, and every field by its name. The fields of the
    /// store's namespace are members only where they are written. Apps' fields on it, which a store alone knows, have the hash of the namespace and the
    /// number.
    package var json: JSONValue {
        var members: [String: JSONValue] = ["id": .string(id.description)]
        members["createdAt"] = createdAt?.json
        members["updatedAt"] = updatedAt?.json
        for (name, value) in fieldValues { members[name] = value }
        // What the store adds to few entities is there only where it is written.
        for (name, value) in writtenStoreValues { members[name] = value }
        members["own"] = ownValues(in: nil)
        return .object(members)
    }

    /// Every field by its name, in the order in which people read them.
    package var fieldValues: [(name: String, value: JSONValue)] {
        Self.schema.erased.fields.map { ($0.name, value(of: $0)?.json ?? $0.type.clearedJSON) }
            + Self.listedOwn.map { ($0.name, rendering(of: $0.number, of: own, in: nil).value) }
    }

    /// The value of a field's property; nil where that is nil, or the default of its type.
    func value(of field: EntitySchema.Field) -> (any FieldValue)? {
        let bytes = withUnsafePointer(to: self) { field.storage.encode($0) } ?? field.cleared
        return bytes.flatMap { field.type.decoded($0) }
    }

    /// Apps' own fields by the names that a store knows, others by the hash of the namespace and the number.
    package func ownValues(in known: KnownSchema?) -> JSONValue {
        let own = shownOwn(in: known)
        let numbers = own.numbers.filter { !StoreNamespace.contains(field: $0) }
        let renderings = numbers.map { ($0, rendering(of: $0, of: own, in: known)) }
        var members: [String: JSONValue] = [:]
        for (number, rendering) in renderings {
            // Two apps may give their fields one name.
            let isAlone = renderings.count { $0.1.name == rendering.name } == 1
            let name = isAlone ? rendering.name : FieldPath.ownName(of: number) ?? "field \(number)"
            members[name] = rendering.value
        }
        return .object(members)
    }

    /// Apps' own fields, and those of the store's namespace that are listed with the others, in the order of their numbers.
    package func ownRenderings(in known: KnownSchema?) -> [FieldRendering] {
        let own = shownOwn(in: known)
        return own.numbers.filter { !StoreNamespace.describes(field: $0) }.map { rendering(of: $0, of: own, in: known) }
    }

    private static var listedOwn: [EntitySchema.Field] { schema.erased.added.filter { $0.own?.isDescribed == false } }

    private static var describedOwn: [EntitySchema.Field] { schema.erased.added.filter { $0.own?.isDescribed == true } }

    func rendering(of number: UInt64, of own: OwnValues, in known: KnownSchema?) -> FieldRendering {
        EntitySchema.Field.shown(ConcreteKind(reference), number, of: own, in: known).rendering(in: own)
    }

    /// The fields of the store's namespace that the log describes, by their names, cleared or not.
    package var storeValues: [(name: String, value: JSONValue)] { Self.describedOwn.map { storeValue($0) } }

    private var writtenStoreValues: [(name: String, value: JSONValue)] {
        guard own.hasStoreFields else { return [] }
        let written = own.numbers
        return Self.describedOwn.filter { written.contains($0.number) }.map { storeValue($0) }
    }

    private func storeValue(_ field: EntitySchema.Field) -> (name: String, value: JSONValue) {
        let value = rendering(of: field.number, of: own, in: nil).value
        return (field.name, value == .null ? field.own?.clearedJSON ?? .null : value)
    }

    /// With the values that fields show which replace others.
    private func shownOwn(in known: KnownSchema?) -> OwnValues {
        let evolved = known.declared.schema(of: reference)?.evolvedOwn ?? []
        return evolved.isEmpty ? own : own.shown(evolved)
    }

    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

/// A value of JSON that encodes as itself.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue: Encodable {
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: Key.self)
            for (name, value) in members { try container.encode(value, forKey: Key(stringValue: name)) }
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let value): try Self.encode(value, to: encoder)
        case .integer(let value): try Self.encode(value, to: encoder)
        // JSON has no infinities and no NaN.
        case .number(let value): try Self.encode(value.isFinite ? value : nil, to: encoder)
        case .string(let value): try Self.encode(value, to: encoder)
        case .array(let elements): try Self.encode(elements, to: encoder)
        }
    }

    private static func encode(_ value: some Encodable, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
