import EventLog
import LMDB
import ProjectionEngine
import TripProjections
import Trips

/// The words of entities, by which a store finds what is searched for.
extension ViewGroup {
    fileprivate static let noWords = TripStoreError(
        .unusableOption,
        "The store was opened without an index of words: it searches by looking at all entities. Open it with "
            + "'Options.search' set to 'indexed'.")

    /// Without an index there is no fault.
    static func forgetFaultOfSearch(_ log: Log) throws { try GroupFault.forget("search", in: log) }

    /// The views of words, and those by which a search looks at one entity with what belongs to it and leaves templates out: so it reads
    /// one snapshot.
    static func search(
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
    /// The index of words. A search says which position it reflects. A store that was opened without the index
    /// (`TripStore.Options.search`) searches by looking at all entities.
    public var searchViews: ViewGroup { ViewGroup(searchGroup, log, missing: ViewGroup.noWords) }
}
