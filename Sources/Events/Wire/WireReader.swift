public import Foundation

/// Reads messages in the protobuf wire format without copying.
///
/// It borrows the bytes: they, and every returned buffer, are valid only as long as the caller keeps the memory alive;
/// so use a reader inside a closure that owns the memory. Every access checks the bounds.
///
/// ```swift
/// while let field = try reader.next() {
///     switch field.number {
///     case 1: name = try reader.string(field)
///     default: try reader.skip(field)
///     }
/// }
/// ```
public struct WireReader {
    /// A field's number and the wire type of its value.
    public struct Field {
        public let number: UInt32
        public let type: WireType
        /// The offset of the field's tag.
        public let start: Int

        @inlinable
        init(number: UInt32, type: WireType, start: Int) {
            self.number = number
            self.type = type
            self.start = start
        }
    }

    @usableFromInline let bytes: UnsafeRawBufferPointer
    @usableFromInline var position = 0

    @inlinable
    public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Reads from a field that begins at an offset, which must be within the bytes.
    @inlinable
    init(_ bytes: UnsafeRawBufferPointer, from offset: Int) {
        self.bytes = bytes
        self.position = min(offset, bytes.count)
    }

    /// The number of bytes read so far.
    @inlinable
    public var offset: Int { position }

    @inlinable
    public var isAtEnd: Bool { position == bytes.count }

    /// The number of bytes not read yet.
    @inlinable
    public var remaining: Int { bytes.count - position }

    /// The next `count` bytes, in place.
    @inlinable
    public mutating func counted(_ count: UInt64) throws(WireError) -> UnsafeRawBufferPointer {
        guard count <= UInt64(remaining) else { throw tooMany(count) }
        guard let base = bytes.baseAddress else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        defer { position += Int(count) }
        // The bounds are checked: slicing and rebasing would check them twice more.
        return UnsafeRawBufferPointer(start: base + position, count: Int(count))
    }

    @usableFromInline
    func tooMany(_ count: UInt64) -> WireError { WireError("\(count) bytes are claimed and \(remaining) are left") }

    /// The next field's tag, or nil at the end.
    @inlinable @inline(__always)
    public mutating func next() throws(WireError) -> Field? {
        guard position < bytes.count else { return nil }
        let start = position
        let tag = try rawVarint()
        guard let type = WireType(tag: tag), tag >> 3 >= 1, tag >> 3 < 1 << 29 else { throw noTag(tag, start) }
        return Field(number: UInt32(truncatingIfNeeded: tag >> 3), type: type, start: start)
    }

    @usableFromInline @inline(never)
    func noTag(_ tag: UInt64, _ start: Int) -> WireError {
        WireType(tag: tag) == nil
            ? WireError("unknown wire type \(tag & 7) at byte \(start)")
            : WireError("field number \(tag >> 3) at byte \(start) is out of range")
    }

    @inlinable @inline(__always)
    public mutating func rawVarint() throws(WireError) -> UInt64 {
        // Most numbers have one byte.
        if position < bytes.count {
            let byte = bytes[position]
            if byte < 0x80 {
                position += 1
                return UInt64(byte)
            }
        }
        return try longVarint()
    }

    @usableFromInline @inline(never)
    mutating func longVarint() throws(WireError) -> UInt64 {
        // If eight bytes are left, they are read at once, provided the number ends among them.
        if remaining >= 8, let base = bytes.baseAddress {
            let word = UInt64(littleEndian: (base + position).loadUnaligned(as: UInt64.self))
            let ends = ~word & 0x8080_8080_8080_8080
            if ends != 0 {
                position += ends.trailingZeroBitCount / 8 + 1
                return Self.joined(word & (ends ^ (ends &- 1)))
            }
        }
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if shift == 63 && byte > 1 { break }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
            if shift > 63 { break }
        }
        throw WireError("a number that ends at byte \(position) is cut off or longer than 64 bits")
    }

    /// The lower seven bits of each of eight bytes, the lowest first, as one number.
    @inline(__always)
    private static func joined(_ bytes: UInt64) -> UInt64 {
        // Neighbours are joined by twos, by fours, by eights.
        let twos = bytes & 0x007F_007F_007F_007F | (bytes & 0x7F00_7F00_7F00_7F00) >> 1
        let fours = twos & 0x0000_3FFF_0000_3FFF | (twos & 0x3FFF_0000_3FFF_0000) >> 2
        return fours & 0x0FFF_FFFF | (fours & 0x0FFF_FFFF_0000_0000) >> 4
    }

    @inlinable
    public mutating func varint(_ field: Field) throws(WireError) -> UInt64 {
        try expect(.varint, field)
        return try rawVarint()
    }

    @inlinable
    public mutating func uint32(_ field: Field) throws(WireError) -> UInt32 {
        let value = try varint(field)
        guard let narrow = UInt32(exactly: value) else {
            throw tooLarge(value, field)
        }
        return narrow
    }

    @inlinable
    public mutating func signed(_ field: Field) throws(WireError) -> Int64 {
        let value = try varint(field)
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    @inlinable
    public mutating func fixed64(_ field: Field) throws(WireError) -> UInt64 {
        try expect(.fixed64, field)
        return UInt64(littleEndian: try take(8).loadUnaligned(as: UInt64.self))
    }

    @inlinable
    public mutating func double(_ field: Field) throws(WireError) -> Double {
        Double(bitPattern: try fixed64(field))
    }

    /// The bytes of a length-delimited field, in place.
    @inlinable
    public mutating func bytes(_ field: Field) throws(WireError) -> UnsafeRawBufferPointer {
        try expect(.delimited, field)
        let length = try rawVarint()
        guard length <= UInt64(remaining) else { throw tooLong(length, field) }
        return try take(Int(length))
    }

    /// A length-delimited field that must have `count` bytes.
    public mutating func bytes(_ field: Field, count: Int) throws(WireError) -> UnsafeRawBufferPointer {
        let value = try bytes(field)
        guard value.count == count else {
            throw WireError("field \(field.number) at byte \(field.start) has \(value.count) bytes and not \(count)")
        }
        return value
    }

    /// Text; invalid UTF-8 is repaired with U+FFFD, so that reading never fails on it.
    public mutating func string(_ field: Field) throws(WireError) -> String {
        String(decoding: try bytes(field), as: UTF8.self)
    }

    public mutating func uuid(_ field: Field) throws(WireError) -> UUID {
        UUID(uuid: try bytes(field, count: 16).loadUnaligned(as: uuid_t.self))
    }

    /// Skips a field and returns its bytes, tag included, for callers that keep unknown fields.
    @discardableResult
    public mutating func skip(_ field: Field) throws(WireError) -> UnsafeRawBufferPointer {
        switch field.type {
        case .varint: _ = try rawVarint()
        case .fixed64: _ = try take(8)
        case .fixed32: _ = try take(4)
        case .delimited: _ = try bytes(field)
        }
        return UnsafeRawBufferPointer(rebasing: bytes[field.start..<offset])
    }

    /// The bytes of the next field if it is delimited, has this one-byte tag and a one-byte length; nil for anything
    /// else, for which there is `next`; then nothing was read.
    @inline(__always)
    mutating func shortBytes(_ tag: UInt8) -> UnsafeRawBufferPointer? {
        guard remaining >= 2, let base = bytes.baseAddress else { return nil }
        let start = base + position
        let length = Int(start.load(fromByteOffset: 1, as: UInt8.self))
        guard start.load(as: UInt8.self) == tag, length < 0x80, length <= remaining - 2 else { return nil }
        position += 2 + length
        return UnsafeRawBufferPointer(start: start + 2, count: length)
    }

    /// The same with a length of one or two bytes.
    @inline(__always)
    mutating func mediumBytes(_ tag: UInt8) -> UnsafeRawBufferPointer? {
        if let short = shortBytes(tag) { return short }
        guard remaining >= 3, let base = bytes.baseAddress else { return nil }
        let start = base + position
        let low = Int(start.load(fromByteOffset: 1, as: UInt8.self))
        let high = Int(start.load(fromByteOffset: 2, as: UInt8.self))
        guard start.load(as: UInt8.self) == tag, low >= 0x80, 1..<0x80 ~= high else { return nil }
        let length = low & 0x7F | high << 7
        guard length <= remaining - 3 else { return nil }
        position += 3 + length
        return UnsafeRawBufferPointer(start: start + 3, count: length)
    }

    @inlinable @inline(__always)
    func expect(_ type: WireType, _ field: Field) throws(WireError) {
        guard field.type == type else { throw otherType(type, field) }
    }

    @inlinable @inline(__always)
    mutating func take(_ count: Int) throws(WireError) -> UnsafeRawBufferPointer {
        guard count <= remaining else { throw tooFew(count) }
        guard let base = bytes.baseAddress else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        defer { position += count }
        // The bounds are checked: slicing and rebasing would check them twice more.
        return UnsafeRawBufferPointer(start: base + position, count: count)
    }

    // Errors are made out of line, off the common path.

    @usableFromInline @inline(never)
    func otherType(_ type: WireType, _ field: Field) -> WireError {
        WireError("field \(field.number) at byte \(field.start) has wire type \(field.type), not \(type)")
    }

    @usableFromInline @inline(never)
    func tooLarge(_ value: UInt64, _ field: Field) -> WireError {
        WireError("field \(field.number) at byte \(field.start) holds \(value), over 32 bits")
    }

    @usableFromInline @inline(never)
    func tooLong(_ length: UInt64, _ field: Field) -> WireError {
        WireError("field \(field.number) at byte \(field.start) claims \(length) bytes of \(remaining) left")
    }

    @usableFromInline @inline(never)
    func tooFew(_ count: Int) -> WireError {
        WireError("\(count) bytes are needed at byte \(position) and \(remaining) are left")
    }
}
