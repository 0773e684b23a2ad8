/// The bytes of the rows of a sink, where they are kept while none is written: a value, whose copies share memory until one
/// of them is written to.
struct RowStorage: Sendable {
    /// Frees the memory; nil as long as there is none.
    private var memory: RowMemory?
    // Its start, so that the object need not be asked. Sound: while it is here, it neither moves nor frees the memory.
    private nonisolated(unsafe) var start = RowMemory.none
    private(set) var count = 0

    init() {}

    /// The bytes, to be written on, and `keep(_:)` to be called with what came of it: until then nothing is here.
    @inline(__always)
    mutating func take() -> RowBytes {
        if !isKnownUniquelyReferenced(&memory) { unshare() }
        defer { count = 0 }
        // Swapped, here as below: to copy would count references up and down.
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

    /// Begins anew, with the memory that there is.
    mutating func removeAll() { count = 0 }

    /// Lets go of what was written after the first so many bytes.
    mutating func removeLast(to count: Int) { self.count = min(self.count, count) }
}
