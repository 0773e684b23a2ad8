public import Foundation

/// The author of a line of commits: the first 16 bytes of the SHA-256 of an Ed25519 public key.
public struct ReplicaID: Hashable, Comparable, Sendable, TextCoded {
    // Two words, most significant first: comparing them is comparing the bytes.
    private let high: UInt64
    private let low: UInt64

    /// From 16 bytes; nil for another count.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// From 16 bytes in place; nil for another count. Without generic code, unlike the other one: every commit that is
    /// read goes through here.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        high = bytes.bigEndian(UInt64.self)
        low = bytes.bigEndian(UInt64.self, at: 8)
    }

    /// From 32 hexadecimal digits; nil for anything else.
    public init?(_ text: String) {
        guard let bytes = [UInt8](hexadecimal: text) else { return nil }
        self.init(bytes)
    }

    package var bytes: [UInt8] { high.bigEndianBytes + low.bigEndianBytes }

    /// The bytes as two numbers, the most significant first: without an array.
    package var words: (high: UInt64, low: UInt64) { (high, low) }

    /// 32 lower-case hexadecimal digits.
    public var description: String { bytes.hexadecimal }

    public static func < (a: ReplicaID, b: ReplicaID) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

/// One history that replicas share: the entities of one account or one group.
public struct JournalID: Hashable, Sendable, TextCoded {
    public let uuid: UUID

    public init(_ uuid: UUID) { self.uuid = uuid }

    /// From the usual text of a UUID; nil for anything else.
    public init?(_ text: String) {
        guard let uuid = UUID(uuidString: text) else { return nil }
        self.uuid = uuid
    }

    package var bytes: [UInt8] { uuid.bytes }
    public var description: String { uuid.uuidString }
}

/// The kind of an entity: a number that the schema names. Kinds unknown to this version are kept.
public struct EntityKind: RawRepresentable, Hashable, Comparable, Sendable, Codable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static func < (a: EntityKind, b: EntityKind) -> Bool { a.rawValue < b.rawValue }
}

/// An entity: its kind and its id.
public struct EntityReference: Hashable, Sendable {
    public let kind: EntityKind
    public let id: UUID

    @inlinable
    public init(kind: EntityKind, id: UUID) {
        self.kind = kind
        self.id = id
    }

    /// Two words at a time: it runs for every written event.
    @inlinable
    public static func == (a: EntityReference, b: EntityReference) -> Bool {
        let (first, second) = (a.id.uuid, b.id.uuid)
        return a.kind.rawValue == b.kind.rawValue
            && withUnsafeBytes(of: first) { first in
                withUnsafeBytes(of: second) { second in
                    first.loadUnaligned(as: UInt64.self) == second.loadUnaligned(as: UInt64.self)
                        && first.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
                            == second.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
                }
            }
    }

    /// In one step: it runs for every written event.
    public func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: $0) }
    }

    /// From the bytes of `bytes`; nil for another count.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 18 else { return nil }
        self.init(kind: EntityKind(rawValue: bytes.bigEndian(UInt16.self, at: 16)), id: bytes.uuid())
    }

    /// The key under which views keep the entity: id, then kind, so that an id alone finds it.
    public var bytes: [UInt8] { withBytes { [UInt8]($0) } }

    /// As `bytes`, without an array.
    @inlinable
    package func withBytes<T, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> T
    ) throws(Failure) -> T {
        let key = (id.uuid, kind.rawValue.bigEndian)
        return try withUnsafeBytes(of: key) { bytes throws(Failure) in try body(bytes) }
    }
}

/// A value that is encoded as its text, in JSON and the like.
public protocol TextCoded: Codable, LosslessStringConvertible {}

extension TextCoded {
    /// Decodes the text. Throws `DecodingError` for one that names no such value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text.prefix(100))' names nothing of that kind")
        }
        self = value
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
