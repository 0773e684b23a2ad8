public import EventLog
import Foundation
import LMDB
public import Logging
public import ProjectionEngine

extension TripStore {
    /// The options for opening a store.
    public struct Options: Sendable {
        /// The purpose for which a store is opened.
        public enum Access: Sendable, Hashable {
            /// Queries and writes; a missing store is created.
            case readWrite
            /// Only queries, beside a writer in this or another process, on the views as a writer left them. Nothing is
            /// written except the recovery of the log after a crash; if that cannot be written, a temporary copy of the
            /// log is read, which is removed with the store.
            case readOnly
            /// Only queries, on views that the store builds and lets catch up itself, as far as no writer does. Queries
            /// then show all that the log has, even after a crash and without a writer.
            ///
            /// This writes views, but never commits, signatures or the replica's identity. If nothing can be written (a
            /// read-only or full medium), the missing parts are made in a temporary folder, which may take as much room
            /// as the store, and is removed with it.
            case readOnlyBuildingViews
        }

        public var access: Access
        /// The author of writes that name none (`Authorship.author`); may be empty.
        public var author: String
        /// The journal of a new store; nil to found one, in which the store is the first admin. An existing store must
        /// have this journal.
        ///
        /// In a founded journal only members may write. Any other id, chosen by an app, is an unfounded journal, in
        /// which every replica that has the id may write.
        public var journal: JournalID?
        /// The device's name, for people who read the history. The replica's first commit bears it: opening a store under another name
        /// changes what the next replica id of this device is called, not this one.
        public var deviceName: String
        /// Whether opening waits until the views can be queried. Without it queries throw
        /// `TripStoreError.Code.beingBuilt` until then.
        public var waitsForViews: Bool
        /// Called with the progress of a rebuild that opening begins, and of making indexes that the views lack; not called if neither is needed.
        public var progress: @Sendable (BuildProgress) -> Void
        /// Bytes of address space to reserve for the log and for the views each; nil for a default that suits the
        /// platform. A log that this process has open already keeps its size.
        public var mapSize: Int?
        /// How the store finds what is searched for.
        public enum Search: Sendable, Hashable {
            /// By looking at every entity. Takes time in proportion to their number, about 10 µs each, and nothing else: no room, and
            /// no work for writes.
            case scanned
            /// By an index of words in views of their own, which follow commits after these were acknowledged. Takes about twice the room of the
            /// other views, and more where notes are long.
            case indexed
        }

        /// How searches find: `scanned` by default, because an app that does not search pays nothing then, and in a store of some thousand
        /// entities a scan takes some tens of milliseconds. Both find the same.
        public var search: Search
        /// The app's own projections: a group of their own, built in the background and read through `appViews`.
        public var projections: [any Projection]
        /// The app's own kinds and fields, as `[Book.schema, Book.rating]`, beside those that every store knows: their rules hold in this
        /// store, and it shows them by name. Others it keeps and passes on, and lets nobody write them here. Two parts that say different things
        /// of one number are refused with `TripStoreError.Code.unusableOption`.
        public var schema: [any SchemaPart]
        /// The app's own indexes, beside those that every store has: see `Index`. They are made while the store is opened, O(entities), unless
        /// the views have them.
        public var indexes: [Index]
        /// The maximum memory of decoded results in bytes, by estimate.
        public var cacheLimit: Int
        /// Called before writes and reads; for tests.
        package var interceptor: (any StoreInterceptor)?
        public var logger: Logger
        public var dependencies: Dependencies
        /// Whether an acknowledged commit is on the medium; a simulation may turn this off.
        package var syncsCommits = true
        /// Limits on what others may send.
        package var quotas = ReceivingQuotas()
        /// Which attachments' bytes exchanges bring here: all of them by default.
        public var attachments = AttachmentPolicy.all
        /// Whether a new store without a given journal founds one; for tests of unfounded journals.
        package var foundsJournal = true

        public init(
            access: Access = .readWrite, author: String = "", journal: JournalID? = nil, deviceName: String = "",
            waitsForViews: Bool = true, mapSize: Int? = nil, projections: [any Projection] = [],
            schema: [any SchemaPart] = [], indexes: [Index] = [], search: Search = .scanned,
            cacheLimit: Int = 16 << 20, logger: Logger = Logger(label: "tripstore"),
            dependencies: Dependencies = .system,
            progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
        ) {
            self.access = access
            self.author = author
            self.journal = journal
            self.deviceName = deviceName
            self.waitsForViews = waitsForViews
            self.mapSize = mapSize
            self.projections = projections
            self.schema = schema
            self.indexes = indexes
            self.search = search
            self.cacheLimit = cacheLimit
            self.logger = logger
            self.dependencies = dependencies
            self.progress = progress
        }

        /// Only for queries, beside a writer in this or another process.
        public static var readOnly: Options { Options(access: .readOnly) }
    }
}

extension TripStore.Options {
    var isReadOnly: Bool { access != .readWrite }

    /// Throws `TripStoreError.Code.unusableOption` for an option that would have no effect, or that contradicts itself.
    func check() throws(TripStoreError) {
        let refusal = DeclaredSchema(schema).refusal ?? indexes.lazy.compactMap(\.refusal).first
        if let refusal { throw TripStoreError(.unusableOption, refusal) }
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

    /// For a log that takes appends, unless it is read-only or there are notes for views, and nothing else.
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
        let known = KnownSchema(declaring: schema)
        options.outlivesParent = { $0.parentRule(in: known) == .nullify }
        return options
    }
}
