package import Events

extension OwnList {
    /// The events that give elements with long ranks of a list shorter ones, in the same order; none if no rank is long.
    ///
    /// Each has an original time one tick after that of the ranks which it replaces. So its writes are later than those ranks, and earlier than
    /// a move that was written since, or concurrently on a replica that does not hold them: such a move counts.
    ///
    /// O(n · log n).
    package func rebalancing(
        _ id: Identifier<Entity>, _ record: EntityRecord, using generator: inout some RandomNumberGenerator
    ) -> [Event] {
        let number = declaration.number
        let slots = Entity(id: id, record: record).own.slots(of: number)
        guard slots.contains(where: { $0.rank.bytes.count > ListRank.short }) else { return [] }
        var changes: [Timestamp: [Change]] = [:]
        for (slot, rank) in zip(slots, ListRank.shortened(slots.map(\.rank), using: &generator)) where rank != slot.rank
        {
            let path = ElementKey(.rank, slot.name).path(in: number)
            guard let held = record.register(at: path)?.stamp else { continue }
            changes[Timestamp(rawValue: held.timestamp.rawValue + 1), default: []]
                .append(Change(path: path, value: rank.bytes, seen: Seen(held)))
        }
        return changes.sorted { $0.key < $1.key }.map { time, changes in
            Event(
                verb: .edited, entity: id.reference, changes: changes.sorted { $0.path < $1.path }, original: time)
        }
    }
}
