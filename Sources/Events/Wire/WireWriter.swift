public import Foundation

/// Writes messages in the protobuf wire format (proto3 encoding, as protobuf.dev/programming-guides/encoding describes).
///
/// Fields are written in the order of the calls. Every `bytes` field is length-delimited, nested messages included.
public struct WireWriter: Sendable {
    public private(set) var bytes: [UInt8] = []

    public init(reservingCapacity capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    /// The low 7 bits first, the eighth saying that more follow.
    public mutating func rawVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    private mutating func tag(_ field: UInt32, _ type: WireType) {
        rawVarint(UInt64(field) << 3 | UInt64(type.rawValue))
    }

    /// A `uint32`, `uint64`, `bool` or enum.
    public mutating func varint(_ field: UInt32, _ value: UInt64) {
        tag(field, .varint)
        rawVarint(value)
    }

    /// A `sint64`: small magnitudes of either sign are short.
    public mutating func signed(_ field: UInt32, _ value: Int64) {
        varint(field, UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    /// A `fixed64`: 8 bytes, least significant first.
    public mutating func fixed64(_ field: UInt32, _ value: UInt64) {
        tag(field, .fixed64)
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// A `double`.
    public mutating func double(_ field: UInt32, _ value: Double) { fixed64(field, value.bitPattern) }

    /// A `bytes` field.
    public mutating func bytes(_ field: UInt32, _ value: some Collection<UInt8>) {
        tag(field, .delimited)
        rawVarint(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    /// A `string` field.
    public mutating func string(_ field: UInt32, _ value: String) {
        tag(field, .delimited)
        rawVarint(UInt64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    /// The 16 bytes of a UUID as a `bytes` field.
    public mutating func uuid(_ field: UInt32, _ value: UUID) {
        tag(field, .delimited)
        rawVarint(16)
        withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
    }

    /// A nested message. Its length is known only afterwards, so it is written first and moved if the length needs
    /// more than one byte.
    public mutating func message(_ field: UInt32, _ body: (inout WireWriter) -> Void) {
        tag(field, .delimited)
        let lengthAt = bytes.count
        bytes.append(0)
        body(&self)
        let length = bytes.count - lengthAt - 1
        guard length >= 0x80 else {
            bytes[lengthAt] = UInt8(length)
            return
        }
        var prefix = WireWriter()
        prefix.rawVarint(UInt64(length))
        bytes.replaceSubrange(lengthAt...lengthAt, with: prefix.bytes)
    }

    /// Fields that were read elsewhere and are passed on as they stood.
    public mutating func raw(_ fields: some Collection<UInt8>) { bytes.append(contentsOf: fields) }
}

/// The wire types in use; groups are long deprecated and refused.
public enum WireType: UInt8, Sendable {
    case varint = 0
    case fixed64 = 1
    case delimited = 2
    case fixed32 = 5
}
