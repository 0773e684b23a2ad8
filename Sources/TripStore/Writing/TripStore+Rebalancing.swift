public import Trips

extension TripStore {
    /// Gives the elements of a list short ranks again, in the same order, where many insertions between neighbours have made them long. If all
    /// have up to 24 bytes, nothing is written, as the receipt says.
    ///
    /// Concurrent moves win: the new ranks are ordered directly after the writes that they replace. An element that is inserted concurrently
    /// between two whose ranks change may get another neighbour. The earlier moves of the elements cannot be undone any more.
    ///
    /// O(n · log n) for n elements.
    ///
    /// Throws `TripStoreError` (`.unknownEntity` or `.deleted` if the entity is not there, `.unusableOption` for an append id), and what the
    /// log refuses.
    @discardableResult
    public func rebalance<Entity: TripEntity, Element>(
        _ list: OwnList<Entity, Element>, of id: Identifier<Entity>, by authorship: Authorship = Authorship()
    ) async throws -> Receipt {
        try refuseAppendID(authorship, "to rebalance a list")
        return try await writeComputed {
            let (record, version, position) = try read { views in
                (try views.record(of: id.reference), try views.present(id).1, views.position)
            }
            let versions = [id.reference: version]
            let events = record.map { list.rebalancing(id, $0, by: replica) } ?? []
            if events.isEmpty { return Receipt(unchangedAt: position, versions: versions, entities: [id.reference]) }
            return try await write(computed: events, .resolving, by: authorship, expecting: versions)
        }
    }
}
