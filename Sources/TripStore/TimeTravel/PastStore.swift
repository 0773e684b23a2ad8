public import EventLog
import ProjectionEngine
import Trips

/// A store as it was at a position or at an instant: the same queries, on views that never change.
///
/// ```swift
/// let before = try await store.asOf(receipt.position - 1)
/// let page = try before.fetch(Query<Book>().limit(20))
/// ```
public struct PastStore: TripQuerying {
    private let views: PastViews
    private let interceptor: (any StoreInterceptor)?
    private let searchedFields: SearchedFields
    private let known: KnownSchema

    init(
        _ views: PastViews, _ interceptor: (any StoreInterceptor)?, _ searchedFields: SearchedFields,
        in known: KnownSchema
    ) {
        self.views = views
        self.interceptor = interceptor
        self.searchedFields = searchedFields
        self.known = known
    }

    /// The commits that count.
    public var horizon: Horizon { views.horizon }

    /// The position up to which the log was read when the views were built.
    public var position: Position { views.position }

    public func read<T>(_ body: (borrowing TripViews) throws -> T) throws -> T {
        try TripStoreError.wrap {
            try interceptor?.willRead()
            return try views.read { try body(TripViews($0.alias(), in: known)) }
        }
    }

    public func fetch<Answer>(_ request: FetchRequest<Answer>) throws -> Answer {
        try read { try request.answer($0, FetchContext(known: known, searchedFields: searchedFields)) }
    }

    /// The state of each view. With digests it reads every row.
    package func viewStatus(digests: Bool = false) throws -> [ViewStatus] {
        try TripStoreError.wrap { try views.status(digests: digests) }
    }
}
