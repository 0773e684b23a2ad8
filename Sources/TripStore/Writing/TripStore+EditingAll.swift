public import Trips

/// Writing what a query finds.
extension TripStore {
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
