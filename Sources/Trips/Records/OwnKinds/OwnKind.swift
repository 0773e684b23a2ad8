package import Events
import Foundation

/// One of the kinds that apps have beside the store's own: a number in the app's namespace.
///
/// In the log all of them have one kind number, and the id of an entity says which it is: a UUID of version 8 that begins with the 5 bytes
/// of the namespace's hash and the number in 1. So keys of views, references and an old version's files have room for them.
package struct OwnKind: Hashable, Sendable {
    /// The first 6 bytes of the ids, as a number.
    private let number: UInt64

    /// Bytes of an id that say the kind.
    package static let prefixSize = 6

    init(_ namespace: Namespace, _ number: UInt8) { self.number = namespace.number(UInt16(number) << 8) >> 8 }

    /// The kind of an app's entity; nil for entities of other kinds.
    package init?(of entity: EntityReference) {
        guard entity.kind.isNamespaced else { return nil }
        self.init(in: entity.id)
    }

    private init?(in id: UUID) {
        let bytes = id.uuid
        guard bytes.6 >> 4 == 8, bytes.5 > 0 else { return nil }
        number = id.bytes.withUnsafeBytes { $0.bigEndian(UInt64.self) } >> 16
    }

    /// From the bytes of `prefix`; nil for others.
    package init?(prefix: some Collection<UInt8>) {
        guard prefix.count == Self.prefixSize, let last = prefix.suffix(1).first, last > 0 else { return nil }
        number = prefix.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// What the ids of the kind begin with.
    package var prefix: [UInt8] { Array(number.bigEndianBytes.suffix(Self.prefixSize)) }

    /// The hash of the namespace, as field numbers have it.
    var namespaceHash: UInt64 { number >> 8 }

    /// An id of the kind with the other bits of another id, of which 74 stay.
    func id(_ other: UUID) -> UUID {
        var bytes = other.bytes
        bytes.replaceSubrange(..<Self.prefixSize, with: prefix)
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { $0.uuid() }
    }

    /// The name of a kind of the store's own; of an app's, which a store alone knows, the hash of the namespace in hexadecimal digits, and the
    /// number in it, as in `2f9a04c117.3`.
    package var name: String { name(in: nil) }

    /// The name that a store has for it: that which its options declare, that which the log has, or the number.
    package func name(in known: KnownSchema?) -> String {
        let kind = ConcreteKind(self)
        return known.declared.schema(of: kind)?.name ?? known.description(kind, 0)?.name ?? hashName
    }

    /// The hash of the namespace in hexadecimal digits, and the number in it.
    var hashName: String { "\(prefix.prefix(5).hexadecimal).\(number & 0xFF)" }
}

/// The kind of an entity, with apps' own kinds told apart.
package struct ConcreteKind: Hashable, Sendable {
    package let kind: EntityKind
    /// Which of the apps'; nil for the store's own, and where the id says none.
    let own: OwnKind?

    /// One of the store's own.
    package init(_ kind: EntityKind) { (self.kind, own) = (kind, nil) }

    package init(_ own: OwnKind) { (kind, self.own) = (.own, own) }

    /// Whether an entity is of the kind.
    @inline(__always)
    package func covers(_ entity: EntityReference) -> Bool {
        entity.kind == kind && (own == nil || own == OwnKind(of: entity))
    }

    package init(_ entity: EntityReference) { (kind, own) = (entity.kind, OwnKind(of: entity)) }

    package init<Entity: TripEntity>(_ type: Entity.Type) { self.init(Entity.schema.erased) }

    init(_ schema: EntitySchema) { (kind, own) = (schema.kind, schema.own) }

    /// The bytes that name it: the kind (2), then what ids of an app's kind begin with.
    package var bytes: [UInt8] { kind.rawValue.bigEndianBytes + (own?.prefix ?? []) }

    /// From these bytes; nil if they name no kind.
    init?(bytes: [UInt8]) {
        guard bytes.count >= 2 else { return nil }
        let kind = EntityKind(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
        if bytes.count == 2 {
            self.init(kind)
        } else {
            guard kind.isNamespaced, let own = OwnKind(prefix: bytes.dropFirst(2)) else { return nil }
            self.init(own)
        }
    }
}

extension EntityKind {
    /// Whether it is the number that all kinds in namespaces share: the ids of their entities say which is meant.
    package var isNamespaced: Bool { self == .own }

    /// Whether a field of the kind is one that this version has without a description, which replaces no others.
    package func hasBuiltIn(_ number: UInt64) -> Bool { !isNamespaced && number <= FieldPath.highestBuiltIn }
}

extension TripEntity {
    package static var concreteKind: ConcreteKind { ConcreteKind(Self.self) }

    /// Whether an entity is of the kind. A type that stands for all kinds in namespaces has none of its own.
    @inline(__always)
    static func covers(_ entity: EntityReference) -> Bool {
        guard entity.kind == kind else { return false }
        guard kind.isNamespaced, let own = schema.erased.own else { return true }
        return OwnKind(of: entity) == own
    }
}

extension EntityReference {
    /// The name of the entity's kind, of an app's its number; nil if this version does not know the kind.
    package var kindName: String? { kindName(in: nil) }

    /// The name that a store has for the entity's kind.
    package func kindName(in known: KnownSchema?) -> String? {
        kind.isNamespaced ? OwnKind(of: self)?.name(in: known) : kind.name
    }

    /// The type of entities of the kind, without the types of apps; nil if this version does not know the kind.
    package var type: (any TripEntity.Type)? {
        guard kind.isNamespaced else { return EntitySchema.of(kind)?.type }
        return OwnKind(of: self).flatMap { StoreKinds.type(of: $0) } ?? DescribedEntity.self
    }

    /// What people call a field of the entity by its number; empty if a store does not know it.
    package func nameOfField(_ number: UInt64, in known: KnownSchema?) -> String {
        known.declared.schema(of: self)?.field(number)?.name ?? known.description(ConcreteKind(self), number)?.name
            ?? ""
    }

    /// Whether a field of the entity is declared in a store.
    package func declares(field: UInt64, in known: KnownSchema?) -> Bool {
        known.declared.schema(of: self)?.field(field) != nil
    }
}

extension EntityReference {
    /// What people call an entity by: field 1, which every kind of the store's own has; of an app's kind only if it is text.
    package func name(_ value: [UInt8]?, in known: KnownSchema?) -> String {
        guard let value else { return "" }
        let type =
            kind.isNamespaced
            ? known.declared.schema(of: self)?.field(1)?.type
                ?? known.description(ConcreteKind(self), 1)?.type.values : nil
        if let type, type != String.self { return "" }
        // Whether it is text is not known where the app is not.
        if kind.isNamespaced, type == nil { return String(validating: value, as: UTF8.self) ?? "" }
        return String(decoding: value, as: UTF8.self)
    }

    package func name(of record: EntityRecord, in known: KnownSchema?) -> String {
        name(record.register(at: FieldPath(field: 1))?.value, in: known)
    }

    /// The name in a record that is read in place.
    package func name(of record: borrowing RecordView, in known: KnownSchema?) throws(WireError) -> String {
        var registers = record.registers
        while let register = try registers.next() {
            // They ascend, and the value of a field comes before its elements.
            guard register.field <= 1 else { break }
            if register.field == 1 {
                return name(register.key.isEmpty ? register.value.map { [UInt8]($0) } : nil, in: known)
            }
        }
        return ""
    }
}
