/// An entity's record read in place; valid as long as its bytes are.
///
/// It is noncopyable and only borrowed, so that the compiler refuses to keep it beyond the call that lends it.
public struct RecordView: ~Copyable {
    /// A register read in place: borrowed, like the record.
    public struct Register: ~Copyable {
        public let field: UInt64
        /// Valid as long as the record's bytes; the caller must ensure that.
        @usableFromInline package let key: UnsafeRawBufferPointer
        /// Nil if the path was cleared.
        @usableFromInline package let value: UnsafeRawBufferPointer?
        @usableFromInline let stampIndex: Int

        /// The index of its write among those of the record, in the order of the merge.
        package var order: Int { stampIndex }

        /// Whether the field is an app's own.
        package var isOwn: Bool { field > FieldPath.highestBuiltIn }

        @inlinable
        init(field: UInt64, key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer?, stampIndex: Int) {
            self.field = field
            self.key = key
            self.value = value
            self.stampIndex = stampIndex
        }

        /// Calls `body` with the bytes of the key, which are valid during the call alone.
        @inlinable
        public func withKey<T, Failure: Error>(
            _ body: (RawSpan) throws(Failure) -> T
        ) throws(Failure) -> T {
            try body(key.bytes)
        }

        /// Calls `body` with the bytes of the value, which are valid during the call alone; nil if the path was
        /// cleared.
        @inlinable
        public func withValue<T, Failure: Error>(
            _ body: (RawSpan?) throws(Failure) -> T
        ) throws(Failure) -> T {
            guard let value else { return try body(nil) }
            return try body(value.bytes)
        }
    }

    /// Reads the registers one by one, in path order. Deletion, if it was ever written, is the first.
    ///
    /// Internal to the store: its results are valid as long as the bytes, and the compiler does not check that.
    @usableFromInline
    package struct Registers {
        @usableFromInline var reader: WireReader

        @usableFromInline
        package init(_ bytes: UnsafeRawBufferPointer) { reader = WireReader(bytes) }

        /// The next register, or nil at the end. Throws `WireError` for malformed bytes.
        @inlinable @inline(__always)
        package mutating func next() throws(WireError) -> Register? {
            if let register = shortNext() { return register }
            guard !reader.isAtEnd else { return nil }
            return try longNext()
        }

        /// The next register in the common encoding: without a key, and all its numbers of one byte but the length,
        /// which may have two. Nil for anything else; then nothing was read.
        @inlinable @inline(__always)
        mutating func shortNext() -> Register? {
            let left = reader.remaining
            guard left >= 4, let base = reader.bytes.baseAddress else { return nil }
            let head = base + reader.position
            let numbers = UInt32(littleEndian: head.loadUnaligned(as: UInt32.self))
            guard numbers & 0x0080_FF80 == 0 else { return nil }
            var size = 4
            var length = Int(numbers >> 24)
            if length >= 0x80 {
                guard left >= 5 else { return nil }
                let high = Int(head.load(fromByteOffset: 4, as: UInt8.self))
                guard high < 0x80 else { return nil }
                length = length & 0x7F | high << 7
                size = 5
            }
            guard length - 1 <= left - size else { return nil }
            reader.position += size + Swift.max(0, length - 1)
            return Register(
                field: UInt64(numbers & 0x7F), key: UnsafeRawBufferPointer(start: head + 2, count: 0),
                value: length == 0 ? nil : UnsafeRawBufferPointer(start: head + size, count: length - 1),
                stampIndex: Int(numbers >> 16 & 0x7F))
        }

        @usableFromInline @inline(never)
        mutating func longNext() throws(WireError) -> Register {
            let field = try reader.rawVarint()
            guard field <= FieldPath.highestField else { throw RecordView.beyondFields(field) }
            let key = try reader.counted(try reader.rawVarint())
            let stampIndex = try reader.rawVarint()
            let length = try reader.rawVarint()
            let value = length == 0 ? nil : try reader.counted(length - 1)
            return Register(field: field, key: key, value: value, stampIndex: Int(min(stampIndex, 1 << 32)))
        }
    }

    @usableFromInline
    static func beyondFields(_ number: UInt64) -> WireError { WireError("a register's field is \(number)") }

    /// All of the record.
    package let bytes: UnsafeRawBufferPointer
    public let version: EntityVersion
    private let stamps: UnsafeRawBufferPointer
    @usableFromInline let registerBytes: UnsafeRawBufferPointer
    let creationIndex: Int?
    /// Bytes of the registers.
    package var registerSize: Int { registerBytes.count }
    /// The number of writes in use.
    package var stampCount: Int { stamps.count / Stamp.encodedSize }

    /// Throws `WireError` if the bytes are no record.
    package init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        let events = try reader.rawVarint()
        let version = EntityVersion(events: events, fingerprint: try reader.counted(8).bigEndian(UInt64.self))
        let count = try reader.rawVarint()
        guard count <= UInt64(reader.remaining / Stamp.encodedSize) else {
            throw WireError("a record claims \(count) stamps in \(reader.remaining) bytes")
        }
        let stamps = try reader.counted(count * UInt64(Stamp.encodedSize))
        let creation = try reader.rawVarint()
        guard creation <= count else { throw WireError("a record's creation names stamp \(creation) of \(count)") }
        self.bytes = bytes
        self.version = version
        self.stamps = stamps
        creationIndex = creation == 0 ? nil : Int(creation) - 1
        registerBytes = bytes.part(from: reader.offset)
    }

    /// A write in use, by its place in their order.
    package func stamp(_ index: Int) throws(WireError) -> Stamp {
        guard index < stamps.count / Stamp.encodedSize, let stamp = Stamp(stamps, at: index * Stamp.encodedSize) else {
            throw WireError("a register names stamp \(index) of \(stamps.count / Stamp.encodedSize)")
        }
        return stamp
    }

    /// The least creation, or nil if none is held.
    public func creation() throws(WireError) -> Stamp? {
        guard let creationIndex else { return nil }
        return try stamp(creationIndex)
    }

    /// The time of the creation, or nil if none is held: cheaper than its whole stamp.
    public func creationTimestamp() throws(WireError) -> Timestamp? {
        guard let creationIndex else { return nil }
        return try timestamp(creationIndex)
    }

    /// The time of the newest write in use.
    public func newestTimestamp() throws(WireError) -> Timestamp? {
        stamps.isEmpty ? nil : try timestamp(stamps.count / Stamp.encodedSize - 1)
    }

    /// The write of a register of this record.
    package func stamp(of register: borrowing Register) throws(WireError) -> Stamp { try stamp(register.stampIndex) }

    private func timestamp(_ index: Int) throws(WireError) -> Timestamp {
        let offset = index * Stamp.encodedSize
        guard offset >= 0, offset < stamps.count else {
            throw WireError("a record names stamp \(index) and has \(stamps.count / Stamp.encodedSize)")
        }
        return Timestamp(rawValue: stamps.bigEndian(UInt64.self, at: offset))
    }

    /// The newest write in use: stamps ascend and all are in use.
    public func newest() throws(WireError) -> Stamp? {
        stamps.isEmpty ? nil : try stamp(stamps.count / Stamp.encodedSize - 1)
    }

    /// The registers, for reading one by one.
    @inlinable
    package var registers: Registers { Registers(registerBytes) }

    /// Calls `body` with every register in path order. Deletion, if it was ever written, is the first.
    @inlinable
    public func forEachRegister(_ body: (borrowing Register) throws(WireError) -> Void) throws(WireError) {
        var registers = registers
        while let register = try registers.next() { try body(register) }
    }

    /// Whether a creation is held.
    package var isCreated: Bool { creationIndex != nil }

    /// Whether the entity was deleted and not restored. O(1): deletion is the first register.
    package func isDeleted() throws(WireError) -> Bool {
        var registers = registers
        guard let first = try registers.next(), first.field == 0 else { return false }
        return first.value != nil
    }

    /// Whether the entity was created and is not deleted. O(1): deletion is the first register.
    public func isPresent() throws(WireError) -> Bool {
        guard creationIndex != nil else { return false }
        var registers = registers
        guard let first = try registers.next(), first.field == 0 else { return true }
        return first.value == nil
    }
}
