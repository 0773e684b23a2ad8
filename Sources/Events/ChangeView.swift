/// A change read in place: borrowed, like its event.
public struct ChangeView: ~Copyable {
    /// Up to 65,535 a field of the store's own schema; beyond, one of an app's namespace: see `FieldPath.isOwn`.
    public let field: UInt64
    /// Valid as long as the event's bytes; the caller must ensure that.
    @usableFromInline package let key: UnsafeRawBufferPointer
    /// Nil if the change clears.
    @usableFromInline package let value: UnsafeRawBufferPointer?
    public let seen: SeenReference?

    @inlinable @inline(__always)
    init(field: UInt64, value: UnsafeRawBufferPointer, seen: SeenReference?) {
        self.field = field
        key = UnsafeRawBufferPointer(start: nil, count: 0)
        self.value = value
        self.seen = seen
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var number: UInt64 = 0
        var key = UnsafeRawBufferPointer(start: nil, count: 0)
        var value: UnsafeRawBufferPointer?
        var seen: Timestamp?
        var seenReplica: UInt32 = 0
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: number = try reader.varint(field)
            case 2: key = try reader.bytes(field)
            case 3: value = try reader.bytes(field)
            case 5: seen = Timestamp(rawValue: try reader.fixed64(field))
            case 6: seenReplica = try reader.uint32(field)
            default: try reader.skip(field)
            }
        }
        guard number != 0 else { throw WireError("a change names no field") }
        guard number <= FieldPath.highestField else {
            throw WireError("a change names field \(number), over \(FieldPath.highestField)")
        }
        guard key.count <= Payload.longestKey else {
            throw WireError("a change has a key of \(key.count) bytes, over \(Payload.longestKey)")
        }
        self.field = number
        self.key = key
        self.value = value
        self.seen = seen.map { SeenReference(timestamp: $0, replica: seenReplica) }
    }

    /// Calls `body` with the bytes of the key, which are valid during the call alone.
    @inlinable
    public func withKey<T, Failure: Error>(_ body: (RawSpan) throws(Failure) -> T) throws(Failure) -> T {
        try body(key.bytes)
    }

    /// Calls `body` with the bytes of the value, which are valid during the call alone; nil if the change clears.
    @inlinable
    public func withValue<T, Failure: Error>(_ body: (RawSpan?) throws(Failure) -> T) throws(Failure) -> T {
        guard let value else { return try body(nil) }
        return try body(value.bytes)
    }
}

extension WireReader {
    /// The next change of an event if it is in the common encoding: a message of up to 127 bytes with a field number of
    /// one byte, a value, and perhaps what was seen there, of the first replica of the list. Nil for anything else;
    /// then nothing was read.
    @inlinable @inline(__always)
    mutating func plainChange() -> ChangeView? {
        guard let (size, count) = plainChangeSizes(), let base = bytes.baseAddress else { return nil }
        let start = base + position
        position += 2 + size
        var seen: SeenReference?
        if count + 4 != size {
            let time = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: 7 + count, as: UInt64.self))
            seen = SeenReference(timestamp: Timestamp(rawValue: time), replica: 0)
        }
        let field = UInt64(start.load(fromByteOffset: 3, as: UInt8.self))
        return ChangeView(field: field, value: UnsafeRawBufferPointer(start: start + 6, count: count), seen: seen)
    }

    /// Skips a change in the common encoding; returns whether there was one.
    @inline(__always)
    mutating func skipPlainChange() -> Bool {
        guard let (size, _) = plainChangeSizes() else { return false }
        position += 2 + size
        return true
    }

    /// The sizes of its message and its value.
    @inlinable @inline(__always)
    func plainChangeSizes() -> (message: Int, value: Int)? {
        guard remaining >= 6, let base = bytes.baseAddress else { return nil }
        let start = base + position
        // 22 length 08 field 1A length: the first four at once.
        let head = UInt32(littleEndian: start.loadUnaligned(as: UInt32.self))
        guard head & 0x80FF_80FF == 0x0008_0022, head >> 24 != 0, start.load(fromByteOffset: 4, as: UInt8.self) == 0x1A
        else { return nil }
        let size = Int(head >> 8 & 0x7F)
        let count = Int(start.load(fromByteOffset: 5, as: UInt8.self))
        guard size <= remaining - 2 else { return nil }
        if count + 4 == size { return (size, count) }
        // 29, and eight bytes.
        guard count + 13 == size, start.load(fromByteOffset: 6 + count, as: UInt8.self) == 0x29 else { return nil }
        return (size, count)
    }
}

extension WireReader {
    /// The same for a message of 128 to 16,383 bytes: a change with longer text.
    @inline(never)
    mutating func longPlainChange() -> ChangeView? {
        guard remaining >= 8, let base = bytes.baseAddress else { return nil }
        let start = base + position
        func byte(_ offset: Int) -> Int { Int(start.load(fromByteOffset: offset, as: UInt8.self)) }
        // 22 length 08 field 1A length, where lengths may have two bytes.
        guard byte(0) == 0x22, byte(1) >= 0x80, 1..<0x80 ~= byte(2), byte(3) == 0x08, 1..<0x80 ~= byte(4),
            byte(5) == 0x1A
        else { return nil }
        let end = 3 + (byte(1) & 0x7F | byte(2) << 7)
        guard end <= remaining else { return nil }
        var (count, valueAt) = (byte(6), 7)
        if count >= 0x80 {
            guard 1..<0x80 ~= byte(7) else { return nil }
            (count, valueAt) = (count & 0x7F | byte(7) << 7, 8)
        }
        var seen: SeenReference?
        switch end - valueAt - count {
        case 0: break
        case 9 where byte(end - 9) == 0x29:
            let time = start.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self)
            seen = SeenReference(timestamp: Timestamp(rawValue: UInt64(littleEndian: time)), replica: 0)
        default: return nil
        }
        position += end
        return ChangeView(
            field: UInt64(byte(4)), value: UnsafeRawBufferPointer(start: start + valueAt, count: count), seen: seen)
    }
}
