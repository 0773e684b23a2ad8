public import EventLog
public import ProjectionEngine
public import TripStore

/// The views of an app's own projections as they were, which do not change any more.
public struct PastAppViews: Sendable {
    private let views: PastViews
    private let interceptor: (any StoreInterceptor)?

    init(_ views: PastViews, _ interceptor: (any StoreInterceptor)?) {
        self.views = views
        self.interceptor = interceptor
    }

    /// The position up to which the log was read when the views were built.
    public var position: Position { views.position }

    /// Reads the views on one snapshot. Any thread. Nothing may leave `body` but values.
    public func read<T>(_ body: (borrowing ViewSnapshot) throws -> T) throws -> T {
        try TripStoreError.wrap {
            try interceptor?.willRead()
            return try views.read(body)
        }
    }

    /// The rows of a view, in the order of their keys. O(log n + rows).
    public func rows<Key, Value>(
        of view: AppView<Key, Value>, _ selection: RowSelection<Key> = .all
    ) throws -> Rows<AppRow<Key, Value>> {
        try read { try TripViews($0.alias(), in: nil).fetch(.rows(of: view, selection)) }
    }

    /// The sums of a view, in the order of their keys. O(log n + sums).
    public func sums<Key>(of view: AppSums<Key>, _ selection: RowSelection<Key> = .all) throws -> Rows<AppSum<Key>> {
        try read { try TripViews($0.alias(), in: nil).fetch(.sums(of: view, selection)) }
    }
}

extension ViewGroup {
    /// The views as they were when the commit at a position had arrived here; before everything for `.start`.
    ///
    /// They are built from the log, O(commits up to there), unless they are among the few that are kept. Throws
    /// `TripStoreError`: `.unknownPosition` if the log does not reach so far, `.invalidProjections` if the store was opened without
    /// projections; or what the log and the medium refuse.
    public func asOf(_ position: Position) async throws -> PastAppViews { try await asOf(.position(position)) }

    /// The app's views as of a horizon: that of a `PastStore`, for views of the same commits.
    public func asOf(
        _ horizon: Horizon, progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
    ) async throws -> PastAppViews {
        let past = try await past(horizon, progress)
        return PastAppViews(past.views, past.interceptor)
    }
}
