public import Events
public import Foundation

/// The bytes of rows being built, one part after another.
///
/// Numbers are written with the most significant byte first, so that byte order is numeric order.
///
/// It is noncopyable, so that its memory is its own: appending a byte costs no uniqueness check.
public struct RowBytes: ~Copyable {
    /// Frees the memory; nil as long as there is none.
    @usableFromInline var memory: RowMemory?
    // Its start and its size, cached outside the object. Sound: while this value exists, the object neither moves nor
    // frees the memory.
    @usableFromInline var start: UnsafeMutableRawPointer
    @usableFromInline var capacity = 0
    @usableFromInline var count = 0

    init() { start = RowMemory.none }

    /// Continues after the first `count` bytes of memory, which this value owns from now on: it leaves nil in `memory`.
    /// `start` is the memory's start, or `RowMemory.none`.
    @inline(__always)
    init(takingOver memory: inout RowMemory?, _ start: UnsafeMutableRawPointer, count: Int) {
        capacity = memory?.capacity ?? 0
        self.start = start
        self.count = count
        self.memory = nil
        swap(&self.memory, &memory)
    }

    // MARK: Room

    /// The pointer for the next bytes, which count as written: the caller stores all of them.
    @inlinable @inline(__always)
    mutating func room(_ size: Int) -> UnsafeMutableRawPointer {
        if capacity - count < size { grow(by: size) }
        defer { count += size }
        return start + count
    }

    /// Grows by room for that many bytes.
    @usableFromInline @inline(never)
    mutating func grow(by size: Int) {
        let larger = RowMemory(capacity: max(count + size, count * 2, 256))
        if let memory { larger.start.copyMemory(from: memory.start, byteCount: count) }
        (memory, start, capacity) = (larger, larger.start, larger.capacity)
    }

    // MARK: Appending

    /// One byte.
    @inlinable @inline(__always)
    public mutating func append(_ byte: UInt8) { room(1).storeBytes(of: byte, as: UInt8.self) }

    /// 2 bytes, most significant first.
    @inlinable @inline(__always)
    public mutating func append(_ number: UInt16) { append(bigEndian: number) }
    /// 4 bytes, most significant first.
    @inlinable @inline(__always)
    public mutating func append(_ number: UInt32) { append(bigEndian: number) }
    /// 8 bytes, most significant first.
    @inlinable @inline(__always)
    public mutating func append(_ number: UInt64) { append(bigEndian: number) }
    /// 8 bytes, most significant first; negative numbers come after positive ones.
    @inlinable @inline(__always)
    public mutating func append(_ number: Int64) { append(bigEndian: number) }
    /// 16 bytes, most significant first; negative numbers come after positive ones.
    @inlinable @inline(__always)
    public mutating func append(_ number: Int128) { append(bigEndian: number) }

    @inlinable @inline(__always)
    mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(bigEndian number: Number) {
        room(MemoryLayout<Number>.size).storeBytes(of: number.bigEndian, as: Number.self)
    }

    /// 16 bytes.
    @inlinable @inline(__always)
    public mutating func append(_ id: UUID) { room(16).storeBytes(of: id.uuid, as: uuid_t.self) }

    /// The entity's id (16), then its kind (2): `EntityReference.bytes`.
    @inlinable @inline(__always)
    public mutating func append(_ entity: EntityReference) {
        let start = room(18)
        start.storeBytes(of: entity.id.uuid, as: uuid_t.self)
        start.storeBytes(of: entity.kind.rawValue.bigEndian, toByteOffset: 16, as: UInt16.self)
    }

    /// The 56 bytes of `Stamp.bytes`.
    public mutating func append(_ stamp: Stamp) {
        let start = room(Stamp.encodedSize)
        let (high, low) = stamp.replica.words
        start.storeBytes(of: stamp.timestamp.rawValue.bigEndian, as: UInt64.self)
        start.storeBytes(of: high.bigEndian, toByteOffset: 8, as: UInt64.self)
        start.storeBytes(of: low.bigEndian, toByteOffset: 16, as: UInt64.self)
        let (first, second, third, fourth) = stamp.hash.numbers
        start.storeBytes(of: first.bigEndian, toByteOffset: 24, as: UInt64.self)
        start.storeBytes(of: second.bigEndian, toByteOffset: 32, as: UInt64.self)
        start.storeBytes(of: third.bigEndian, toByteOffset: 40, as: UInt64.self)
        start.storeBytes(of: fourth.bigEndian, toByteOffset: 48, as: UInt64.self)
    }

    /// Bytes, unchanged.
    public mutating func append(contentsOf bytes: some Sequence<UInt8>) {
        let isWritten: Void? = bytes.withContiguousStorageIfAvailable { append(contentsOf: UnsafeRawBufferPointer($0)) }
        if isWritten == nil { for byte in bytes { append(byte) } }
    }

    /// Borrowed bytes, unchanged.
    public mutating func append(contentsOf bytes: RawSpan) {
        bytes.withUnsafeBytes { append(contentsOf: $0) }
    }

    /// Bytes, valid during the call: not those of this value, which may move.
    @inlinable @inline(__always)
    package mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        room(bytes.count).copyMemory(from: start, byteCount: bytes.count)
    }

    /// At most that many bytes, which `body` writes; it returns how many.
    @inline(__always)
    mutating func append(upTo limit: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Int) rethrows {
        let address = room(limit)
        count -= limit
        let written = try body(UnsafeMutableRawBufferPointer(start: address, count: limit))
        precondition(0...limit ~= written, "More bytes were written than there was room for.")
        count += written
    }

    // MARK: Written bytes

    @inline(__always)
    func withBytes<T, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> T
    ) throws(Failure) -> T {
        try RowMemory.lend(start, count, of: memory, body)
    }

    /// Replaces one written byte.
    mutating func set(_ byte: UInt8, at offset: Int) {
        precondition(0..<count ~= offset, "There is no byte \(offset) among \(count).")
        start.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
    }

    /// Removes some bytes; those after them move up.
    @inline(__always)
    mutating func remove(_ range: Range<Int>) {
        precondition(
            0...count ~= range.lowerBound && range.upperBound <= count, "\(range) is not within \(count) bytes.")
        (start + range.lowerBound).copyMemory(from: start + range.upperBound, byteCount: count - range.upperBound)
        count -= range.count
    }

    /// Drops what was written after the first `count` bytes.
    @inline(__always)
    mutating func removeLast(to count: Int) { self.count = min(self.count, count) }
}
