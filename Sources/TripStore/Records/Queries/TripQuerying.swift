public import Events
import ProjectionEngine
public import Trips

/// The queries that a store as it is, a store as it was, and the views of a read have alike.
///
/// Every query is a plain call on a snapshot, from any thread, and waits for nobody. All throw
/// `TripStoreError.Code.beingBuilt` or `.notBuilt` if there are no views to read, and `.closed` once the store was closed.
public protocol TripQuerying: Sendable, ~Copyable {
    /// Runs several queries on one snapshot of the views. On any thread, without waiting. Only values may leave `body`.
    /// Keep it short, and query only the views that it receives: a query of the store inside it uses another snapshot,
    /// and may have to wait for a concurrent write.
    ///
    /// It does not use the cache. Throws what `body` throws, too.
    func read<T>(_ body: (borrowing TripViews) throws -> T) throws -> T

    /// The answer to a request. O(1) while a store has it in its cache.
    func fetch<Answer>(_ request: FetchRequest<Answer>) throws -> Answer
}

extension TripViews: TripQuerying {
    public func read<T>(_ body: (borrowing TripViews) throws -> T) throws -> T { try body(self) }

    public func fetch<Answer>(_ request: FetchRequest<Answer>) throws -> Answer {
        try request.answer(self, FetchContext(known: known))
    }
}

extension TripStore: TripQuerying {
    public func read<T>(_ body: (borrowing TripViews) throws -> T) throws -> T {
        try TripStoreError.wrap {
            try interceptor?.willRead()
            viewReader.notice()
            return try viewReader.read { try body(TripViews($0.alias(), in: knownSchema)) }
        }
    }

    public func fetch<Answer>(_ request: FetchRequest<Answer>) throws -> Answer {
        try TripStoreError.wrap {
            try interceptor?.willRead()
            switch request.source {
            case .store: return try request.answer(of: viewReader, FetchContext(known: knownSchema))
            case .app: return try request.answer(of: appViews.present.reader, FetchContext(known: knownSchema))
            case .words:
                // An index that a fault has stopped knows nothing of what came since.
                let words = searchGroup.flatMap { $0.isServing && $0.fault == nil ? $0.reader : nil }
                return try request.answer(
                    of: words ?? viewReader,
                    FetchContext(
                        known: knownSchema, searchedFields: searchedFields, isIndexed: words != nil))
            }
        }
    }

    /// The state of the cache of decoded results. `read` does not use it.
    package var cacheStatistics: CacheStatistics { views.cacheStatistics }
}

// MARK: Single entities

extension TripQuerying where Self: ~Copyable {
    /// An entity of any kind, or nil if it is missing. O(log n), and at most a few hundred nanoseconds: that takes less time than a cache
    /// lookup, and leaves the cache to slower results.
    public func entity<Entity: TripEntity>(_ id: Identifier<Entity>) throws -> Entity? {
        try read { try $0.entity(id) }
    }

    /// The version of an entity, to expect in a write, deleted ones included; `.none` if nothing is held of it.
    public func version<Entity: TripEntity>(of id: Identifier<Entity>) throws -> EntityVersion {
        try read { try $0.snapshot.record(of: id.reference)?.version ?? .none }
    }
}
