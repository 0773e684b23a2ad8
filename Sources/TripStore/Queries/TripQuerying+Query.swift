public import Trips

extension TripQuerying {
    /// A page of what a query asks for: see `TripViews.fetch(_:after:)`.
    public func fetch<Entity: TripEntity>(
        _ query: Query<Entity>, after cursor: PageCursor? = nil
    ) throws -> Rows<Entity> {
        try read { try $0.fetch(query, after: cursor) }
    }

    /// How many entities meet a query's condition, regardless of its limit. O(entities).
    public func count<Entity: TripEntity>(_ query: Query<Entity>) throws -> Int { try read { try $0.count(query) } }

    /// Whether there is any. O(entities before the first).
    public func exists<Entity: TripEntity>(_ query: Query<Entity>) throws -> Bool { try read { try $0.exists(query) } }

    /// The first in the query's order; nil if there is none. O(entities).
    public func first<Entity: TripEntity>(_ query: Query<Entity>) throws -> Entity? {
        try read { try $0.first(query) }
    }

    /// The ids of all that meet the condition, in the query's order, regardless of its limit. O(entities).
    public func ids<Entity: TripEntity>(_ query: Query<Entity>) throws -> [Identifier<Entity>] {
        try read { try $0.ids(query) }
    }
}

extension TripStore {
    /// The first page of a query, live. Each change of any entity runs it again: O(entities of all kinds).
    public func live<Entity: TripEntity>(_ query: Query<Entity>) -> LiveQuery<LiveRows<Entity>> {
        liveRows {
            let rows = try $0.fetch(query)
            return (rows.rows, rows.next)
        }
    }

    /// Edits all entities that meet a query's condition when it is read, in one commit; if there are none, nothing is written. What others
    /// change between reading and writing is edited all the same, and the condition is not checked again.
    ///
    /// Throws as `edit(_:by:isolation:_:)` for several, `.deleted` if one is deleted meanwhile, and `TripStoreError.unusableOption` for an
    /// append id: a repeated attempt might find others.
    @discardableResult
    public func editAll<Entity: TripEntity>(
        _ query: Query<Entity>, by authorship: Authorship = Authorship(),
        isolation actor: isolated (any Actor)? = #isolation, _ change: (inout Entity) throws -> Void
    ) async throws -> Receipt {
        try await edit(readIDs(query, authorship), by: authorship, change)
    }

    /// Deletes all entities that meet a query's condition when it is read, in one commit; `count(_:)` returns how many there are. What others
    /// change between reading and writing is deleted all the same.
    ///
    /// Throws as `delete(_:by:)` for several: `TripStoreError.nothingToWrite` if there are none, `.deleted` if one is deleted meanwhile; and
    /// `.unusableOption` for an append id.
    @discardableResult
    public func deleteAll<Entity: TripEntity>(
        _ query: Query<Entity>, by authorship: Authorship = Authorship()
    ) async throws -> Receipt {
        try await delete(readIDs(query, authorship), by: authorship)
    }

    private func readIDs<Entity: TripEntity>(
        _ query: Query<Entity>, _ authorship: Authorship
    ) async throws -> [Identifier<Entity>] {
        try refuseAppendID(authorship, "to write what a query finds")
        try await catchUp()
        return try ids(query)
    }
}
