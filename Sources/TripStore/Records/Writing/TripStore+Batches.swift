public import Trips

/// The verbs for several entities of one kind, in one commit: all or nothing, here and on every replica.
///
/// What does not fit into one commit (16 MiB, 65,536 events) throws, and nothing is written: `load(by:isolation:_:)` writes many
/// commits.
extension TripStore {
    /// Creates entities. Throws like `create(_:by:)`; without any, `TripStoreError.Code.nothingToWrite`.
    @discardableResult
    public func create<Entity: TripEntity>(
        _ entities: [Entity], by authorship: Authorship = Authorship()
    ) async throws -> Receipt {
        try await append(entities.map { .created($0, in: knownSchema) }, by: authorship)
    }

    /// Reads entities, lets `change` work on each, and writes the fields that came out otherwise, if any did. An id that is
    /// there twice counts once.
    ///
    /// It is one step: if one of them moved meanwhile, `change` runs again on all of them. Throws like `edit(_:by:isolation:_:)`.
    @discardableResult
    public func edit<Entity: TripEntity>(
        _ ids: [Identifier<Entity>], by authorship: Authorship = Authorship(),
        isolation actor: isolated (any Actor)? = #isolation, _ change: (inout Entity) throws -> Void
    ) async throws -> Receipt {
        var seen: Set<Identifier<Entity>> = []
        let ids = ids.filter { seen.insert($0).inserted }
        let references = ids.map(\.reference)
        return try await writeComputed {
            _ = actor
            if let receipt = try receiptOfEarlierAttempt(.edits(Set(references)), authorship) { return receipt }
            let (found, position) = try read { views in (try ids.map { try views.present($0) }, views.position) }
            let versions = Dictionary(uniqueKeysWithValues: zip(references, found.map(\.1)))
            let events = try found.compactMap { original, _ in
                var draft = original
                try change(&draft)
                return TripEvent.edited(from: original, to: draft)
            }
            if events.isEmpty { return Receipt(unchangedAt: position, versions: versions, entities: references) }
            return try await write(events, .edits(Set(references)), by: authorship, expecting: versions)
        }
    }

    /// Deletes entities. Throws like `delete(_:by:)`; without any, `TripStoreError.Code.nothingToWrite`.
    @discardableResult
    public func delete<Entity: TripEntity>(
        _ ids: [Identifier<Entity>], by authorship: Authorship = Authorship()
    ) async throws -> Receipt {
        try await append(ids.map { .deleted($0) }, by: authorship)
    }

    /// Restores entities. Throws like `restore(_:by:)`; without any, `TripStoreError.Code.nothingToWrite`.
    @discardableResult
    public func restore<Entity: TripEntity>(
        _ ids: [Identifier<Entity>], by authorship: Authorship = Authorship()
    ) async throws -> Receipt {
        try await append(ids.map { .restored($0) }, by: authorship)
    }
}

/// Writing what a query finds.
extension TripStore {
    /// Edits all entities that meet a query's condition when it is read, in one commit; if there are none, nothing is written. What others
    /// change between reading and writing is edited all the same, and the condition is not checked again.
    ///
    /// Throws as `edit(_:by:isolation:_:)` for several, `.deleted` if one is deleted meanwhile, and `TripStoreError.Code.unusableOption` for an
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
    /// Throws as `delete(_:by:)` for several: `TripStoreError.Code.nothingToWrite` if there are none, `.deleted` if one is deleted meanwhile; and
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
