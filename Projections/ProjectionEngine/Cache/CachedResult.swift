/// A cached result: in a class, so that its type is checked fast, and a cached nil differs from a cache miss.
///
/// `@unchecked Sendable`: it has no state of its own; the one class below it is immutable, and its value sendable.
@usableFromInline
class CachedResult: @unchecked Sendable {
    /// Bytes of the value, without what it refers to.
    @usableFromInline let size: Int

    @usableFromInline
    init(size: Int) { self.size = size }
}

/// The result of a query of one type.
@usableFromInline
final class TypedResult<Value: Sendable>: CachedResult, @unchecked Sendable {
    @usableFromInline let value: Value

    @inlinable
    init(_ value: Value) {
        self.value = value
        super.init(size: MemoryLayout<Value>.size)
    }
}
