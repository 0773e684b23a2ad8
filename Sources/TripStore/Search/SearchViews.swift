public import EventLog
import LMDB
public import ProjectionEngine
import TripProjections
import Trips

/// The words of entities, by which a store finds what is searched for: views of their own, built and updated in the background.
///
/// They follow the store's log shortly behind it, and a search says which position it reflects; `catchUp(to:)` waits. A store that was opened
/// without them (`TripStore.Options.search`) searches by looking at all entities.
public struct SearchViews: Sendable {
    private let views: AppViews

    init(_ group: ProjectionGroup?, _ log: Log) { views = AppViews(group, log, missing: Self.missing) }

    /// Whether the store was opened with them.
    public var areKept: Bool { views.areKept }

    /// Why they do not follow the log; nil if they do.
    public var fault: GroupFault? { views.fault }

    /// Up to which position of the log they are.
    ///
    /// Throws `TripStoreError`: `.beingBuilt` and `.notBuilt`, `.closed`, `.unusableOption` if the store was opened without them.
    public var position: Position { get throws { try views.position } }

    /// Waits until searches reflect everything up to a position, or everything that the log has now.
    ///
    /// Retries after a failure. Throws the reason if the views cannot get there, and like `position`.
    public func catchUp(to position: Position? = nil) async throws { try await views.catchUp(to: position) }

    /// The state of each view. With digests it reads every row. Throws like `position`.
    public func status(digests: Bool = false) throws -> [ViewStatus] { try views.status(digests: digests) }

    /// Rebuilds the views from the log beside the serving ones, and swaps them.
    public func rebuild() async throws { try await views.rebuild() }

    /// Builds the views in a folder that must be new or empty, and compares them with the serving ones.
    public func compare(at path: String) async throws -> [ViewComparison] { try await views.compare(at: path) }

    private static let missing = TripStoreError(
        .unusableOption,
        "The store was opened without an index of words: it searches by looking at all entities. Open it with "
            + "'Options.search' set to 'indexed'.")

    // MARK: Opening

    /// Without an index there is no fault.
    static func forgetFault(_ log: Log) throws { try GroupFault.forget("search", in: log) }

    /// The views of words, and those by which a search looks at one entity with what belongs to it, and leaves templates out: so it reads one snapshot.
    static func group(
        _ options: TripStore.Options, _ fields: SearchedFields, _ layout: StoreLayout, _ log: Log
    ) -> ProjectionGroup? {
        guard options.search == .indexed else { return nil }
        let configuration = GroupConfiguration(
            name: "search", folder: layout.searchViews,
            projections: [SearchWords(fields), ChildrenByParent(), Templates()],
            schema: SchemaFingerprint.current,
            mapSize: options.mapSize ?? Environment.Options.defaultMapSize, cacheLimit: options.cacheLimit)
        return ProjectionGroup(
            configuration, log: log, logger: options.logger, worker: WorkerThread(name: "tripstore.search"))
    }
}

extension TripStore {
    /// The state of the index of words.
    public var searchViews: SearchViews { SearchViews(searchGroup, log) }
}
