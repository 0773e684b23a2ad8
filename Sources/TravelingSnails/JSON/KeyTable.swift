/// Finds the ``ExportKey`` of the bytes of a key, by comparing integers instead of bytes.
///
/// A key of up to 24 bytes is three words, padded with zeros, and its length; that is exact, not a hash. An
/// open-addressing table with linear probing, less than a third full, holds the words.
struct KeyTable {
    private struct Words: Equatable {
        var first: UInt64 = 0
        var second: UInt64 = 0
        var third: UInt64 = 0
        var length = 0

        /// A function and no initializer, which would take ownership of the bytes and so count a reference for every
        /// key.
        @inline(__always)
        static func of(_ bytes: [UInt8], _ range: Range<Int>) -> Words {
            var words = Words()
            words.length = range.count
            words.first = bytes.word(range)
            if range.count > 8 { words.second = bytes.word(range.lowerBound + 8..<range.upperBound) }
            if range.count > 16 { words.third = bytes.word(range.lowerBound + 16..<range.upperBound) }
            return words
        }

        var slot: Int {
            // Multiplying by an odd number near 2⁶⁴ divided by the golden ratio spreads the keys; any would do.
            let mixed = (first ^ (second &* 3) ^ (third &* 5)) &* 0x9E37_79B9_7F4A_7C15
            return Int(truncatingIfNeeded: mixed >> 56)
        }
    }

    private struct Entry {
        var words = Words()
        var key = ExportKey.none
    }

    private static let longestKey = 24
    private var entries = [Entry](repeating: Entry(), count: 256)

    static let shared = KeyTable()

    private init() {
        for key in ExportKey.allCases where key != .none && key != .unknown {
            let length = key.rawValue.utf8.count
            precondition(length <= KeyTable.longestKey)
            let words = Words.of(Array(key.rawValue.utf8) + [UInt8](repeating: 0, count: 8), 0..<length)
            var slot = words.slot
            while entries[slot].key != .none { slot = (slot + 1) % entries.count }
            entries[slot] = Entry(words: words, key: key)
        }
    }

    /// The key that fills `range` of `bytes`, or `.unknown`. There must be at least seven bytes behind the range.
    @inline(__always)
    func key(_ bytes: [UInt8], _ range: Range<Int>) -> ExportKey {
        guard range.count <= KeyTable.longestKey else { return .unknown }
        let words = Words.of(bytes, range)
        var slot = words.slot
        while entries[slot].key != .none {
            if entries[slot].words == words { return entries[slot].key }
            slot = (slot + 1) % entries.count
        }
        return .unknown
    }
}
