public import Events
public import Foundation

/// The bytes of rows in the making, one part after another.
///
/// Numbers are written with the most significant byte first, so that the order of the bytes is that of the numbers.
public struct RowBytes: Sendable {
    private(set) var storage: [UInt8] = []

    /// One byte.
    public mutating func append(_ byte: UInt8) { storage.append(byte) }

    /// 2 bytes, most significant first.
    public mutating func append(_ number: UInt16) { append(bigEndian: number) }
    /// 4 bytes, most significant first.
    public mutating func append(_ number: UInt32) { append(bigEndian: number) }
    /// 8 bytes, most significant first.
    public mutating func append(_ number: UInt64) { append(bigEndian: number) }
    /// 8 bytes, most significant first; negative numbers come after positive ones.
    public mutating func append(_ number: Int64) { append(bigEndian: number) }
    /// 16 bytes, most significant first; negative numbers come after positive ones.
    public mutating func append(_ number: Int128) { append(bigEndian: number) }

    // Not public: generic code of other modules is not compiled for the types it is used with.
    @inline(__always)
    private mutating func append(bigEndian number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { storage.append(contentsOf: $0) }
    }

    /// 16 bytes.
    public mutating func append(_ id: UUID) { withUnsafeBytes(of: id.uuid) { storage.append(contentsOf: $0) } }

    /// The entity's id (16), then its kind (2): `EntityReference.bytes`.
    public mutating func append(_ entity: EntityReference) {
        let bytes = (entity.id.uuid, entity.kind.rawValue.bigEndian)
        withUnsafeBytes(of: bytes) { storage.append(contentsOf: $0) }
    }

    /// The 32 bytes of `Stamp.bytes`.
    public mutating func append(_ stamp: Stamp) {
        let (high, low) = stamp.replica.words
        let words = (
            stamp.timestamp.rawValue.bigEndian, high.bigEndian, low.bigEndian, stamp.hashPrefix.bigEndian
        )
        withUnsafeBytes(of: words) { storage.append(contentsOf: $0) }
    }

    /// Bytes as they are.
    public mutating func append(contentsOf bytes: some Sequence<UInt8>) { storage.append(contentsOf: bytes) }

    /// Bytes as they are, valid during the call.
    public mutating func append(contentsOf bytes: UnsafeRawBufferPointer) { storage.append(contentsOf: bytes) }

    var count: Int { storage.count }

    func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T { try storage.withUnsafeBytes(body) }

    /// Replaces one byte.
    mutating func set(_ byte: UInt8, at offset: Int) { storage[offset] = byte }

    mutating func removeAll() { storage.removeAll(keepingCapacity: true) }

    mutating func removeLast(to count: Int) { storage.removeLast(storage.count - count) }

    /// Lets `body` append to the bytes where only an array is known.
    mutating func withStorage<T>(_ body: (inout [UInt8]) throws -> T) rethrows -> T { try body(&storage) }
}
