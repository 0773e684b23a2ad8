public import EventLog
import Events
public import Foundation
import LMDB
public import Logging
public import ProjectionEngine
import TripProjections
import Trips

extension TripStore {
    /// How a store is opened.
    public struct Options: Sendable {
        /// The journal that a new store gets; nil for one that it founds, in which it is the first admin. A store that is there
        /// must have it.
        ///
        /// In a journal that was founded members alone may write. Any other id, drawn by an app, is that of a journal in which
        /// everybody may who has it.
        public var journal: JournalID?
        /// The device's name, for people who read the history.
        public var deviceName: String
        /// Opens for queries alone, beside a writer in this or another process. Nothing is written but what repairs the log after
        /// a crash; where that cannot be written, a temporary copy of the log is read, which goes with the store.
        public var isReadOnly: Bool
        /// Of a store that is opened for queries alone: whether it builds its views and brings them up to date itself, as far as
        /// no writer does. Queries then show all that the log holds, also after a crash and without a writer.
        ///
        /// That writes views, but never commits, signatures or the replica's identity. Where nothing can be written (a
        /// read-only medium, a full one) what is lacking is made in a folder for temporary files, which may take as much room
        /// as the store, and goes with it.
        public var maintainsViews: Bool
        /// Whether opening waits until the views can be queried. Without it queries throw
        /// `ProjectionError.beingBuilt` until then.
        public var waitsForViews: Bool
        /// Told how a rebuild goes on while opening waits for it.
        public var progress: @Sendable (BuildProgress) -> Void
        /// Bytes of address space to reserve for the log and for the views each; nil for a default that suits the
        /// platform.
        public var mapSize: Int?
        /// The app's own projections: a group of their own, built in the background and read through `appViews`.
        public var projections: [any Projection]
        /// The most bytes that decoded answers may take in memory, by estimate.
        public var cacheLimit: Int
        /// Steps in before writes and reads; for tests.
        public var interceptor: (any StoreInterceptor)?
        public var logger: Logger
        public var dependencies: Dependencies
        /// Whether an acknowledged commit is on the medium; a simulation may do without.
        package var syncsCommits = true
        /// How much others may make it take in.
        public var quotas = ReceivingQuotas()
        /// Whether a new store that is given no journal founds one; for tests whose replicas are nobody's.
        package var foundsJournal = true

        public init(
            journal: JournalID? = nil, deviceName: String = "", isReadOnly: Bool = false, waitsForViews: Bool = true,
            mapSize: Int? = nil, projections: [any Projection] = [], cacheLimit: Int = 16 << 20,
            interceptor: (any StoreInterceptor)? = nil, logger: Logger = Logger(label: "tripstore"),
            dependencies: Dependencies = .system, maintainsViews: Bool = false,
            progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
        ) {
            self.journal = journal
            self.deviceName = deviceName
            self.isReadOnly = isReadOnly
            self.maintainsViews = maintainsViews
            self.waitsForViews = waitsForViews
            self.mapSize = mapSize
            self.projections = projections
            self.cacheLimit = cacheLimit
            self.interceptor = interceptor
            self.logger = logger
            self.dependencies = dependencies
            self.progress = progress
        }

        /// For queries alone, beside a writer in this or another process.
        public static var readOnly: Options { Options(isReadOnly: true) }
    }

    /// Opens the store in a folder, creating it on first use.
    ///
    /// Throws `TripStoreError` (`.notAStore`, `.noStore`, `.invalidProjections`), `EventLogError` (`.newerFormat`,
    /// `.otherJournal`, `.keyUnusable`, `.logLost`), `StorageError` (`.notPermitted`, `.diskFull`, `.damaged`, `.networkFileSystem`) or
    /// `ProjectionError`.
    public static func open(at folder: URL, options: Options = Options()) async throws -> TripStore {
        try await open(at: folder, options: options, isTemporary: false)
    }

    /// Opens a store in a new folder for temporary files; it is removed with the store. For tests and previews.
    public static func temporary(options: Options = Options()) async throws -> TripStore {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tripstore-\(UUID().uuidString)")
        var options = options
        // Nothing need be remembered of what goes with its folder.
        options.dependencies.machineFolder = nil
        return try await open(at: folder, options: options, isTemporary: true)
    }

    /// Whether a folder holds a store.
    public static func exists(at folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: StoreLayout(folder).log + "/data.mdb")
    }

    private static func open(at folder: URL, options: Options, isTemporary: Bool) async throws -> TripStore {
        try AppViews.check(options.projections)
        let layout = StoreLayout(folder)
        let opener = WorkerThread(name: "tripstore.opener")
        do {
            try await opener.run {
                if !exists(at: folder) { try checkNotLost(at: folder, options.dependencies) }
                try layout.check(isReadOnly: options.isReadOnly)
            }
            if options.isReadOnly && options.maintainsViews {
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

    /// Throws `EventLogError.logLost` where a store has no log, though this machine knows that its replica has written.
    package static func checkNotLost(at folder: URL, _ dependencies: Dependencies = .system) throws {
        let layout = StoreLayout(folder)
        try Log.checkNotLost(at: layout.log, keyPath: layout.key, dependencies)
    }

    /// Makes the store of a log that is open, with views in a layout that may be another's.
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
        let configuration = GroupConfiguration(
            name: "trips", folder: layout.views, projections: BuiltInProjections.all, schema: schema,
            mapSize: options.mapSize ?? Environment.Options.defaultMapSize, cacheLimit: options.cacheLimit)
        let views = ProjectionGroup(configuration, log: log, logger: options.logger)
        try await views.start(options.progress)
        let appGroup = AppViews.group(options, layout, log)
        // Nobody waits for the app's own views, and what is wrong with them is told in the status.
        try await appGroup?.start(inBackground: true)
        if appGroup == nil && !log.isReadOnly { try await log.worker.run { try AppViews.forgetFault(log) } }
        let store = TripStore(
            folder: folder, log: log, views: views, appGroup: appGroup, logger: options.logger,
            interceptor: options.interceptor, isTemporary: isTemporary, scratch: scratch)
        if waitsForViews ?? options.waitsForViews { try await store.waitForViews() }
        options.logger.debug(
            "store opened",
            metadata: ["replica": "\(log.replica)", "journal": "\(log.journal)", "readOnly": "\(log.isReadOnly)"])
        return store
    }

    private func waitForViews() async throws {
        if views.isServing { return }
        try await views.catchUp(to: .start)
    }
}

extension TripStore.Options {
    /// For a log that takes appends, unless it is read-only or something is to be noted for views, and nothing else.
    func forLog(isReadOnly: Bool = false, viewNotes: ViewNotes = .none) -> Log.Options {
        var environment = Environment.Options(
            isReadOnly ? .reading : viewNotes == .none ? .creating : .writing,
            durability: syncsCommits ? .synced : .unsynced)
        if let mapSize { environment.mapSize = mapSize }
        var options = Log.Options(
            journal: journal, deviceName: deviceName, schema: TripStore.schema, environment: environment,
            dependencies: dependencies)
        options.viewNotes = viewNotes
        options.quotas = quotas
        options.foundsJournal = foundsJournal
        return options
    }
}

/// Where the parts of a store lie.
struct StoreLayout {
    let folder: String

    init(_ folder: URL) { self.folder = folder.path }

    /// The log's environment.
    var log: String { folder + "/log" }
    /// The generations of the views.
    var views: String { folder + "/views" }
    /// The generations of the views of the app's own projections.
    var appViews: String { views + "/app" }
    /// What keeps a subscription from running twice.
    var subscriptions: String { folder + "/subscriptions" }
    /// The replica's private key.
    var key: String { folder + "/replica.key" }

    /// Refuses folders that are in use for something else, before anything is made there.
    func check(isReadOnly: Bool) throws(TripStoreError) {
        if FileManager.default.fileExists(atPath: log + "/data.mdb") { return }
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
        if exists && !isFolder.boolValue {
            throw TripStoreError(.notAStore, "\(folder) is a file and no trip store. Choose a folder.")
        }
        if isReadOnly {
            throw TripStoreError(
                .noStore, "There is no trip store at \(folder). Check the path, or open it for writing to create one.")
        }
        // A store whose creation was cut off has an empty log folder at most.
        let names = exists ? (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] : []
        guard
            names.allSatisfy({
                ["log", "views", "subscriptions", "replica.key", UnfinishedClone.fileName].contains($0)
                    || $0.hasPrefix(".")
            })
        else {
            throw TripStoreError(
                .notAStore,
                "\(folder) is not empty and holds no trip store. Choose an empty folder, or the one of a store.")
        }
    }
}
