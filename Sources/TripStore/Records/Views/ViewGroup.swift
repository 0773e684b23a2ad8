public import EventLog
import LMDB
public import ProjectionEngine

/// A group of views that is built and updated in the background: those of the app's own projections, or the index of words.
///
/// They follow the store's log shortly behind it; `catchUp(to:)` waits. A failure stops only this group: its views stay as they were before
/// the commit at fault. The module `TripStoreProjections` reads the rows of an app's own projections.
public struct ViewGroup: Sendable {
    private let group: ProjectionGroup?
    private let log: Log
    private let interceptor: (any StoreInterceptor)?
    private let past: PastCache
    /// Thrown where there is no group.
    private let missing: TripStoreError

    init(
        _ group: ProjectionGroup?, _ log: Log, _ interceptor: (any StoreInterceptor)? = nil,
        _ past: PastCache = PastCache(), missing: TripStoreError
    ) {
        self.group = group
        self.log = log
        self.interceptor = interceptor
        self.past = past
        self.missing = missing
    }

    /// Whether the store was opened with these views.
    package var exists: Bool { group != nil }

    /// Why the views do not follow the log: the projection and the commit at fault. Nil if they do.
    public var fault: GroupFault? { group?.fault }

    /// The position of the views.
    ///
    /// Throws `TripStoreError`: `.beingBuilt`, `.notBuilt`, `.closed`; `.invalidProjections` or `.unusableOption` if the store was opened
    /// without these views.
    public var position: Position { get throws { try withSnapshot { $0.position } } }

    package func withSnapshot<T>(_ body: (borrowing ViewSnapshot) throws -> T) throws -> T {
        let group = try present
        return try TripStoreError.wrap {
            try interceptor?.willRead()
            group.reader.notice()
            return try group.read(body)
        }
    }

    package func fetch<Answer>(_ request: FetchRequest<Answer>) throws -> Answer {
        let group = try present
        return try TripStoreError.wrap {
            try interceptor?.willRead()
            return try request.answer(of: group.reader, FetchContext(known: nil))
        }
    }

    package func liveQuery<Value: Equatable & Sendable>(
        _ query: @escaping @Sendable (borrowing ViewSnapshot) throws -> Value
    ) throws -> LiveQuery<Value> {
        LiveQuery(try present, log, interceptor, in: nil) { views, _, last in
            let value = try query(views.snapshot)
            return value == last ? nil : value
        }
    }

    /// Waits until the views show everything up to a position, or everything that the log has now.
    ///
    /// Retries after a failure. Throws the reason if the views cannot get there.
    public func catchUp(to position: Position? = nil) async throws {
        let group = try present
        try await TripStoreError.wrapAsync {
            try await group.awaitPosition(try position ?? log.read { try $0.lastPosition() })
        }
    }

    /// The state of each view. With digests it reads every row. Throws like `position`.
    public func status(digests: Bool = false) throws -> [ViewStatus] {
        let group = try present
        return try TripStoreError.wrap { try group.status(digests: digests) }
    }

    /// Rebuilds the views from the log beside the serving ones, and swaps them.
    public func rebuild() async throws {
        let group = try present
        _ = try await TripStoreError.wrapAsync { try await group.replace { _ in } }
    }

    /// Builds the views in a folder that must be new or empty, and compares them with the serving ones.
    package func compared(at path: String) async throws -> [ViewComparison] {
        let group = try present
        return try await TripStoreError.wrapAsync { try await group.buildApart(at: path) { _ in }.1 }
    }

    package func past(
        _ horizon: Horizon, _ progress: @escaping @Sendable (BuildProgress) -> Void
    ) async throws -> (views: PastViews, interceptor: (any StoreInterceptor)?) {
        let group = try present
        return try await TripStoreError.wrapAsync {
            try TripStore.check(horizon, in: log)
            return (try await past.views(horizon, of: group, in: log, progress), interceptor)
        }
    }

    var present: ProjectionGroup {
        get throws(TripStoreError) {
            guard let group else { throw missing }
            return group
        }
    }
}
