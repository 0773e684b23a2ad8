package import Events

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
