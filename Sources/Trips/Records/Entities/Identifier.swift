public import Events
public import Foundation

internal import struct Crypto.SHA256

/// The id of one kind of entity: that of a book is not that of a note, though both are UUIDs.
public struct Identifier<Entity>: Hashable, Comparable, Sendable {
    /// The id without its kind.
    public let uuid: UUID

    /// An id made elsewhere; any UUID is valid, but for ids of an app's own kind, which begin with what names it.
    public init(_ uuid: UUID) { self.uuid = uuid }

    /// The id in the last 16 bytes of a key, where keys of views mostly have it; nil if there are fewer.
    public init?(endOf key: some Collection<UInt8>) {
        guard key.count >= 16 else { return nil }
        uuid = Array(key.suffix(16)).withUnsafeBytes { $0.uuid() }
    }

    /// By their bytes, which for ids of version 7 is creation order.
    public static func < (a: Identifier, b: Identifier) -> Bool { a.uuid < b.uuid }
}

extension Identifier: TextCoded {
    /// From the usual text of a UUID, in either case; nil for anything else.
    public init?(_ text: String) {
        guard let uuid = UUID(uuidString: text) else { return nil }
        self.uuid = uuid
    }

    /// The usual text of the UUID, in upper case.
    public var description: String { uuid.uuidString }
}

extension Identifier where Entity: TripEntity {
    /// A new id: a UUID of version 7 (RFC 9562, section 5.7), so that later ids sort later. Of an app's own kind it is one of version 8,
    /// random but for what names the kind.
    ///
    /// Moments before 1970 count as 1970, those beyond 48 bits of milliseconds as the last.
    public static func new(at date: Date = .now) -> Identifier {
        var generator = SystemRandomNumberGenerator()
        return new(at: date, using: &generator)
    }

    /// A new id with the caller's clock and randomness: the same ids for the same numbers.
    public static func new(at date: Date, using generator: inout some RandomNumberGenerator) -> Identifier {
        let milliseconds = min(UInt64(max(0, date.milliseconds)), 1 << 48 - 1)
        let high = milliseconds << 16 | 0x7000 | generator.next() & 0x0FFF
        let low = 0x8000_0000_0000_0000 | generator.next() & 0x3FFF_FFFF_FFFF_FFFF
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { target in
            target.storeBytes(of: high.bigEndian, as: UInt64.self)
            target.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return Identifier(UUID(uuid: bytes)).ofKind
    }

    /// The id of what another system knows under an id of its own: the same on every replica, so that several that bring the same thing
    /// write to one entity. Uniqueness by any other field cannot survive a merge.
    ///
    /// Texts are taken byte by byte: one that a provider spells with other characters that look the same gives another id.
    ///
    /// A UUID of version 8 (RFC 9562, section 5.8) of the first bytes of the SHA-256 of: the kind (2 bytes, most significant first; of an
    /// app's own kind then what its ids begin with),
    /// the UTF-8 of the provider, a zero byte, and the UTF-8 of the external id. O(bytes).
    ///
    /// - Parameters:
    ///   - provider: the other system, by a domain or another name without a zero byte.
    ///   - externalID: its id there, which never changes.
    public static func derived(from provider: String, _ externalID: String) -> Identifier {
        var hash = SHA256()
        hash.update(data: ConcreteKind(Entity.self).bytes + Array(provider.utf8) + [0] + Array(externalID.utf8))
        var bytes = Array(hash.finalize().prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return Identifier(bytes.withUnsafeBytes { $0.uuid() }).ofKind
    }

    /// The id with what names its kind, if that is an app's own.
    var ofKind: Identifier { Entity.schema.erased.own.map { Identifier($0.id(uuid)) } ?? self }

    /// Whether the id begins with what names its kind, if that is an app's own.
    package var isOfKind: Bool { !Entity.kind.isNamespaced || Entity.covers(reference) }

    /// The entity as the log names it: its kind and this id.
    public var reference: EntityReference { EntityReference(kind: Entity.kind, id: uuid) }

    /// The typed form of a reference; nil if it names an entity of another kind.
    public init?(_ reference: EntityReference) {
        guard Entity.covers(reference) else { return nil }
        uuid = reference.id
    }
}

/// An entity as the value of a field: its kind (2 bytes, most significant first), then its id (16). So code that does
/// not know the schema can follow it.
extension EntityReference {
    /// Bytes of such a value.
    package static let valueSize = 18

    package var fieldValue: [UInt8] { kind.rawValue.bigEndianBytes + id.bytes }

    /// The entity in a value; nil if there is none.
    package init?(fieldValue bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.valueSize else { return nil }
        self.init(kind: EntityKind(rawValue: bytes.bigEndian(UInt16.self)), id: bytes.uuid(at: 2))
    }

    package init?(fieldValue bytes: [UInt8]) {
        guard let found = bytes.withUnsafeBytes({ EntityReference(fieldValue: $0) }) else { return nil }
        self = found
    }

    /// The id's bytes in a value that names an entity of a kind, or of any if it is nil; nil if there is none. Valid as long as the value is.
    package static func idBytes(
        in value: UnsafeRawBufferPointer, of kind: EntityKind?
    ) -> UnsafeRawBufferPointer? {
        guard value.count == valueSize, kind == nil || value.bigEndian(UInt16.self) == kind?.rawValue else {
            return nil
        }
        return UnsafeRawBufferPointer(rebasing: value[2...])
    }
}
