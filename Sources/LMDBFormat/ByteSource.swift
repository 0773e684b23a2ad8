/// Lends its bytes: keys and values go to LMDB without a copy.
///
/// A generic entry point is compiled with its caller, for the type at hand; the work on the bytes is compiled once.
public protocol ByteSource {
    /// Calls `body` with the bytes, which are valid during the call alone.
    func withBytes<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T
}

extension Array: ByteSource where Element == UInt8 {
    @inlinable
    public func withBytes<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T { withUnsafeBytes(body) }
}

extension ArraySlice: ByteSource where Element == UInt8 {
    @inlinable
    public func withBytes<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T { withUnsafeBytes(body) }
}

extension UnsafeRawBufferPointer: ByteSource {
    @inlinable
    public func withBytes<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T { body(self) }
}

/// An unsigned number as a key: 8 bytes, most significant first, so that rows lie in numeric order.
extension UInt64: ByteSource {
    @inlinable
    public func withBytes<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T {
        withUnsafeBytes(of: bigEndian, body)
    }
}
