public import Foundation

/// Writes messages in the protobuf wire format (proto3 encoding, as protobuf.dev/programming-guides/encoding describes).
///
/// Fields are written in the order of the calls. Every `bytes` field is length-delimited, nested messages included.
public struct WireWriter: Sendable {
    /// The written bytes, and zeros behind them: writing stores at an offset instead of appending.
    private var storage: [UInt8]
    /// How many bytes were written.
    public private(set) var count = 0

    /// The most bytes of a tag, and of a number.
    private static let tagSize = 5
    private static let varintSize = 10

    public init(reservingCapacity capacity: Int = 0) { storage = [UInt8](repeating: 0, count: max(capacity, 16)) }

    /// Writes over bytes that are no longer needed, into their memory if it is uniquely referenced.
    init(over bytes: consuming [UInt8], reservingCapacity capacity: Int) {
        let room = max(capacity, 16)
        if bytes.capacity < room {
            storage = [UInt8](repeating: 0, count: room)
        } else {
            storage = bytes
            if storage.count < room { storage.append(contentsOf: repeatElement(0, count: room - storage.count)) }
        }
    }

    /// Bytes allocated.
    package var capacity: Int { storage.capacity }

    /// A copy of the bytes written so far.
    public var bytes: [UInt8] { [UInt8](storage[..<count]) }

    /// Runs `body` on the bytes written so far.
    package func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try storage.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    /// Starts over, with the same memory.
    public mutating func removeAll() { count = 0 }

    /// The written bytes, without a copy; ends the writer.
    public consuming func finish() -> [UInt8] {
        storage.removeLast(storage.count - count)
        return storage
    }

    // MARK: Memory

    /// Makes room for that many bytes, which `body` writes from a pointer on; it returns the pointer behind them.
    @inline(__always)
    mutating func write(
        _ room: Int, _ body: (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer
    ) {
        if storage.count - count < room { grow(by: room) }
        let start = count
        storage.withUnsafeMutableBytes { bytes in
            // The array holds 16 bytes at least, so there is an address.
            guard let base = bytes.baseAddress else { return }
            count = body(base + start) - base
        }
    }

    @inline(never)
    private mutating func grow(by room: Int) {
        storage += [UInt8](repeating: 0, count: max(storage.count, room))
    }

    // MARK: Fields

    /// The low 7 bits first, the eighth saying that more follow.
    public mutating func rawVarint(_ value: UInt64) { write(Self.varintSize) { $0.putVarint(value) } }

    /// A `uint32`, `uint64`, `bool` or enum.
    public mutating func varint(_ field: UInt32, _ value: UInt64) {
        write(Self.tagSize + Self.varintSize) { $0.putTag(field, .varint).putVarint(value) }
    }

    /// A `sint64`: small magnitudes of either sign are short.
    public mutating func signed(_ field: UInt32, _ value: Int64) {
        varint(field, UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    /// A `fixed64`: 8 bytes, least significant first.
    public mutating func fixed64(_ field: UInt32, _ value: UInt64) {
        write(Self.tagSize + 8) { $0.putTag(field, .fixed64).putFixed(value) }
    }

    /// A `double`.
    public mutating func double(_ field: UInt32, _ value: Double) { fixed64(field, value.bitPattern) }

    /// A `bytes` field.
    public mutating func bytes(_ field: UInt32, _ value: [UInt8]) {
        value.withUnsafeBytes { bytes(field, $0) }
    }

    /// A `bytes` field.
    public mutating func bytes(_ field: UInt32, _ value: UnsafeRawBufferPointer) {
        write(Self.tagSize + Self.varintSize + value.count) { $0.putTag(field, .delimited).putDelimited(value) }
    }

    /// A `bytes` field.
    public mutating func bytes(_ field: UInt32, _ value: some Collection<UInt8>) {
        bytes(field, [UInt8](value))
    }

    /// The tag and the length of a delimited field whose bytes are written separately.
    public mutating func delimited(_ field: UInt32, count: Int) {
        write(Self.tagSize + Self.varintSize) { $0.putTag(field, .delimited).putVarint(UInt64(count)) }
    }

    /// A `string` field.
    public mutating func string(_ field: UInt32, _ value: String) {
        var value = value
        value.withUTF8 { bytes(field, UnsafeRawBufferPointer($0)) }
    }

    /// The 16 bytes of a UUID as a `bytes` field.
    public mutating func uuid(_ field: UInt32, _ value: UUID) {
        withUnsafeBytes(of: value.uuid) { bytes(field, $0) }
    }

    /// A nested message. Its length is known only afterwards, so it is written first and moved if the length needs more
    /// than one byte.
    public mutating func message(_ field: UInt32, _ body: (inout WireWriter) -> Void) {
        write(Self.tagSize + 1) { $0.putTag(field, .delimited) + 1 }
        let start = count
        body(&self)
        let length = count - start
        let extra = wireSize(ofVarint: UInt64(length)) - 1
        if storage.count - count < extra { grow(by: extra) }
        storage.withUnsafeMutableBytes { bytes in
            guard let message = bytes.baseAddress.map({ $0 + start }) else { return }
            if extra > 0 { (message + extra).copyMemory(from: message, byteCount: length) }
            _ = (message - 1).putVarint(UInt64(length))
        }
        count += extra
    }

    /// Fields that were read elsewhere, unchanged.
    public mutating func raw(_ fields: [UInt8]) { fields.withUnsafeBytes { raw($0) } }

    /// Fields that were read elsewhere, unchanged.
    public mutating func raw(_ fields: UnsafeRawBufferPointer) { write(fields.count) { $0.put(fields) } }

    /// Fields that were read elsewhere, unchanged.
    public mutating func raw(_ fields: some Collection<UInt8>) { raw([UInt8](fields)) }
}

/// Encoded bytes of a number.
@inline(__always)
package func wireSize(ofVarint value: UInt64) -> Int {
    // 7 bits a byte, and one byte for zero.
    value < 0x80 ? 1 : (64 - value.leadingZeroBitCount + 6) / 7
}

/// Encoded bytes of a field's tag.
@inline(__always)
func wireSize(ofTag field: UInt32) -> Int { wireSize(ofVarint: UInt64(field) << 3) }

/// Encoded bytes of a delimited field with a one-byte tag.
@inline(__always)
func wireSize(ofDelimited count: Int) -> Int { 1 + wireSize(ofVarint: UInt64(count)) + count }

// Each stores at the pointer and returns the pointer behind; the caller has made sure of the room.
extension UnsafeMutableRawPointer {
    @inline(__always)
    func putByte(_ byte: UInt8) -> UnsafeMutableRawPointer {
        storeBytes(of: byte, as: UInt8.self)
        return self + 1
    }

    @inline(__always)
    func putVarint(_ value: UInt64) -> UnsafeMutableRawPointer {
        var pointer = self
        var rest = value
        while rest >= 0x80 {
            pointer = pointer.putByte(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return pointer.putByte(UInt8(truncatingIfNeeded: rest))
    }

    @inline(__always)
    func putTag(_ field: UInt32, _ type: WireType) -> UnsafeMutableRawPointer {
        putVarint(UInt64(field) << 3 | UInt64(type.rawValue))
    }

    @inline(__always)
    func putFixed(_ value: UInt64) -> UnsafeMutableRawPointer {
        storeBytes(of: value.littleEndian, as: UInt64.self)
        return self + 8
    }

    @inline(__always)
    func put(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer {
        if let start = bytes.baseAddress { copyMemory(from: start, byteCount: bytes.count) }
        return self + bytes.count
    }

    @inline(__always)
    func putDelimited(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer {
        putVarint(UInt64(bytes.count)).put(bytes)
    }
}

/// The wire types in use; groups are long deprecated and refused.
public enum WireType: UInt8, Sendable {
    case varint = 0
    case fixed64 = 1
    case delimited = 2
    case fixed32 = 5

    /// The type in the lowest bits of a field's tag; nil for unused ones.
    @inlinable @inline(__always)
    init?(tag: UInt64) {
        switch tag & 7 {
        case 0: self = .varint
        case 1: self = .fixed64
        case 2: self = .delimited
        case 5: self = .fixed32
        default: return nil
        }
    }
}
