public import EventLog
import LMDB
public import ProjectionEngine
public import Trips

/// The views of an app's own projections: a group of their own, built and updated in the background.
///
/// They follow the store's log shortly behind it; `catchUp(to:)` waits. A projection that fails stops only this group:
/// its views stay as they were before the commit at fault.
public struct AppViews: Sendable {
    private let group: ProjectionGroup?
    let log: Log
    let interceptor: (any StoreInterceptor)?
    let past: PastCache
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

    var areKept: Bool { group != nil }

    /// Why the views do not follow the log: the projection and the commit at fault. Nil if they do.
    public var fault: GroupFault? { group?.fault }

    /// The position of the views. Throws like `read`.
    public var position: Position { get throws { try read { $0.position } } }

    /// Reads the views on one snapshot. Any thread; waits for nobody. Nothing may leave `body` but values. Keep it short, and do
    /// not read inside of a read: a write beside it would have to wait.
    ///
    /// Throws `TripStoreError` (`.beingBuilt`, `.notBuilt`, `.closed`, `.unknownView`, `.invalidProjections` if the store was
    /// opened without projections), and what `body` throws.
    public func read<T>(_ body: (borrowing ViewSnapshot) throws -> T) throws -> T {
        let group = try present
        return try TripStoreError.wrap {
            try interceptor?.willRead()
            group.reader.notice()
            return try group.read(body)
        }
    }

    /// The rows of a view, in the order of their keys. O(log n + rows); O(1) while they are cached. Throws like `read`.
    public func rows<Key, Value>(
        of view: AppView<Key, Value>, _ selection: RowSelection<Key> = .all
    ) throws -> Rows<AppRow<Key, Value>> {
        try fetch(.rows(of: view, selection))
    }

    /// The sums of a view, in the order of their keys. O(log n + sums); O(1) while they are cached. Throws like `read`.
    public func sums<Key>(of view: AppSums<Key>, _ selection: RowSelection<Key> = .all) throws -> Rows<AppSum<Key>> {
        try fetch(.sums(of: view, selection))
    }

    private func fetch<Answer>(_ request: FetchRequest<Answer>) throws -> Answer {
        let group = try present
        return try TripStoreError.wrap {
            try interceptor?.willRead()
            return try request.answer(of: group.reader, FetchContext(known: nil))
        }
    }

    /// A query of these views, live, as `TripStore.live`.
    ///
    /// It follows changes in the rows that it reads; counting the rows of a view counts as reading all of them.
    public func live<Value: Equatable & Sendable>(
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

    /// The state of each view. With digests it reads every row. Throws like `read`.
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
    public func compare(at path: String) async throws -> [ViewComparison] {
        let group = try present
        return try await TripStoreError.wrapAsync { try await group.buildApart(at: path) { _ in }.1 }
    }

    var present: ProjectionGroup {
        get throws(TripStoreError) {
            guard let group else { throw missing }
            return group
        }
    }

    fileprivate static let missing = TripStoreError(
        .invalidProjections,
        "The store was opened without projections of the app. Name them in 'Options.projections'.")

    // MARK: Opening

    /// Without projections there is no fault.
    static func forgetFault(_ log: Log) throws { try GroupFault.forget("app", in: log) }

    static func group(_ options: TripStore.Options, _ layout: StoreLayout, _ log: Log) -> ProjectionGroup? {
        guard !options.projections.isEmpty else { return nil }
        let configuration = GroupConfiguration(
            name: "app", folder: layout.appViews, projections: options.projections, schema: SchemaFingerprint.current,
            mapSize: options.mapSize ?? Environment.Options.defaultMapSize, cacheLimit: options.cacheLimit)
        return ProjectionGroup(
            configuration, log: log, logger: options.logger, worker: WorkerThread(name: "tripstore.app-views"))
    }

    static func check(_ projections: [any Projection]) throws(TripStoreError) {
        var names: Set<String> = []
        for projection in projections {
            guard !projection.name.isEmpty, projection.name.utf8.count <= 200, projection.name != "entities" else {
                throw TripStoreError(
                    .invalidProjections,
                    "A projection is named '\(projection.name)'. Names have 1 to 200 bytes, and 'entities' is taken.")
            }
            guard names.insert(projection.name).inserted else {
                throw TripStoreError(
                    .invalidProjections, "Two projections are named '\(projection.name)'. Rename one of them.")
            }
        }
    }
}

extension TripStore {
    /// The views of the app's own projections.
    public var appViews: AppViews { AppViews(appGroup, log, interceptor, pastAppCache, missing: AppViews.missing) }

    /// Whether the store was opened with projections of the app.
    package var hasAppViews: Bool { appGroup != nil }
}

extension ViewSnapshot {
    /// A present entity: created and not deleted. Nil otherwise. Does not check whether its parent is present.
    public func entity<Entity: TripEntity>(_ id: Identifier<Entity>) throws -> Entity? {
        guard let record = try record(of: id.reference), try record.isPresent() else { return nil }
        return try Entity(id: id, record: record)
    }
}
