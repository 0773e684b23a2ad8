package import Events
import Foundation

/// The name of an app's own field and the type of its values, or the name of an app's own kind, as the log has them: so that tools, and
/// replicas without the app, show them by name. The merge never reads it.
package struct FieldDescription: Hashable, Sendable {
    let concreteKind: ConcreteKind
    /// The number in the log; 0 for what describes the kind itself.
    package let number: UInt64
    /// The app's namespace.
    package private(set) var namespace: String
    package private(set) var name: String
    /// The type of the value; of a collection, of its elements, and of a map of its values.
    package private(set) var type: OwnFieldType
    package private(set) var shape: OwnFieldShape
    /// The type of a map's keys; `data` for all others.
    package private(set) var keyType: OwnFieldType
    /// Whether searches look at it: see `OwnField`.
    package private(set) var isSearched: Bool

    /// On which kind of entity.
    package var kind: EntityKind { concreteKind.kind }
    /// On which of the apps' own kinds; nil on others.
    package var ownKind: OwnKind? { concreteKind.own }
    /// Whether it describes a field of an entity.
    package func isOfField(of entity: EntityReference) -> Bool { !isOfKind && concreteKind == ConcreteKind(entity) }
    /// The hash of its namespace, as numbers have it: that of the field, or for the kind and the fields of its schema that of the kind.
    var namespaceHash: UInt64? { UsedPart(kind: concreteKind, number: number).namespace }
    /// Whether it describes a field of the store's own namespace on one of its first kinds.
    package var isOfStore: Bool { StoreNamespace.contains(field: number) }
    /// Whether it describes the kind, and none of its fields.
    package var isOfKind: Bool { number == 0 }

    /// On one of the store's own kinds.
    package init(
        kind: EntityKind, number: UInt64, namespace: String, name: String, type: OwnFieldType,
        shape: OwnFieldShape = .value, keyType: OwnFieldType = .data
    ) {
        self.init(
            of: ConcreteKind(kind), number: number, namespace: namespace, name: name, type: type, shape: shape,
            keyType: keyType)
    }

    init(
        of kind: ConcreteKind, number: UInt64, namespace: String, name: String, type: OwnFieldType,
        shape: OwnFieldShape = .value, keyType: OwnFieldType = .data, isSearched: Bool = false
    ) {
        concreteKind = kind
        self.number = number
        self.namespace = namespace
        self.name = name
        self.type = type
        self.shape = shape
        self.keyType = keyType
        self.isSearched = isSearched
    }
}

extension FieldDescription {
    /// A field in a namespace, or one of the schema of an app's kind in its `namespace`.
    init(of kind: ConcreteKind, _ field: EntitySchema.Field, in namespace: Namespace = .store) {
        self.init(
            of: kind, number: field.number, namespace: (field.own?.namespace ?? namespace).name, name: field.name,
            type: OwnFieldType(field.type), shape: field.collection?.shape ?? .value,
            keyType: field.collection?.keyType.map { OwnFieldType($0) } ?? .data, isSearched: field.search == .ofApp)
    }
}

// MARK: In the log

/// All descriptions of a journal are elements of one field of one entity: the specification has it as SchemaField.
extension FieldDescription {
    /// The entity: one for all journals, so that replicas that describe fields apart write to the same one.
    package static let entity = EntityReference(
        kind: .schema, id: UUID(uuid: (0x66, 0x69, 0x65, 0x6C, 0x64, 0x73, 0x80, 0, 0x80, 0, 0, 0, 0, 0, 0, 0)))

    /// The field whose elements are the descriptions.
    static let field: UInt64 = 3

    /// The kind (2 bytes, for an app's own kind followed by the first 6 of its ids), then the number (8), most significant bytes first.
    var path: FieldPath { FieldPath(field: Self.field, key: concreteKind.bytes + number.bigEndianBytes) }

    var value: [UInt8] {
        var writer = WireWriter()
        if !namespace.isEmpty { writer.string(1, namespace) }
        if !name.isEmpty { writer.string(2, name) }
        if type.rawValue != 0 { writer.varint(3, UInt64(type.rawValue)) }
        if shape != .value { writer.varint(4, UInt64(shape.rawValue)) }
        if keyType.rawValue != 0 { writer.varint(5, UInt64(keyType.rawValue)) }
        if isSearched { writer.varint(6, 1) }
        return writer.finish()
    }

    /// Nil for what describes no own field. Total: others may have written anything.
    package init?(_ path: FieldPath, _ value: [UInt8]?) {
        guard path.field == Self.field, let value, let (kind, number) = Self.parts(ofKey: path.key),
            number <= FieldPath.highestField
        else { return nil }
        self.init(of: kind, number, parsing: value)
        // Who describes it must have the namespace: that of the field, or for the fields of an app's kind that of the kind.
        guard Namespace(namespace).number(0) >> 16 == namespaceHash else { return nil }
    }

    private static func parts(ofKey key: [UInt8]) -> (ConcreteKind, UInt64)? {
        guard key.count == 10 || key.count == 10 + OwnKind.prefixSize,
            let kind = ConcreteKind(bytes: key.dropLast(8))
        else { return nil }
        return (kind, key.suffix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Nil for bytes that are no description.
    private init?(of kind: ConcreteKind, _ number: UInt64, parsing value: [UInt8]) {
        self.init(of: kind, number: number, namespace: "", name: "", type: .data)
        let isReadable = value.withUnsafeBytes { bytes in
            var reader = WireReader(bytes)
            do throws(WireError) {
                while let field = try reader.next() {
                    switch field.number {
                    case 1: namespace = try reader.text(field, strictly: false)
                    case 2: name = try reader.text(field, strictly: false)
                    case 3: type = OwnFieldType(rawValue: try reader.uint32(field))
                    case 4: shape = OwnFieldShape(rawValue: try reader.uint32(field))
                    case 5: keyType = OwnFieldType(rawValue: try reader.uint32(field))
                    case 6: isSearched = try reader.uint32(field) != 0
                    default: try reader.skip(field)
                    }
                }
                return true
            } catch { return false }
        }
        guard isReadable, !name.isEmpty else { return nil }
    }

    /// The bytes of a description in words; nil if they are none.
    static func words(_ value: [UInt8], under key: [UInt8]) -> String? {
        // The kind does not matter: the words do not name it.
        let (kind, number) = parts(ofKey: key) ?? (ConcreteKind(.schema), Self.field)
        return FieldDescription(of: kind, number, parsing: value).map {
            "\($0.name): \($0.isOfKind ? "kind" : $0.typeWords), of \($0.namespace)"
        }
    }

    /// "text", "set of text", "map from text to flag".
    private var typeWords: String {
        switch shape {
        case .value: "\(type)"
        case .counter: "counter"
        case .map: "map from \(keyType) to \(type)"
        default: "\(shape) of \(type)"
        }
    }

    /// Those that a record has.
    package static func all(in record: EntityRecord?) -> [FieldDescription] {
        record?.registers.compactMap { FieldDescription($0.path, $0.value) } ?? []
    }

    /// The event that makes a record say this; nil if it does.
    package static func event(writing descriptions: [FieldDescription], over record: EntityRecord?) -> Event? {
        var changes: [FieldPath: Change] = [:]
        for description in descriptions {
            let held = record?.register(at: description.path)
            guard held?.value != description.value else { continue }
            changes[description.path] = Change(
                path: description.path, value: description.value, seen: held.map { Seen($0.stamp) })
        }
        guard !changes.isEmpty else { return nil }
        return Event(
            verb: record?.creation == nil ? .created : .edited, entity: entity,
            changes: changes.sorted { $0.key < $1.key }.map(\.value))
    }
}
