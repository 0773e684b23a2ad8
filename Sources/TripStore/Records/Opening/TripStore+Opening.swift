import EventLog
public import Foundation
import LMDB
import Logging
import Platform
import ProjectionEngine
import TripProjections
import Trips

extension TripStore {
    /// Opens the store in a folder, creating it on first use.
    ///
    /// Throws `TripStoreError`: `.notAStore`, `.noStore`, `.invalidProjections`, `.unusableOption` for an option that would have
    /// no effect; `.newerFormat`, `.otherJournal`, `.keyUnusable`, `.logLost`; `.notPermitted`, `.diskFull`, `.damaged`,
    /// `.networkFileSystem`; `.notBuilt`.
    public static func open(at folder: URL, options: Options = Options()) async throws -> TripStore {
        try await TripStoreError.wrapAsync { try await open(at: folder, options: options, isTemporary: false) }
    }

    /// Opens a store in a new temporary folder; it is removed with the store. For tests and previews.
    ///
    /// Nothing of it is recorded outside of that folder: `Dependencies.machineFolder` is not used. Throws like `open`;
    /// `TripStoreError.Code.unusableOption` for opening only for queries, because it is empty.
    public static func temporary(options: Options = Options()) async throws -> TripStore {
        if options.isReadOnly {
            throw TripStoreError(
                .unusableOption,
                "A temporary store is new and holds nothing that could be read. Open it for reading and writing, or use 'open' "
                    + "for a store that is there.")
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tripstore-\(UUID().uuidString)")
        var options = options
        // The machine need not record a store that is removed with its folder.
        options.dependencies.machineFolder = nil
        return try await TripStoreError.wrapAsync {
            try await open(at: folder, options: options, isTemporary: true)
        }
    }

    /// Whether a folder holds a store.
    public static func exists(at folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: StoreLayout(folder).log + "/data.mdb")
    }

    private static func open(at folder: URL, options: Options, isTemporary: Bool) async throws -> TripStore {
        try options.check()
        try ViewGroup.check(options.projections)
        let layout = StoreLayout(folder)
        let opener = WorkerThread(name: "tripstore.opener")
        do {
            try await opener.run {
                try checkAccessible(folder)
                if !exists(at: folder) { try checkNotLost(at: folder, options.dependencies) }
                try layout.check(isReadOnly: options.isReadOnly)
            }
            if options.access == .readOnlyBuildingViews {
                return try await openMaintainingViews(at: folder, layout, options)
            }
            guard !options.isReadOnly else {
                let (log, scratch) = try await opener.run {
                    try layout.reading { try $0.openLog(options.forLog(isReadOnly: true)) }
                }
                return try await make(
                    at: folder, log, layout, options, isTemporary: isTemporary, scratch: scratch)
            }
            let log = try await opener.run { try layout.openLog(options.forLog()) }
            return try await make(at: folder, log, layout, options, isTemporary: isTemporary)
        } catch let error as EventLogError where error.code == .unfinished {
            throw TripStoreError.unfinished(folder)
        }
    }

    /// Throws `TripStoreError.Code.notPermitted` where this user may not look whether there is a store.
    package static func checkAccessible(_ folder: URL) throws {
        _ = try TripStoreError.wrap { try Folder.holds(StoreLayout(folder).log + "/data.mdb") }
    }

    /// Throws `TripStoreError.Code.logLost` where a store has no log, though this machine knows that its replica has written.
    package static func checkNotLost(at folder: URL, _ dependencies: Dependencies = .system) throws {
        let layout = StoreLayout(folder)
        try TripStoreError.wrap { try Log.checkNotLost(at: layout.log, keyPath: layout.key, dependencies) }
    }

    /// Makes the store of an open log, with views in a layout that may be another's.
    static func make(
        at folder: URL, _ log: Log, _ layout: StoreLayout, _ options: Options, waitsForViews: Bool? = nil,
        isTemporary: Bool = false, scratch: ScratchFolder? = nil
    ) async throws -> TripStore {
        if let change = log.identityChange {
            options.logger.warning(
                "the replica goes on under a new id",
                metadata: ["previous": "\(change.previous)", "replica": "\(log.replica)", "reason": "\(change.reason)"])
        }
        if log.lostTransactions > 0 {
            options.logger.error(
                "the medium lost commits that it had said to have stored",
                metadata: ["transactions": "\(log.lostTransactions)", "kept": "\(log.unreadableRecords ?? "")"])
        }
        var configuration = GroupConfiguration(
            name: groupName, folder: layout.views, projections: BuiltInProjections.all,
            schema: SchemaFingerprint.current,
            mapSize: options.mapSize ?? Environment.Options.defaultMapSize, cacheLimit: options.cacheLimit)
        configuration.attached = (Index.builtIn + options.indexes).reduce(into: []) { attached, index in
            if !attached.contains(index.bytes) { attached.append(index.bytes) }
        }
        configuration.makeAttached = IndexProjection.make
        let views = ProjectionGroup(configuration, log: log, logger: options.logger)
        do { try await views.start(options.progress) } catch let error as StorageError
            where log.isReadOnly && !options.waitsForViews && error.isAboutPlace
        {
            // Who does not wait for views reads the log, where the views cannot be read either.
        }
        let appGroup = ViewGroup.app(options, layout, log)
        // Nothing waits for the app's own views; their faults are reported in the status.
        try await appGroup?.start(inBackground: true)
        if appGroup == nil && !log.isReadOnly { try await log.worker.run { try ViewGroup.forgetFaultOfApp(log) } }
        let knownSchema = KnownSchema(declaring: options.schema)
        let searchedFields = SearchedFields(knownSchema.declared.descriptions)
        let searchGroup = ViewGroup.search(options, searchedFields, layout, log)
        try await searchGroup?.start(inBackground: true)
        if searchGroup == nil && !log.isReadOnly { try await log.worker.run { try ViewGroup.forgetFaultOfSearch(log) } }
        let store = TripStore(
            folder: folder, log: log, views: views, appGroup: appGroup, searchGroup: searchGroup,
            searchedFields: searchedFields, knownSchema: knownSchema, logger: options.logger,
            interceptor: options.interceptor, author: options.author, isTemporary: isTemporary, scratch: scratch,
            attachments: options.attachments)
        await store.removeHalfWrittenAttachments()
        await store.finishErasuresIfPossible(sweeps: true)
        store.beginScrubIfOwed()
        if waitsForViews ?? options.waitsForViews {
            do { try await store.waitForViews() } catch is CancellationError {
                // Nothing waits for its views any more.
                await store.close()
                throw CancellationError()
            }
        }
        options.logger.debug(
            "store opened",
            metadata: ["replica": "\(log.replica)", "journal": "\(log.journal)", "readOnly": "\(log.isReadOnly)"])
        return store
    }

    private func waitForViews() async throws {
        if !views.isServing { try await views.catchUp(to: .start) }
        // The last views may have been served before the wait began.
        try Task.checkCancellation()
    }
}

/// The paths of the parts of a store.
struct StoreLayout {
    let folder: String

    init(_ folder: URL) { self.folder = folder.path }

    /// The log's environment.
    var log: String { folder + "/log" }
    /// The generations of the views.
    var views: String { folder + "/views" }
    /// The generations of the views of the app's own projections.
    var appViews: String { views + "/app" }
    /// The generations of the words of entities.
    var searchViews: String { views + "/search" }
    /// The bytes of attachments.
    var attachments: String { folder + "/attachments" }
    /// The lock files that prevent a subscription from running twice.
    var subscriptions: String { folder + "/subscriptions" }
    /// The replica's private key.
    var key: String { folder + "/replica.key" }

    /// Refuses folders that are in use for something else, before anything is created there.
    func check(isReadOnly: Bool) throws(TripStoreError) {
        if FileManager.default.fileExists(atPath: log + "/data.mdb") { return }
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
        if exists && !isFolder.boolValue {
            throw TripStoreError(.notAStore, "\(folder) is a file and no store. Choose a folder.")
        }
        if isReadOnly {
            throw TripStoreError(
                .noStore, "There is no store at \(folder). Check the path, or open it for writing to create one.")
        }
        // A store whose creation was interrupted has at most an empty log folder.
        let names = exists ? (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] : []
        guard
            names.allSatisfy({
                ["log", "views", "subscriptions", "replica.key", UnfinishedClone.fileName].contains($0)
                    || $0.hasPrefix(".")
            })
        else {
            throw TripStoreError(
                .notAStore,
                "\(folder) is not empty and holds no store. Choose an empty folder, or the one of a store.")
        }
    }
}
