package import Events

/// Where an element of a list stands: bytes that sort like the elements. There is always room for more between two of them.
///
/// They are read as numbers of 4 bytes, and the first pair of numbers with room between them takes the new element; where there is none
/// a further number is appended. A rank is drawn from the 65,536 next numbers rather than the next one, so that replicas that insert
/// concurrently at one index seldom draw the same, and appending does not make ranks longer. Several elements that are inserted at once
/// share a drawn number in front of their own, so that concurrent insertions do not separate them. The scheme is that
/// of Nédelec et al., "LSEQ: an adaptive structure for sequences in distributed collaborative editing" (2013), with a fixed base.
struct ListRank: Hashable, Comparable, Sendable {
    let bytes: [UInt8]

    static func < (a: ListRank, b: ListRank) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }

    private static let base: UInt64 = 1 << 32
    /// Of how many numbers one is drawn.
    private static let choice: UInt64 = 1 << 16

    /// Bytes of the longest rank that is made. Where others have written longer ones, or left no room, an edit gives all elements new ranks.
    /// Concurrent moves lose to these, other than to those of a rebalancing.
    static let longest = 1024
    /// Bytes of the longest rank after a rebalancing.
    static let short = 24

    /// Ranks of all elements of a list, of which some have one: as few as possible get another, so that they ascend.
    static func completed(
        _ known: [ListRank?], using generator: inout some RandomNumberGenerator
    ) -> [ListRank] {
        var ranks: [ListRank] = []
        ranks.reserveCapacity(known.count)
        while ranks.count < known.count {
            if let rank = known[ranks.count], ranks.last.map({ $0 < rank }) ?? true {
                ranks.append(rank)
                continue
            }
            // Up to the next with a rank that is greater: others may have given several the same.
            let end = (ranks.count..<known.count).first { index in
                known[index].map { rank in !rank.bytes.isEmpty && ranks.last.map { $0 < rank } ?? true } ?? false
            }
            let upper = end.flatMap { known[$0] }
            let added = run((end ?? known.count) - ranks.count, after: ranks.last, before: upper, using: &generator)
            let isInOrder = upper.map { upper in added.last.map { $0 < upper } ?? true } ?? true
            guard isInOrder, added.allSatisfy({ $0.bytes.count <= longest }) else {
                return run(known.count, after: nil, before: nil, using: &generator)
            }
            ranks += added
        }
        return ranks
    }

    /// Ranks of all elements of a list in the same order, none of them long: as few as possible are new.
    static func shortened(_ ranks: [ListRank], using generator: inout some RandomNumberGenerator) -> [ListRank] {
        // Between ranks that are nearly long there is room for long ones alone: then those are replaced too.
        for kept in stride(from: short, to: 0, by: -4) {
            let known = ranks.map { $0.bytes.count > kept ? nil : $0 }
            let completed = completed(known, using: &generator)
            if completed.allSatisfy({ $0.bytes.count <= short }) { return completed }
        }
        return run(ranks.count, after: nil, before: nil, using: &generator)
    }

    /// Ascending ranks of elements to be inserted between two; nil for the begin and the end of the list. If `upper` does not come
    /// after `lower`, there is no room and they come after `lower`.
    static func run(
        _ count: Int, after lower: ListRank?, before upper: ListRank?, using generator: inout some RandomNumberGenerator
    ) -> [ListRank] {
        guard count > 0 else { return [] }
        var prefix = drawn(after: lower, before: upper, using: &generator)
        guard count > 1 else { return [ListRank(bytes: prefix.bytes)] }
        // What a draw of few numbers leaves to chance would not keep two runs apart.
        if prefix.choices < choice {
            prefix.bytes += UInt32(UInt64.random(in: 1..<base, using: &generator)).bigEndianBytes
        }
        // As far apart as they can be, for what is inserted between them.
        let step = base / UInt64(count + 1)
        return (1...count).map { ListRank(bytes: prefix.bytes + UInt32(UInt64($0) * step).bigEndianBytes) }
    }

    /// A rank between two that has room before and behind it, and of how many it was drawn.
    private static func drawn(
        after lower: ListRank?, before upper: ListRank?, using generator: inout some RandomNumberGenerator
    ) -> (bytes: [UInt8], choices: UInt64) {
        var bytes: [UInt8] = []
        var bound = upper.flatMap { upper in lower.map { $0 < upper } ?? true ? upper : nil }
        var digit = 0
        while true {
            let known = lower?.number(at: digit)
            let high = bound?.number(at: digit)
            // Behind the end of both only zeros can follow, if another wrote them: no room.
            if high == nil { bound = nil }
            // Without bounds from the middle on, so that there is room on both sides.
            let low = known ?? (high == nil ? base / 2 : 0)
            let room = (high ?? base) > low ? (high ?? base) - low - 1 : 0
            if room > 0 {
                let choices = min(choice, (room + 1) / 2)
                let offset = UInt64.random(in: 1...choices, using: &generator)
                // Next to the neighbour: the rest of the room stays for later insertions in the same direction.
                let number = if known == nil, let high { high - offset } else { low + offset }
                return (bytes + UInt32(number).bigEndianBytes, choices)
            }
            bytes += UInt32(low).bigEndianBytes
            if high != low { bound = nil }
            digit += 1
        }
    }

    /// A number of 4 bytes, padded with zeros; nil behind the end.
    private func number(at digit: Int) -> UInt64? {
        let start = digit * 4
        guard start < bytes.count else { return nil }
        return (0..<4).reduce(0) { $0 << 8 | UInt64(start + $1 < bytes.count ? bytes[start + $1] : 0) }
    }
}

extension ListRank: FieldValue {
    static var form: FieldForm { .data }

    init(encoded bytes: UnsafeRawBufferPointer, strictly: Bool) { self.init(bytes: [UInt8](bytes)) }

    var encodedValue: [UInt8]? { bytes }
    var text: String { bytes.hexadecimal }
}

extension OwnList {
    /// The events that give elements with long ranks of a list shorter ones, in the same order; none if no rank is long.
    ///
    /// Each has the original time of the ranks which it replaces, or one tick more if their writer has the greater id: so its writes directly
    /// follow those ranks in the order of the merge, and later moves, concurrent ones among them, win. (Of those that another wrote within
    /// that tick the greater id wins.)
    ///
    /// Replicas that hold equal lists make equal ranks. O(n · log n).
    package func rebalancing(_ id: Identifier<Entity>, _ record: EntityRecord, by replica: ReplicaID) -> [Event] {
        let slots = Entity(id: id, record: record).own.slots(of: number)
        guard slots.contains(where: { $0.rank.bytes.count > ListRank.short }) else { return [] }
        var generator = MixedGenerator(slots.flatMap { $0.name + $0.rank.bytes })
        var changes: [Timestamp: [Change]] = [:]
        for (slot, rank) in zip(slots, ListRank.shortened(slots.map(\.rank), using: &generator)) where rank != slot.rank
        {
            let path = ElementKey(.rank, slot.name).path(in: number)
            let held = record.register(at: path)?.stamp
            let time = (held?.timestamp.rawValue ?? 0) + (held.map { $0.replica < replica } ?? false ? 0 : 1)
            changes[Timestamp(rawValue: time), default: []]
                .append(Change(path: path, value: rank.bytes, seen: held.map { Seen($0) }))
        }
        return changes.sorted { $0.key < $1.key }.map { time, changes in
            Event(
                verb: .edited, entity: id.reference, changes: changes.sorted { $0.path < $1.path }, original: time)
        }
    }
}

/// Numbers that follow from some bytes: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014), seeded
/// by their FNV-1a hash.
private struct MixedGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ bytes: [UInt8]) {
        state = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
