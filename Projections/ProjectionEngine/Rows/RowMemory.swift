/// A block of memory, freed with this object.
///
/// `@unchecked Sendable`: every writer makes sure that it is the only owner, as `RowStorage` does.
@usableFromInline
final class RowMemory: @unchecked Sendable {
    let start: UnsafeMutableRawPointer
    let capacity: Int

    init(capacity: Int) {
        start = .allocate(byteCount: capacity, alignment: 16)
        self.capacity = capacity
    }

    /// Stands for no memory: an address of one byte that is never read or written.
    nonisolated(unsafe) static let none = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 16)

    /// A copy of the same size, with the same first bytes.
    func copy(_ count: Int) -> RowMemory {
        let copy = RowMemory(capacity: capacity)
        copy.start.copyMemory(from: start, byteCount: count)
        return copy
    }

    /// Passes bytes to `body`, which lie in `memory` if there are any.
    @inline(__always)
    static func lend<T, Failure: Error>(
        _ start: UnsafeMutableRawPointer, _ count: Int, of memory: RowMemory?,
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> T
    ) throws(Failure) -> T {
        // The pointed-to bytes are freed with it.
        defer { withExtendedLifetime(memory) {} }
        return try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    deinit { start.deallocate() }
}
