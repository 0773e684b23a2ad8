import EventLog
import LMDB
import ProjectionEngine
import Trips

/// The views of the app's own projections.
extension ViewGroup {
    fileprivate static let noProjections = TripStoreError(
        .invalidProjections,
        "The store was opened without projections of the app. Name them in 'Options.projections'.")

    /// Without projections there is no fault.
    static func forgetFaultOfApp(_ log: Log) throws { try GroupFault.forget("app", in: log) }

    static func app(_ options: TripStore.Options, _ layout: StoreLayout, _ log: Log) -> ProjectionGroup? {
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
    public var appViews: ViewGroup {
        ViewGroup(appGroup, log, interceptor, pastAppCache, missing: ViewGroup.noProjections)
    }

    /// Whether the store was opened with projections of the app.
    package var hasAppViews: Bool { appGroup != nil }
}
