public import EventLog
import ProjectionEngine

/// A store as it was at a position or at an instant: the same queries, on views that never change.
///
/// ```swift
/// let before = try await store.asOf(receipt.position - 1)
/// let page = try before.trips(.starting(in: may))
/// ```
public struct PastStore: TripQuerying {
    private let views: PastViews
    private let interceptor: (any StoreInterceptor)?

    init(_ views: PastViews, _ interceptor: (any StoreInterceptor)?) {
        self.views = views
        self.interceptor = interceptor
    }

    /// The commits that count.
    public var horizon: Horizon { views.horizon }

    /// The position up to which the log was read when the views were built.
    public var position: Position { views.position }

    public var answers: TripAnswers { TripAnswers(views, interceptor) }

    /// The names of the views, their numbers of rows, and, if requested, the digests of these.
    public func viewStatus(digests: Bool = false) throws -> [(name: String, rows: Int, digest: Digest?)] {
        try TripStoreError.wrap {
            try views.read { snapshot in
                try snapshot.viewNames.map { name in
                    (name, try snapshot.rowCount(of: name), digests ? try snapshot.digest(of: name) : nil)
                }
            }
        }
    }
}
