/// A running checksum of 64 bits that tells a completely written block from a missing or partial one.
///
/// It is that of SQLite's write-ahead log (sqlite.org/fileformat2.html, "Checksum Algorithm"): two sums of 32 bits that
/// feed each other. It guards against power cuts, not against attackers. O(bytes), about 1 ns for 4.
struct WriteAheadChecksum: Hashable {
    private var first: UInt32
    private var second: UInt32

    init(seed: UInt64) {
        first = UInt32(truncatingIfNeeded: seed)
        second = UInt32(truncatingIfNeeded: seed >> 32)
    }

    var value: UInt64 { UInt64(second) << 32 | UInt64(first) }

    /// Adds bytes, padded with zeros to a multiple of 8.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        let whole = bytes.count & ~7
        for offset in stride(from: 0, to: whole, by: 8) {
            add(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        guard whole < bytes.count else { return }
        var last: UInt64 = 0
        withUnsafeMutableBytes(of: &last) {
            $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[whole...]))
        }
        add(last)
    }

    private mutating func add(_ word: UInt64) {
        let word = UInt64(littleEndian: word)
        first &+= UInt32(truncatingIfNeeded: word) &+ second
        second &+= UInt32(truncatingIfNeeded: word >> 32) &+ first
    }
}
