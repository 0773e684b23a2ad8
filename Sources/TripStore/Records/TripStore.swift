public import EventLog
import Events
public import Foundation
package import LogExchange
package import Logging
package import ProjectionEngine
import Synchronization
import Trips

/// A store of entities: every change is an event in an append-only log, and queries read views of it.
///
/// ```swift
/// let store = try await TripStore.open(at: folder)
/// let dune = try await store.create(Book("Dune", by: "Frank Herbert"))
/// try await store.edit(dune) { $0.rating = 5 }
/// let liked = try store.fetch(Query<Book>().where { $0.rating > 3 })
/// ```
///
/// It may be used from any task or thread. Writes return when they are durable and, unless the views are being built,
/// visible; queries are plain calls that read a snapshot and never wait.
public final class TripStore: Sendable {
    /// The version of the schema that this library writes.
    public static let schema: UInt32 = 1

    /// The folder of the store.
    public let folder: URL
    package let log: Log
    package let views: ProjectionGroup
    /// The group of the app's own projections, if it has any.
    let appGroup: ProjectionGroup?
    /// The group of the words of entities, if the store keeps them.
    let searchGroup: ProjectionGroup?
    let searchedFields: SearchedFields
    let coordinator: WriteCoordinator
    /// The kinds and fields that the options declare and the log describes.
    package let knownSchema: KnownSchema
    let pastCache = PastCache()
    let pastAppCache = PastCache()
    let running = RunningExchanges()
    let suspension: StoreSuspension
    /// The bytes of attachments.
    package let contentFolder: ContentFolder
    let attachmentPolicy: AttachmentPolicy
    let settledContents: SettledContents
    let erasingUpkeep = Mutex(ErasingUpkeep())
    package let logger: Logger
    let interceptor: (any StoreInterceptor)?
    /// In whose name writes are that name no author; empty for nobody in particular. See `Options.author`.
    public let author: String
    /// Apart from the group: counting references to an object that has weak references takes longer than the rest of a small query.
    let viewReader: ViewReader
    private let isTemporary: Bool
    /// The copy that is read, if it is not the store in its folder.
    let scratch: ScratchFolder?

    init(
        folder: URL, log: Log, views: ProjectionGroup, appGroup: ProjectionGroup?, searchGroup: ProjectionGroup?,
        searchedFields: SearchedFields, knownSchema: KnownSchema, logger: Logger,
        interceptor: (any StoreInterceptor)?, author: String, isTemporary: Bool, scratch: ScratchFolder?,
        attachments attachmentPolicy: AttachmentPolicy
    ) {
        self.folder = folder
        self.attachmentPolicy = attachmentPolicy
        // A copy has the log alone.
        contentFolder =
            scratch == nil
            ? .beside(log) : ContentFolder(StoreLayout(folder).attachments, now: { [log] in log.wallClock })
        settledContents = SettledContents(contentFolder.path + "/settled", attachmentPolicy)
        self.log = log
        self.views = views
        self.appGroup = appGroup
        self.searchGroup = searchGroup
        self.searchedFields = searchedFields
        self.knownSchema = knownSchema
        self.logger = logger
        self.interceptor = interceptor
        self.author = author
        viewReader = views.reader
        self.isTemporary = isTemporary
        self.scratch = scratch
        let following = [appGroup, searchGroup].compactMap { $0 }
        coordinator = WriteCoordinator(views, following: following)
        suspension = StoreSuspension(of: log, [views] + following, in: folder.path, logger) {
            [contentFolder, pastCache, pastAppCache] in
            pastCache.removeAll()
            pastAppCache.removeAll()
            await contentFolder.awaitTurn()
        }
        log.setObserver(coordinator)
    }

    deinit { if isTemporary { try? FileManager.default.removeItem(at: folder) } }

    /// The replica that this store writes as.
    public var replica: ReplicaID { log.replica }

    /// The history that this store shares with its replicas.
    public var journal: JournalID { log.journal }

    public var isReadOnly: Bool { log.isReadOnly }

    /// Why this store began to write as another replica when it was opened; nil if it did not.
    public var identityChange: IdentityChange? { log.identityChange }

    /// Whether the log has commits that the views do not have yet.
    public var isBehind: Bool {
        get throws { try readLog { log in try log.lastPosition() > views.read(beside: log) { $0.position } } }
    }

    /// Signs what was written, so that it could be handed on even if the key were lost, and syncs the views and what the log wrote
    /// ahead, so that opening is as quick as it can be, also after a restart of the machine.
    ///
    /// The store must not be used afterwards: queries and writes throw `TripStoreError.Code.closed`. Leaving it out loses nothing:
    /// commits are durable when they are acknowledged, and views are built anew where they are not sure to be whole.
    public func close() async {
        // If this is lost, it is learned again.
        try? await log.worker.run { [log] in
            try? log.flushNotes()
            try? log.prepareClose()
        }
        await views.close()
        await appGroup?.close()
        await searchGroup?.close()
        // Who waits for changes finds it closed.
        log.changes.raise()
    }
}
