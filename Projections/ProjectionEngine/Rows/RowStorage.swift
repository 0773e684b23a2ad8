/// The bytes of the rows of a sink while none is being written: a value, whose copies share memory until one of them is
/// written to.
struct RowStorage: Sendable {
    /// Frees the memory; nil as long as there is none.
    private var memory: RowMemory?
    // Its start, cached outside the object. Sound: while this value exists, the object neither moves nor frees the
    // memory.
    private nonisolated(unsafe) var start = RowMemory.none
    private(set) var count = 0

    init() {}

    /// Moves the bytes out for writing; the caller returns them with `keep(_:)`. Until then this value is empty.
    @inline(__always)
    mutating func take() -> RowBytes {
        if !isKnownUniquelyReferenced(&memory) { unshare() }
        defer { count = 0 }
        // Swapped, here as below: a copy would count references up and down.
        return RowBytes(takingOver: &memory, start, count: count)
    }

    @inline(never)
    private mutating func unshare() {
        guard let copy = memory?.copy(count) else { return }
        (memory, start) = (copy, copy.start)
    }

    @inline(__always)
    mutating func keep(_ bytes: consuming RowBytes) {
        (start, count) = (bytes.start, bytes.count)
        swap(&memory, &bytes.memory)
    }

    @inline(__always)
    func withBytes<T, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> T
    ) throws(Failure) -> T {
        try RowMemory.lend(start, count, of: memory, body)
    }

    /// Starts over, with the same memory.
    mutating func removeAll() { count = 0 }

    /// Drops what was written after the first `count` bytes.
    mutating func removeLast(to count: Int) { self.count = min(self.count, count) }
}
