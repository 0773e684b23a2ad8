import Events
public import Trips

extension TripStore {
    /// Puts trips into an order that a person made by hand: each gets a rank (`Trip.rank`) after the one before it, as few as possible a new
    /// one. Nothing is written if they are in that order already, as the receipt says.
    ///
    /// Trips that are not named keep their ranks. Moves and insertions of concurrent edits all count; of two moves of one trip the later does.
    /// `Query<Trip>().sorted(by: \.rank)` reads the order.
    ///
    /// O(n · log n) for n trips: moving one writes one.
    ///
    /// Throws `TripStoreError` (`.unknownEntity` or `.deleted` if one is not there, `.appendIDUnusable` for an append id), and what the log
    /// refuses.
    @discardableResult
    public func arrange(_ trips: [Trip.ID], by authorship: Authorship = Authorship()) async throws -> Receipt {
        try refuseAppendID(authorship, "to arrange trips")
        var named: Set<Trip.ID> = []
        let trips = trips.filter { named.insert($0).inserted }
        return try await writeComputed {
            let (known, versions, position) = try read { views in
                var known: [Rank?] = []
                var versions: [EntityReference: EntityVersion] = [:]
                for trip in trips {
                    let (found, version) = try views.present(trip)
                    known.append(found.rank)
                    versions[trip.reference] = version
                }
                return (known, versions, views.position)
            }
            let events = zip(trips, zip(known, Rank.ascending(known))).compactMap { trip, ranks in
                ranks.0 == ranks.1 ? nil : TripEvent(.edited, trip, [.set(\.rank, ranks.1)])
            }
            if events.isEmpty {
                return Receipt(unchangedAt: position, versions: versions, entities: trips.map(\.reference))
            }
            return try await write(events, by: authorship, expecting: versions)
        }
    }

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
