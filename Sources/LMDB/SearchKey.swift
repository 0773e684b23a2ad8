/// A key to look for in pages, with its first bytes at hand.
///
/// Sound: whoever looks keeps the key's bytes meanwhile.
struct SearchKey {
    private let start: UnsafeRawPointer
    private let count: Int
    /// Its first eight bytes as a number of their order, if it has as many.
    private let head: UInt64

    /// Nil for a key of no bytes, which is none to LMDB.
    @inline(__always)
    init?(_ key: UnsafeRawBufferPointer) {
        guard let start = key.baseAddress, key.count > 0 else { return nil }
        self.start = start
        count = key.count
        head = count < 8 ? 0 : UInt64(bigEndian: start.loadUnaligned(as: UInt64.self))
    }

    /// How it lies to another: below it if negative, equal if 0, else above.
    @inline(__always)
    func order(to other: UnsafeRawBufferPointer) -> Int {
        if count >= 8, other.count >= 8 {
            let otherHead = UInt64(bigEndian: other.loadUnaligned(as: UInt64.self))
            if head != otherHead { return head < otherHead ? -1 : 1 }
        }
        return wholeOrder(to: other)
    }

    // In words, which are compiled here: to call `memcmp` for so few bytes takes longer than what it does.
    @inline(never)
    private func wholeOrder(to other: UnsafeRawBufferPointer) -> Int {
        guard let otherStart = other.baseAddress else { return count }
        let shared = min(count, other.count)
        var place = 0
        while place + 8 <= shared {
            let one = UInt64(bigEndian: start.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let two = UInt64(bigEndian: otherStart.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            if one != two { return one < two ? -1 : 1 }
            place += 8
        }
        while place < shared {
            let one = start.load(fromByteOffset: place, as: UInt8.self)
            let two = otherStart.load(fromByteOffset: place, as: UInt8.self)
            if one != two { return one < two ? -1 : 1 }
            place += 1
        }
        return count - other.count
    }
}
