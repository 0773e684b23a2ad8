public import EventLog
public import Events
public import Foundation
import LMDB
public import Logging

/// A folder with any number of journals, for a server that stores and forwards: each is a log in a folder of its own, named by the
/// journal, and has a replica of its own.
///
/// That replica writes nothing and needs no role: what it forwards, and to whom, follows from the members in the log. A journal
/// that is lost here comes back from any member, as another replica: see `Beginners`. Logs are opened when a client needs them, and
/// closed after a while without one. One process at a time serves a folder.
public actor JournalFolder: SessionHost {
    /// How the journals of a folder are kept.
    public struct Options: Sendable {
        /// The clients that may begin a journal.
        public var beginners: Beginners
        /// The server's name, for people.
        public var name: String
        /// The bounds on what others may make a journal's log store.
        public var quotas: ReceivingQuotas
        /// The most logs that are open at a time. Each takes a thread and some file descriptors.
        public var openLogs: Int
        /// The most journals in the folder: no client begins another.
        public var journals: Int
        /// How long an unused log stays open.
        public var idle: Duration
        /// Bytes of address space for each log; nil for a default that suits the platform.
        public var mapSize: Int?
        /// The bytes of the disk that are left free by what is kept of requests that were cut off.
        public var leastFree: Int64 = 64 << 20
        /// Time and randomness of the logs.
        public var dependencies: Dependencies
        /// Whether stored commits are on the medium before they are acknowledged; for tests.
        package var syncsCommits = true

        public init(
            beginners: Beginners = .nobody, name: String = "", quotas: ReceivingQuotas = ReceivingQuotas(),
            openLogs: Int = 128, journals: Int = 10_000, idle: Duration = .seconds(60), mapSize: Int? = nil,
            dependencies: Dependencies = .system
        ) {
            self.beginners = beginners
            self.name = name
            self.quotas = quotas
            self.openLogs = openLogs
            self.journals = journals
            self.idle = idle
            self.mapSize = mapSize
            self.dependencies = dependencies
        }
    }

    /// A journal that is open, or being opened or closed.
    final class Entry {
        var log: Log?
        /// What the log is a copy of; nil if it is none.
        var backed: (any BackedJournal)?
        /// The folder of the log.
        var path = ""
        var isOpening = false
        /// While a copy is made.
        var copying: Task<any BackedJournal, any Error>?
        var leases = 0
        var lastUsed = Duration.zero
        /// Whether the log's file was to be rewritten when it was last looked at, which the next opening does.
        var isOwed = false
        /// Raised to end the sessions, and once the log is closed after that.
        let ending = ChangeSignal { false }
        /// Held while it is opened or closed.
        let lock = AsyncLock()
    }

    /// Keeps a log open as long as it is retained.
    private final class Lease: Sendable {
        private let release: @Sendable () -> Void

        init(_ release: @escaping @Sendable () -> Void) { self.release = release }

        deinit { release() }
    }

    private nonisolated let folder: URL
    /// One for all journals, so that its bounds are those of the server.
    let parts: PartFolder
    /// Where the journals are kept; nil if in the folder.
    let backing: (any JournalBacking)?
    let options: Options
    let time: SessionDependencies
    let logger: Logger
    private let opener = WorkerThread(name: "tripstore.opener")
    var entries: [JournalID: Entry] = [:]
    /// When a journal is next to be looked at for bytes that are to be removed, in milliseconds since 1970.
    var removals: [JournalID: Int64] = [:]
    private(set) var isClosed = false
    private var mayCopy = true

    /// Uses a folder, which is created with the first journal.
    public init(
        _ folder: URL, options: Options = Options(), dependencies time: SessionDependencies = .system,
        logger: Logger = Logger(label: "tripstore.journals")
    ) {
        self.init(folder, backing: nil, options: options, dependencies: time, logger: logger)
    }

    /// Uses a folder for copies of journals that are kept elsewhere. It belongs to this process alone.
    package init(
        _ folder: URL, backing: (any JournalBacking)?, options: Options = Options(),
        dependencies time: SessionDependencies = .system, logger: Logger = Logger(label: "tripstore.journals")
    ) {
        self.folder = folder
        parts = PartFolder(
            folder.appendingPathComponent("arriving").path, bounds: PartFolder.Bounds(leastFree: options.leastFree),
            now: options.dependencies.now)
        self.backing = backing
        self.options = options
        self.time = time
        self.logger = logger
    }

    /// The journals in the folder, in order. Throws what reading it throws.
    public nonisolated func journals() throws -> [JournalID] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .compactMap { JournalID($0) }.filter { isThere($0) }.sorted { "\($0)" < "\($1)" }
    }

    /// The folder of a journal, which is that of a store: it can be audited and copied like one.
    public nonisolated func folder(of journal: JournalID) -> URL { folder.appendingPathComponent("\(journal)") }

    private nonisolated func isThere(_ journal: JournalID) -> Bool {
        FileManager.default.fileExists(atPath: folder(of: journal).path + "/log/data.mdb")
    }

    private func keeps(_ journal: JournalID) async throws -> Bool {
        try await backing?.holds(journal) ?? isThere(journal)
    }

    /// The journals whose logs are open.
    public var openJournals: [JournalID] {
        entries.filter { $0.value.log != nil }.map(\.key).sorted { "\($0)" < "\($1)" }
    }

    /// Lets the system take what was read of open logs out of this process's memory.
    public func releasePages() async {
        let logs = entries.values.compactMap(\.log)
        // One that cannot be read says so to its sessions.
        try? await opener.run { for log in logs { try? log.releasePages() } }
    }

    /// Closes every log once its sessions have ended, and opens no further ones.
    public func close() async {
        isClosed = true
        for journal in Array(entries.keys) { await closeIfUnused(journal) }
    }

    /// Ends copies that are being made, and makes no further ones, so that a shutdown does not wait for them. What is open stays.
    public func endCopying() {
        mayCopy = false
        for entry in entries.values { entry.copying?.cancel() }
    }

    public func log(for journal: JournalID?, peer: SessionPeerKey) async throws -> HostedLog? {
        do { return try await hosted(journal, peer) } catch  where backing?.meansAway(error) == true {
            throw HostUnavailable("\(error)")
        }
    }

    private func hosted(_ journal: JournalID?, _ peer: SessionPeerKey) async throws -> HostedLog? {
        // Which of them a client without an id means cannot be told.
        guard let journal, !isClosed else { return nil }
        while let ending = entries[journal]?.ending, case let tick = ending.tick, tick > 0 {
            guard await ending.wait(after: tick) != nil else { throw CancellationError() }
        }
        let mayBegin = options.beginners.include(peer, for: journal)
        if !mayBegin { guard try await keeps(journal) else { return nil } }
        let entry = entries[journal] ?? Entry()
        entries[journal] = entry
        entry.leases += 1
        let lease = Lease { [weak self] in Task { await self?.release(journal) } }
        await entry.lock.lock()
        defer { entry.lock.unlock() }
        guard let log = try await open(journal, entry) else { return nil }
        let beginning =
            journal.isFounded ? JournalBeginning(log, backed: entry.backed, admitsStrangers: mayBegin) : nil
        return HostedLog(log, lease: lease, beginning: beginning, backed: entry.backed, parts: parts) {
            [ending = entry.ending] in
            if ending.tick > 0 { throw ExchangeError(.cut, "The journal's file is rewritten. Connect again.") }
        }
    }

    /// Nil if too many are open, or in the folder.
    func open(_ journal: JournalID, _ entry: Entry) async throws -> Log? {
        if let log = entry.log {
            guard let backed = entry.backed else { return log }
            do { try await backed.refresh() } catch  where backed.isStale {}
            if !backed.isStale { return log }
            // Sessions that use it end with their next request.
            await discardCopy(entry)
        }
        guard !isClosed else { return nil }
        if try await !keeps(journal), try await count() >= options.journals {
            logger.warning(
                "no further journal is begun: there are as many as may be", metadata: ["journal": "\(journal)"])
            return nil
        }
        await makeRoom()
        guard openCount < options.openLogs else {
            logger.warning(
                "no further journal is opened: as many as may be are in use", metadata: ["journal": "\(journal)"])
            return nil
        }
        entry.isOpening = true
        defer { entry.isOpening = false }
        if let backing { return mayCopy ? try await copy(journal, entry, backing) : nil }
        let (path, logOptions) = (folder(of: journal).path, self.logOptions(journal))
        let log = try await opener.run { [parts] in
            let log = try Log.open(at: path + "/log", keyPath: path + "/replica.key", options: logOptions)
            // What fails now, as on a full disk, is done at a later opening.
            try? ContentFolder.beside(log).scrub(log, parts: parts)
            return log
        }
        entry.log = log
        entry.path = path
        return log
    }

    private func count() async throws -> Int {
        try await backing?.journalCount(upTo: options.journals) ?? journals().count
    }

    /// Copies of one journal may follow each other, so each has a folder of its own.
    private func copy(_ journal: JournalID, _ entry: Entry, _ backing: any JournalBacking) async throws -> Log {
        let path = folder.appendingPathComponent("\(journal)-\(UUID().uuidString.prefix(8))").path
        // A client whose time is over leaves, and its next connection finds the copy: of a large journal none would be made otherwise.
        let copying = Task { [options = logOptions(journal)] in try await backing.open(journal, in: path, options) }
        entry.copying = copying
        defer { entry.copying = nil }
        do {
            let backed = try await copying.value
            (entry.log, entry.backed, entry.path) = (backed.log, backed, path)
            return backed.log
        } catch {
            try? FileManager.default.removeItem(atPath: path)
            throw error
        }
    }

    var openCount: Int { entries.count { $0.value.log != nil || $0.value.isOpening } }

    private func logOptions(_ journal: JournalID) -> Log.Options {
        var dependencies = options.dependencies
        // A replica that writes nothing needs no record of what it wrote.
        dependencies.machineFolder = nil
        var logOptions = Log.Options(
            journal: journal, deviceName: options.name,
            environment: Environment.Options(
                .creating, durability: options.syncsCommits && backing == nil ? .synced : .unsynced,
                mapSize: options.mapSize ?? Environment.Options.defaultMapSize),
            dependencies: dependencies)
        logOptions.quotas = options.quotas
        return logOptions
    }
}
