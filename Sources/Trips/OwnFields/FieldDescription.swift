public import Events
import Foundation

/// The name of an app's own field and the type of its values, as the log has them: so that tools, and replicas without the app, show
/// the field by its name. The merge never reads it.
public struct FieldDescription: Hashable, Sendable {
    /// On which kind of entity.
    public let kind: EntityKind
    /// The number in the log.
    package let number: UInt64
    /// The app's namespace.
    public let namespace: String
    public let name: String
    /// Of the value; of a collection, of its elements, and of a map of its values.
    public let type: OwnFieldType
    public let shape: OwnFieldShape
    /// The type of a map's keys; `data` for all others.
    public let keyType: OwnFieldType

    package init(
        kind: EntityKind, number: UInt64, namespace: String, name: String, type: OwnFieldType,
        shape: OwnFieldShape = .value, keyType: OwnFieldType = .data
    ) {
        self.kind = kind
        self.number = number
        self.namespace = namespace
        self.name = name
        self.type = type
        self.shape = shape
        self.keyType = keyType
    }
}

/// A field of which the log may have a description: an `OwnField`, `OwnSet`, `OwnMap`, `OwnList` or `OwnCounter`.
public protocol DescribedField: Sendable {
    var fieldDescription: FieldDescription { get }
}

// MARK: In the log

/// All descriptions of a journal are elements of one field of one entity: `trips.proto` specifies it as SchemaField.
extension FieldDescription {
    /// The entity: one for all journals, so that replicas that describe fields apart write to the same one.
    package static let entity = EntityReference(
        kind: .schema, id: UUID(uuid: (0x66, 0x69, 0x65, 0x6C, 0x64, 0x73, 0x80, 0, 0x80, 0, 0, 0, 0, 0, 0, 0)))

    /// The field whose elements are the descriptions.
    static let field: UInt64 = 3

    /// The kind (2 bytes), then the number (8), most significant bytes first.
    var path: FieldPath { FieldPath(field: Self.field, key: kind.rawValue.bigEndianBytes + number.bigEndianBytes) }

    var value: [UInt8] {
        var writer = WireWriter()
        if !namespace.isEmpty { writer.string(1, namespace) }
        if !name.isEmpty { writer.string(2, name) }
        if type.rawValue != 0 { writer.varint(3, UInt64(type.rawValue)) }
        if shape != .value { writer.varint(4, UInt64(shape.rawValue)) }
        if keyType.rawValue != 0 { writer.varint(5, UInt64(keyType.rawValue)) }
        return writer.finish()
    }

    /// Nil for what describes no own field. Total: others may have written anything.
    package init?(_ path: FieldPath, _ value: [UInt8]?) {
        guard path.field == Self.field, path.key.count == 10, let value else { return nil }
        let (kind, number) = path.key.withUnsafeBytes {
            (EntityKind(rawValue: $0.bigEndian(UInt16.self)), $0.bigEndian(UInt64.self, at: 2))
        }
        guard FieldPath(field: number).isOwn, number <= FieldPath.highestField, let parts = Self.parts(of: value),
            Namespace(parts.namespace).number(0) >> 16 == number >> 16
        else { return nil }
        self.init(
            kind: kind, number: number, namespace: parts.namespace, name: parts.name, type: parts.type,
            shape: parts.shape, keyType: parts.keyType)
    }

    private struct Parts {
        var namespace = ""
        var name = ""
        var type = OwnFieldType.data
        var shape = OwnFieldShape.value
        var keyType = OwnFieldType.data

        /// "text", "set of text", "map from text to flag".
        var typeWords: String {
            switch shape {
            case .value: "\(type)"
            case .counter: "counter"
            case .map: "map from \(keyType) to \(type)"
            default: "\(shape) of \(type)"
            }
        }
    }

    /// What the bytes of a description say; nil if they are none.
    private static func parts(of value: [UInt8]) -> Parts? {
        var parts = Parts()
        do throws(WireError) {
            try value.withUnsafeBytes { bytes in
                Result { () throws(WireError) in
                    var reader = WireReader(bytes)
                    while let field = try reader.next() {
                        switch field.number {
                        case 1: parts.namespace = try reader.text(field, strictly: false)
                        case 2: parts.name = try reader.text(field, strictly: false)
                        case 3: parts.type = OwnFieldType(rawValue: try reader.uint32(field))
                        case 4: parts.shape = OwnFieldShape(rawValue: try reader.uint32(field))
                        case 5: parts.keyType = OwnFieldType(rawValue: try reader.uint32(field))
                        default: try reader.skip(field)
                        }
                    }
                }
            }.get()
        } catch { return nil }
        return parts.name.isEmpty ? nil : parts
    }

    /// The bytes of a description in words; nil if they are none.
    static func words(_ value: [UInt8]) -> String? {
        parts(of: value).map { "\($0.name): \($0.typeWords), of \($0.namespace)" }
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

    /// Shows such fields by their names in this process from now on, unless it declares them itself.
    package static func use(_ descriptions: [FieldDescription]) {
        for description in descriptions { OwnFieldRegistry.shared.note(description) }
    }
}
