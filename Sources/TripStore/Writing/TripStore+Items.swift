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
