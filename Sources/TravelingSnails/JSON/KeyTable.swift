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
        var number = 0
    }

    private static let longestKey = 24
    private var entries = [Entry](repeating: Entry(), count: 256)

    static let shared = KeyTable()

    private init() {
        for (number, key) in ExportKey.allCases.enumerated() where key != .none && key != .unknown {
            let length = key.rawValue.utf8.count
            precondition(length <= KeyTable.longestKey)
            let words = Words.of(Array(key.rawValue.utf8) + [UInt8](repeating: 0, count: 8), 0..<length)
            var slot = words.slot
            while entries[slot].key != .none { slot = (slot + 1) % entries.count }
            entries[slot] = Entry(words: words, key: key, number: number)
        }
    }

    /// The key that fills `range` of `bytes`, or `.unknown`. There must be at least seven bytes behind the range.
    @inline(__always)
    func key(_ bytes: [UInt8], _ range: Range<Int>) -> ExportKey { numberedKey(bytes, range).key }

    /// The key, and its number among all keys, counted from 0.
    @inline(__always)
    func numberedKey(_ bytes: [UInt8], _ range: Range<Int>) -> (key: ExportKey, number: Int) {
        guard range.count <= KeyTable.longestKey else { return (.unknown, 0) }
        let words = Words.of(bytes, range)
        var slot = words.slot
        while entries[slot].key != .none {
            if entries[slot].words == words { return (entries[slot].key, entries[slot].number) }
            slot = (slot + 1) % entries.count
        }
        return (.unknown, 0)
    }
}

/// Known keys, by their numbers. There are fewer than 128.
struct KeySet {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Whether the key was not there before.
    @inline(__always)
    mutating func insert(_ number: Int) -> Bool {
        let bit: UInt64 = 1 << UInt64(number & 63)
        let isNew = (number < 64 ? low : high) & bit == 0
        if number < 64 { low |= bit } else { high |= bit }
        return isNew
    }
}

/// The known keys, so that a key costs one byte once it is read.
enum ExportKey: String, CaseIterable {
    /// No key has been read yet.
    case none = ""
    /// A key that is not among these.
    case unknown = "?"

    case exportInfo, version, timestamp, format
    case trips, organizations, addresses, attachments
    case id, name, notes, createdDate, startDate, endDate, hasStartDate, hasEndDate, totalCost, isProtected
    case transportation, lodging, activities
    case embeddedTransportation, embeddedLodging, embeddedActivities
    case type, start, end, startTZId, endTZId, cost, paid, confirmation, reservation
    case organizationId, customLocationName, hideLocation
    case phone, email, website, logoURL, address
    case fileName, originalFileName, fileSize, mimeType, fileDescription, parentType, parentId, fileData
    // Fields that the app does not know, and passes over.
    case exportedBy, exportedFrom, timeZone, currency, hasStart, hasEnd, startMilliseconds, endMilliseconds
    case createdDateMilliseconds, hasCoordinates
    case street, city, state, country, postalCode, latitude, longitude, formattedAddress
}

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
