extension [UInt8] {
    /// The eight bytes from `index` on as one integer, the first of them lowest.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        precondition(index >= 0 && index <= count - 8)
        // Sound: the eight bytes were just checked to be inside, and the pointer does not leave the closure.
        return withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: index, as: UInt64.self)) }
    }

    /// The bytes in `range`, of which at most eight count, as one integer padded with zeros.
    @inline(__always)
    func word(_ range: Range<Int>) -> UInt64 {
        guard !range.isEmpty else { return 0 }
        let word = word(at: range.lowerBound)
        return range.count >= 8 ? word : word & ((1 << UInt64(range.count * 8)) - 1)
    }
}

/// Arithmetic on the eight bytes of a word at once.
enum EachByte {
    /// A word that holds `byte` eight times.
    @inline(__always)
    static func all(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// The high bit of every byte that is zero. Above the lowest such byte there may be false ones, as a borrow
    /// propagates.
    @inline(__always)
    static func isZero(_ word: UInt64) -> UInt64 { (word &- all(0x01)) & ~word & all(0x80) }

    /// The number of bytes below the lowest one with any bit set; 8 if there is none.
    @inline(__always)
    static func countBelowLowest(_ word: UInt64) -> Int { word.trailingZeroBitCount / 8 }
}
