public import Trips

extension TripQuerying {
    /// A page of what a query asks for: see `TripViews.fetch(_:after:)`. O(1) while it is cached.
    public func fetch<Entity: TripEntity>(
        _ query: Query<Entity>, after cursor: PageCursor? = nil
    ) throws -> Rows<Entity> {
        try querySource.rows(CachedQuestion(.page(cursor), query)) { try $0.fetch(query, after: cursor) }
    }

    /// How a query is answered: by which index, and how many rows are looked at. It answers it, without the cache.
    public func explain<Entity: TripEntity>(_ query: Query<Entity>) throws -> QueryExplanation {
        try read { try $0.explain(query) }
    }

    /// How many entities meet a query's condition, regardless of its limit. O(1) while it is cached.
    public func count<Entity: TripEntity>(_ query: Query<Entity>) throws -> Int {
        try querySource.cached(CachedQuestion(.count, query)) { try $0.count(query) }.value
    }

    /// Whether there is any. O(1) while it is cached.
    public func exists<Entity: TripEntity>(_ query: Query<Entity>) throws -> Bool {
        try querySource.cached(CachedQuestion(.existence, query)) { try $0.exists(query) }.value
    }

    /// The first in the query's order; nil if there is none.
    public func first<Entity: TripEntity>(_ query: Query<Entity>) throws -> Entity? { try fetch(query.limit(1)).first }

    /// The ids of all that meet the condition, in the query's order, regardless of its limit. O(1) while they are cached.
    public func ids<Entity: TripEntity>(_ query: Query<Entity>) throws -> [Identifier<Entity>] {
        try querySource.cached(CachedQuestion(.ids, query)) { try $0.ids(query) }.value
    }
}

/// The identity of a question with a cached answer.
struct CachedQuestion<Entity: TripEntity>: Hashable, Sendable {
    enum Answer: Hashable, Sendable {
        case page(PageCursor?)
        case count, existence, ids
        case related(PageCursor?, GroupKey<Entity>)
        case items(PageCursor?)
        case groups([GroupKey<Entity>], measured: GroupKey<Entity>?)
    }

    let answer: Answer
    let query: Query<Entity>
    /// How many kinds and fields of apps are declared: these decide what is there, and how it is read.
    let declarations = OwnKind.declarationCount

    init(_ answer: Answer, _ query: Query<Entity>) {
        self.answer = answer
        self.query = query
    }
}

extension TripStore {
    /// The first page of a query, live; a model reads further ones with `loadMore()`. Where an index serves it, changes of what it read run
    /// it again; without one each change of any entity does. A query that may look at all of more than a thousand entities, as the store is now,
    /// runs on another thread than its consumer's.
    public func live<Entity: TripEntity>(_ query: Query<Entity>) -> LiveQuery<LiveRows<Entity>> {
        @Sendable func evaluation(through shown: PageCursor?) -> LiveQuery<LiveRows<Entity>>.Evaluation {
            Self.rows { views in
                let rows = try views.fetch(query, through: shown)
                return (rows.rows, rows.next)
            }
        }
        // What fails here fails in the first step of the query.
        let takesLong = (try? read { try $0.takesLong(query) }) ?? true
        return LiveQuery(
            views, log, interceptor, more: { $0.next.map { evaluation(through: $0) } }, isScan: takesLong,
            evaluation(through: nil))
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
