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
}
