public import EventLog
import Events
public import Trips

/// Writing items whatever their kind, and moving them between trips.
extension TripStore {
    /// Deletes an item of any kind. Throws like the others.
    @discardableResult
    public func delete(_ item: TripItem.ID, by authorship: Authorship = Authorship()) async throws -> Receipt {
        try await append([TripEvent(.deleted, item.reference)], by: authorship)
    }

    /// Takes the deletion of an item of any kind back. Throws like the others.
    @discardableResult
    public func restore(_ item: TripItem.ID, by authorship: Authorship = Authorship()) async throws -> Receipt {
        try await append([TripEvent(.restored, item.reference)], by: authorship)
    }

    /// Moves an item to another trip. Nothing is written if it is there already.
    ///
    /// Throws `TripStoreError` (`.unknownEntity`, `.deleted`, `.unknownTrip`), or what the log refuses.
    @discardableResult
    public func move<Kind: ItemKind>(
        _ item: Identifier<Item<Kind>>, to trip: Trip.ID, by authorship: Authorship = Authorship()
    ) async throws -> Receipt {
        try await write([TripEvent(.edited, item, [.set(\.trip, trip)])], by: authorship)
    }

    /// Puts an item of any kind into another trip. Throws like the other.
    @discardableResult
    public func move(
        _ item: TripItem.ID, to trip: Trip.ID, by authorship: Authorship = Authorship()
    ) async throws -> Receipt {
        try await move([item], to: trip, by: authorship)
    }

    /// Moves items of any kind to another trip; those that are there already are left as they are. Throws like `move(_:to:by:)`.
    @discardableResult
    public func move(
        _ items: [TripItem.ID], to trip: Trip.ID, by authorship: Authorship = Authorship()
    ) async throws -> Receipt {
        let parent = FieldChange<Activity>.set(\.trip, trip)
        let events = items.map { item in
            TripEvent(.edited, item.reference, writes: [TripEvent.Write(field: parent.field, value: parent.value)])
        }
        return try await write(events, by: authorship)
    }
}

extension CommitDraft {
    /// Moves an item to another trip.
    public mutating func move<Kind: ItemKind>(_ item: Identifier<Item<Kind>>, to trip: Trip.ID) {
        append(TripEvent(.edited, item, [.set(\.trip, trip)]))
    }
}

extension UndoTarget {
    /// Every edit of a trip, and of what was ever in it, after a position.
    public static func trip(_ id: Trip.ID, since position: Position) -> UndoTarget {
        .entity(id.reference, since: position)
    }
}

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
