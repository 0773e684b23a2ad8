import Events

/// A fixed set of names that is queried by bytes, without making text.
struct KnownNames: Sendable {
    /// The names, concatenated.
    private let bytes: [UInt8]
    /// The range of each name.
    private let ranges: [Range<Int>]
    /// Open addressing: the number of a name plus one, or 0.
    private let slots: [UInt16]

    /// At most 16,000 names.
    init(_ names: some Sequence<String>) {
        let names = names.prefix(16_000).map { Array($0.utf8) }
        // At most half of them are used.
        var size = 64
        while size < names.count * 2 { size *= 2 }
        var slots = [UInt16](repeating: 0, count: size)
        var ranges: [Range<Int>] = []
        var bytes: [UInt8] = []
        for name in names {
            var place = name.withUnsafeBytes { Self.hash($0) } & (slots.count - 1)
            while slots[place] != 0 { place = (place + 1) & (slots.count - 1) }
            ranges.append(bytes.count..<bytes.count + name.count)
            bytes += name
            slots[place] = UInt16(ranges.count)
        }
        (self.bytes, self.ranges, self.slots) = (bytes, ranges, slots)
    }

    func contains(_ name: UnsafeRawBufferPointer) -> Bool {
        var place = Self.hash(name) & (slots.count - 1)
        while slots[place] != 0 {
            let range = ranges[Int(slots[place]) - 1]
            if range.count == name.count, bytes.withUnsafeBytes({ $0.part(range).equals(name) }) { return true }
            place = (place + 1) & (slots.count - 1)
        }
        return false
    }

    /// Eight bytes at a time, each folded in by a multiplication. The set is fixed, so no input can make it slow.
    private static func hash(_ name: UnsafeRawBufferPointer) -> Int {
        var hash = UInt64(truncatingIfNeeded: name.count)
        var place = 0
        while place + 8 <= name.count {
            hash = (hash ^ name.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 32
            place += 8
        }
        for byte in name[place...] { hash = (hash ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15 }
        return Int(truncatingIfNeeded: hash >> 32)
    }
}
