/// Finds the ``ExportKey`` of the bytes of a key, by comparing integers instead of bytes.
///
/// A key of up to 24 bytes is three words, padded with zeros, and its length; that is exact, not a hash. An open table
/// with linear probing, at most a quarter full, finds the words.
struct KeyTable {
    private struct Words: Equatable {
        var first: UInt64 = 0
        var second: UInt64 = 0
        var third: UInt64 = 0
        var length = 0

        init() {}

        init(_ bytes: [UInt8], _ range: Range<Int>) {
            length = range.count
            for index in range.prefix(8) { first = first << 8 | UInt64(bytes[index]) }
            for index in range.dropFirst(8).prefix(8) { second = second << 8 | UInt64(bytes[index]) }
            for index in range.dropFirst(16).prefix(8) { third = third << 8 | UInt64(bytes[index]) }
        }

        var slot: Int {
            // Multiplying by an odd number that is near 2⁶⁴ divided by the golden ratio spreads the keys; any would do.
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
            let bytes = [UInt8](key.rawValue.utf8)
            precondition(bytes.count <= KeyTable.longestKey)
            let words = Words(bytes, bytes.indices)
            var slot = words.slot
            while entries[slot].key != .none { slot = (slot + 1) % entries.count }
            entries[slot] = Entry(words: words, key: key)
        }
    }

    /// The key that fills `range` of `bytes`, or `.unknown`.
    func key(_ bytes: [UInt8], _ range: Range<Int>) -> ExportKey {
        guard range.count <= KeyTable.longestKey else { return .unknown }
        let words = Words(bytes, range)
        var slot = words.slot
        while entries[slot].key != .none {
            if entries[slot].words == words { return entries[slot].key }
            slot = (slot + 1) % entries.count
        }
        return .unknown
    }
}
