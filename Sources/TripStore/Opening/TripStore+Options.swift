public import EventLog
import Foundation
import LMDB
public import Logging
public import ProjectionEngine

extension TripStore {
    /// How a store is opened.
    public struct Options: Sendable {
        /// What a store is opened for.
        public enum Access: Sendable, Hashable {
            /// Queries and writes; a store that is not there is created.
            case readWrite
            /// Queries alone, beside a writer in this or another process, on the views as a writer left them. Nothing is written but
            /// what repairs the log after a crash; where that cannot be written, a temporary copy of the log is read, which goes
            /// with the store.
            case readOnly
            /// Queries alone, on views that the store builds and brings up to date itself, as far as no writer does. Queries then
            /// show all that the log holds, also after a crash and without a writer.
            ///
            /// That writes views, but never commits, signatures or the replica's identity. Where nothing can be written (a
            /// read-only medium, a full one) what is lacking is made in a folder for temporary files, which may take as much
            /// room as the store, and goes with it.
            case readOnlyBuildingViews
        }

        public var access: Access
        /// In whose name writes are that name no author (`Authorship.author`); empty for nobody in particular.
        public var author: String
        /// The journal that a new store gets; nil for one that it founds, in which it is the first admin. A store that is there
        /// must have it.
        ///
        /// In a journal that was founded members alone may write. Any other id, drawn by an app, is that of a journal in which
        /// everybody may who has it.
        public var journal: JournalID?
        /// The device's name, for people who read the history.
        public var deviceName: String
        /// Whether opening waits until the views can be queried. Without it queries throw
        /// `TripStoreError.beingBuilt` until then.
        public var waitsForViews: Bool
        /// Told how a rebuild goes on that opening begins; not called if the views need none.
        public var progress: @Sendable (BuildProgress) -> Void
        /// Bytes of address space to reserve for the log and for the views each; nil for a default that suits the
        /// platform. A log that this process has open already keeps what it has.
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
            access: Access = .readWrite, author: String = "", journal: JournalID? = nil, deviceName: String = "",
            waitsForViews: Bool = true, mapSize: Int? = nil, projections: [any Projection] = [],
            cacheLimit: Int = 16 << 20, interceptor: (any StoreInterceptor)? = nil,
            logger: Logger = Logger(label: "tripstore"), dependencies: Dependencies = .system,
            progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
        ) {
            self.access = access
            self.author = author
            self.journal = journal
            self.deviceName = deviceName
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
        public static var readOnly: Options { Options(access: .readOnly) }
    }
}

extension TripStore.Options {
    var isReadOnly: Bool { access != .readWrite }

    /// Throws `TripStoreError.unusableOption` for an option that would have no effect.
    func check() throws(TripStoreError) {
        guard isReadOnly else { return }
        if !author.isEmpty {
            throw Self.unusable(
                "'author' names '\(author)' as the author of writes", "the store is opened for reading alone")
        }
        if !deviceName.isEmpty {
            throw Self.unusable(
                "'deviceName' gives the device the name '\(deviceName)'",
                "a store that is opened for reading alone keeps the one it has")
        }
        if quotas != ReceivingQuotas() {
            throw Self.unusable("'quotas' bound what is taken in", "the store is opened for reading alone")
        }
    }

    private static func unusable(_ option: String, _ reason: String) -> TripStoreError {
        TripStoreError(
            .unusableOption, "The option \(option), and \(reason). Leave it out, or open the store for writing.")
    }

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
