import ProjectionEngine
public import Trips

extension TripStore {
    /// Any query, live: `query` runs on one snapshot of the views, and again when something that it read has changed.
    ///
    /// It must depend only on the rows of the views: not on `position`, which advances with every commit.
    public func live<Value: Equatable & Sendable>(
        _ query: @escaping @Sendable (borrowing TripViews) throws -> Value
    ) -> LiveQuery<Value> {
        LiveQuery(views, log, interceptor, in: knownSchema) { views, _, last in
            let value = try query(views)
            return value == last ? nil : value
        }
    }

    /// The rows that a request asks for, live: of a page at first one; a model reads further ones with `loadMore()`.
    ///
    /// A query runs again when something that it read has changed. Where an index serves it, that is little; without one each change of any
    /// entity is. One that may look at all of more than a thousand entities, as the store is now, runs on another thread than its consumer's.
    /// So does a search without an index of words. The iteration throws what `fetch(_:)` throws.
    public func live<Row: Identifiable & Equatable & Sendable>(
        _ request: FetchRequest<Rows<Row>>
    ) -> LiveQuery<LiveRows<Row>> where Row.ID: Sendable {
        var context = FetchContext(known: knownSchema, searchedFields: searchedFields)
        var group = views
        // A failure here shows in the first step of the query.
        var takesLong =
            (request.identity as? any LongRunning).map { query in (try? read { try query.takesLong(in: $0) }) ?? true }
            ?? false
        switch request.source {
        case .store: break
        case .app:
            do { group = try appViews.present } catch {
                return LiveQuery(views, log, interceptor, in: knownSchema) { _, _, _ in throw error }
            }
        case .words(let amongAll):
            // A reader has an index only if a writer has left one.
            let words = isReadOnly && searchGroup?.isServing != true ? nil : searchGroup
            group = words ?? views
            context.isIndexed = words != nil
            takesLong = amongAll && words == nil
        }
        let more: LiveQuery<LiveRows<Row>>.More = { [context] last in
            last.next.map { next in
                var context = context
                context.shown = next
                return Self.evaluation(of: request, context)
            }
        }
        return LiveQuery(
            group, log, interceptor, in: knownSchema, more: request.isPaged ? more : nil, isScan: takesLong,
            Self.evaluation(of: request, context))
    }

    /// The first page of a query, live.
    public func live<Entity: TripEntity>(_ query: Query<Entity>) -> LiveQuery<LiveRows<Entity>> {
        live(.rows(of: query))
    }

    /// One entity, live; nil while it is missing.
    public func live<Entity: TripEntity>(_ id: Identifier<Entity>) -> LiveQuery<Entity?> {
        LiveQuery(views, log, interceptor, in: knownSchema) { views, _, last in
            let entity = try views.entity(id)
            // A first result of nil is a result, too.
            if let last, last == entity { return nil }
            return .some(entity)
        }
    }

    /// The history of an entity, live; empty while nothing is held of it.
    public func live<Entity: TripEntity>(historyOf id: Identifier<Entity>) -> LiveQuery<[HistoryEntry]> {
        LiveQuery(views, log, interceptor, in: knownSchema) { views, log, last in
            var auditor = try Auditor(views.snapshot.alias(), log.alias(), in: views.known)
            let history = try auditor.history(of: id.reference)
            return history == last ? nil : history
        }
    }

    private static func evaluation<Row: Identifiable & Equatable & Sendable>(
        of request: FetchRequest<Rows<Row>>, _ context: FetchContext
    ) -> LiveQuery<LiveRows<Row>>.Evaluation where Row.ID: Sendable {
        { views, _, last in
            let page = try request.answer(views, context)
            if let last, last.rows == page.rows, last.next == page.next, last.isComplete == page.isComplete,
                last.neededUpdate == page.neededUpdate
            {
                return nil
            }
            return LiveRows(
                rows: page.rows, next: page.next, isComplete: page.isComplete, position: page.position,
                neededUpdate: page.neededUpdate, changes: RowChanges(from: last?.rows ?? [], to: page.rows))
        }
    }
}
