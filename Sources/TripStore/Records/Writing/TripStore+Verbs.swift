public import Events
public import Trips

extension TripStore {
    /// Creates an entity with every field that it has, and returns its id.
    ///
    /// Throws `TripStoreError` (`.alreadyExists`, `.unknownParent`, `.invalidValue`), or what the log refuses.
    @discardableResult
    public func create<Entity: TripEntity>(
        _ entity: Entity, by authorship: Authorship = Authorship()
    ) async throws -> Identifier<Entity> {
        try await append([.created(entity, in: knownSchema)], by: authorship)
        return entity.id
    }

    /// Reads an entity, lets `change` work on it, and writes the fields that came out otherwise, if any did.
    ///
    /// It is one step: if the entity moved meanwhile, `change` runs again on its new state. So a field may be
    /// computed from its old value without an update being lost. `change` runs where the caller does, so that it may
    /// use what belongs to the caller's actor.
    ///
    /// Throws `TripStoreError` (`.unknownEntity`, `.deleted`, `.unknownParent`, `.invalidValue`), what `change`
    /// throws, or what the log refuses.
    @discardableResult
    public func edit<Entity: TripEntity>(
        _ id: Identifier<Entity>, by authorship: Authorship = Authorship(),
        isolation actor: isolated (any Actor)? = #isolation, _ change: (inout Entity) throws -> Void
    ) async throws -> Receipt {
        try await write(change, to: id, creating: false, by: authorship)
    }

    /// Edits an entity, or creates it if it was never created: `change` works on its state then, or on a blank one.
    ///
    /// With an id that follows from what the entity is elsewhere (`Identifier.derived(from:_:)`) every replica writes to the same
    /// entity, also where several of them create it concurrently: then their fields are merged, as those of edits are.
    ///
    /// ```swift
    /// try await store.upsert(Book.ID.derived(from: "library.example", loan.isbn)) {
    ///     $0.title = loan.title
    ///     $0.author = loan.author
    /// }
    /// ```
    ///
    /// Otherwise like `edit(_:by:isolation:_:)`: an entity that was deleted stays deleted, and `TripStoreError.Code.deleted` is thrown.
    @discardableResult
    public func upsert<Entity: TripEntity>(
        _ id: Identifier<Entity>, by authorship: Authorship = Authorship(),
        isolation actor: isolated (any Actor)? = #isolation, _ change: (inout Entity) throws -> Void
    ) async throws -> Receipt {
        try await write(change, to: id, creating: true, by: authorship)
    }

    private func write<Entity: TripEntity>(
        _ change: (inout Entity) throws -> Void, to id: Identifier<Entity>, creating: Bool, by authorship: Authorship,
        isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Receipt {
        let proposal: AppendProposal = creating ? .upsert(id.reference) : .edits([id.reference])
        return try await writeComputed(from: id.reference) {
            _ = actor
            // After an earlier attempt the state is not what `change` expects any more.
            if let receipt = try receiptOfEarlierAttempt(proposal, authorship) { return receipt }
            let (original, version, position) = try read { views in
                if creating, try views.mayBeCreated(id) {
                    return (nil as Entity?, try views.version(of: id), views.position)
                }
                let (entity, version) = try views.present(id)
                return (entity, version, views.position)
            }
            var draft = original ?? Entity(id: id)
            try change(&draft)
            let event: TripEvent? =
                if let original { .edited(from: original, to: draft) } else { .created(draft, in: knownSchema) }
            guard let event else {
                return Receipt(
                    unchangedAt: position, versions: [id.reference: version], entities: [id.reference])
            }
            return try await write([event], proposal, by: authorship, expecting: [id.reference: version])
        }
    }

    /// Saves a form: writes the fields in which the draft differs from what the form began with, and no others,
    /// whatever has moved meanwhile. With a draft that does not differ, nothing is written.
    ///
    /// Where another wrote the same field meanwhile, this write wins, and the history shows the conflict.
    ///
    /// Throws `TripStoreError` (`.differentEntities`, `.unknownEntity`, `.deleted`, `.unknownParent`,
    /// `.invalidValue`), or what the log refuses.
    @discardableResult
    public func save<Entity: TripEntity>(
        _ draft: Entity, from original: Entity, by authorship: Authorship = Authorship()
    ) async throws -> Receipt {
        guard draft.id == original.id else {
            throw TripStoreError(
                .differentEntities,
                "The draft is the \(draft.reference.words(in: knownSchema)) and began as the \(original.reference.words(in: knownSchema)). "
                    + "Save each with the state that it began with.",
                entity: draft.reference)
        }
        guard let event = TripEvent.edited(from: original, to: draft) else {
            try await awaitServedViews()
            return try read { views in
                Receipt(
                    unchangedAt: views.position, versions: [draft.reference: try views.version(of: draft.id)],
                    entities: [draft.reference])
            }
        }
        return try await write([event], by: authorship)
    }

    /// Deletes an entity. What belongs to it is hidden and restored with it, by its rule; no event is written for it.
    ///
    /// Throws `TripStoreError` (`.unknownEntity`, `.deleted`), or what the log refuses.
    @discardableResult
    public func delete<Entity: TripEntity>(
        _ id: Identifier<Entity>, by authorship: Authorship = Authorship()
    ) async throws -> Receipt {
        try await append([.deleted(id)], by: authorship)
    }

    /// Reverts a deletion.
    ///
    /// Throws `TripStoreError` (`.unknownEntity`, `.notDeleted`, `.unknownParent`), or what the log refuses.
    @discardableResult
    public func restore<Entity: TripEntity>(
        _ id: Identifier<Entity>, by authorship: Authorship = Authorship()
    ) async throws -> Receipt {
        try await append([.restored(id)], by: authorship)
    }

    /// Several changes in one commit: atomic, here and on every replica. Changes without effect are omitted, and
    /// without any others there is no commit.
    ///
    /// ```swift
    /// try await store.commit(by: "ana") { commit in
    ///     let dune = commit.create(Book("Dune"))
    ///     commit.create(Note("Read the appendix.", in: dune))
    /// }
    /// ```
    ///
    /// Throws what `body` throws, and what `append` does.
    @discardableResult
    public func commit(
        by authorship: Authorship = Authorship(), expecting versions: [EntityReference: EntityVersion] = [:],
        isolation actor: isolated (any Actor)? = #isolation, _ body: (inout CommitDraft) throws -> Void
    ) async throws -> Receipt {
        var draft = CommitDraft(in: knownSchema)
        try body(&draft)
        return try await write(draft.events, by: authorship, expecting: versions)
    }
}

/// Builds the changes of one commit.
public struct CommitDraft: Sendable {
    /// The changes so far.
    public private(set) var events: [TripEvent] = []
    private let known: KnownSchema

    init(in known: KnownSchema) { self.known = known }

    /// Adds any event.
    public mutating func append(_ event: TripEvent) { events.append(event) }

    /// Creates an entity and returns its id, which later changes of the same commit may use.
    @discardableResult
    public mutating func create<Entity: TripEntity>(_ entity: Entity) -> Identifier<Entity> {
        append(.created(entity, in: known))
        return entity.id
    }

    /// Changes fields.
    public mutating func edit<Entity: TripEntity>(_ id: Identifier<Entity>, _ changes: [FieldChange<Entity>]) {
        append(TripEvent(.edited, id, changes))
    }

    /// Saves a form: the fields in which the draft differs from its original.
    public mutating func save<Entity: TripEntity>(_ draft: Entity, from original: Entity) {
        if let event = TripEvent.edited(from: original, to: draft) { append(event) }
    }

    public mutating func delete<Entity: TripEntity>(_ id: Identifier<Entity>) { append(.deleted(id)) }

    public mutating func restore<Entity: TripEntity>(_ id: Identifier<Entity>) { append(.restored(id)) }
}
