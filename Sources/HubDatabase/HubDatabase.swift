internal import Crypto
package import EventLog
public import Events
import Foundation
import LMDB
public import LogExchange
public import Logging
import Synchronization

/// The journals of a PostgreSQL database, which any number of hubs share.
///
/// A hub keeps nothing of its own: it has a copy of each journal that is in use, made from the database's rows and checked like what
/// comes from a client, and appends to the rows what its clients bring. What is acknowledged to a client is committed in the database.
/// All hubs of a database are one replica in each journal, whose key follows from a secret in the database and from its epoch.
public final class HubDatabase: JournalBacking {
    /// How a database is used.
    public struct Options: Sendable {
        /// The most connections, but for one that waits for notifications.
        public var connections: Int
        /// How long the database may take to answer.
        public var patience: Duration
        /// How often it is asked what other hubs stored.
        public var poll: Duration
        /// Whether a database that does not sync its commits is used all the same: for tests.
        public var allowsUnsynced: Bool

        public init(
            connections: Int = 16, patience: Duration = .seconds(15), poll: Duration = .seconds(1),
            allowsUnsynced: Bool = false
        ) {
            self.connections = connections
            self.patience = patience
            self.poll = poll
            self.allowsUnsynced = allowsUnsynced
        }
    }

    /// A journal that is open, as long as it is.
    private struct Reference {
        weak var journal: DatabaseJournal?
    }

    /// Whether PostgreSQL's client library is on this machine.
    public static var isAvailable: Bool { ClientLibrary.system != nil }

    /// The settings by which the database keeps acknowledged data from being lost.
    public let durability: DatabaseDurability
    let pool: DatabasePool
    let logger: Logger
    private let open = Mutex<[JournalID: [Reference]]>([:])
    private let news: DatabaseNews

    /// Connects, checks the database's settings, and makes its tables or brings them up to date. Blocks a thread of its own.
    ///
    /// Throws `DatabaseError`: `.noLibrary`, `.disconnected`, `.denied`, `.unsuitable`, `.newerSchema`.
    public static func open(
        _ address: DatabaseAddress, options: Options = Options(), logger: Logger = Logger(label: "tripstore.database")
    ) async throws -> HubDatabase {
        guard let library = ClientLibrary.system else { throw ClientLibrary.missing }
        let opener = WorkerThread(name: "tripstore.opener")
        return try await opener.run {
            let first = try DatabaseConnection(address, library, patience: options.patience)
            let durability = try DatabaseDurability(first)
            if let refusal = durability.refusal, !(options.allowsUnsynced && durability.fsync == "off") {
                throw refusal
            }
            try DatabaseSchema.prepare(
                first, secret: (0..<32).map { _ in UInt8.random(in: 0...255) }, epoch: UUID().bytes)
            for warning in durability.warnings { logger.warning("\(warning)") }
            return HubDatabase(address, library, durability, options, logger)
        }
    }

    private init(
        _ address: DatabaseAddress, _ library: ClientLibrary, _ durability: DatabaseDurability, _ options: Options,
        _ logger: Logger
    ) {
        self.durability = durability
        self.logger = logger
        let commit = durability.neededSynchronousCommit
        pool = DatabasePool(address, library, connections: options.connections, patience: options.patience) {
            connection in
            try HubRow.configure(connection, patience: options.patience, synchronousCommit: commit)
            if try HubRow(connection: connection).noteInstance() {
                logger.warning("the database is another server, or was restored or promoted: a new epoch begins")
            }
        }
        news = DatabaseNews(pool, every: options.poll, logger)
        news.start { [weak self] journals in await self?.refresh(journals) }
    }

    deinit { news.stop() }

    /// Asks the database for nothing, to see that it answers. Throws `DatabaseError`.
    public func probe() async throws { _ = try await pool.read { try $0.run("SELECT 1") } }

    /// Connections that are in use now, and the most that may be; without the one that waits for notifications.
    public var connections: (inUse: Int, most: Int) { (pool.inUse, pool.most) }

    /// Ends what runs in the background, and closes the connections that are not in use.
    public func close() {
        news.stop()
        pool.close()
    }

    /// The journals in the database, in order.
    public func journals() async throws -> [JournalID] {
        try await pool.read { connection in
            try connection.run(
                "SELECT journal::text FROM tripstore.journal WHERE next_entry > 1 ORDER BY journal"
            ).map { $0.text(0).flatMap { JournalID($0) } }.compactMap(\.self)
        }
    }

    /// Begins an epoch: after the database was restored in a way that nothing shows, as from a snapshot of its disk. Every copy of a
    /// journal is made anew, and hubs go on as another replica in each.
    public func beginEpoch() async throws {
        try await pool.read { connection in
            let row = HubRow(connection: connection)
            try row.beginEpoch(after: try row.identity().epoch)
        }
    }

    // MARK: Journals

    package func holds(_ journal: JournalID) async throws -> Bool {
        try await pool.read { connection in
            let state = try JournalRows(connection: connection, journal: journal).state(at: nil)
            return state.nextEntry > 1
        }
    }

    package func journalCount(upTo most: Int) async throws -> Int {
        try await pool.read { connection in
            let found = try connection.run(
                "SELECT count(*) FROM (SELECT FROM tripstore.journal WHERE next_entry > 1 LIMIT $1::bigint) AS counted",
                [.integer(most)])
            return Int(try found.first?.integer(0) ?? 0)
        }
    }

    package func meansAway(_ error: any Error) -> Bool { (error as? DatabaseError)?.isOfAllJournals ?? false }

    package func open(
        _ journal: JournalID, in folder: String, _ options: Log.Options
    ) async throws -> any BackedJournal { try await copy(journal, in: folder, options) }

    /// A copy that also takes commits in, and records them in the database.
    func copy(_ journal: JournalID, in folder: String, _ options: Log.Options) async throws -> DatabaseJournal {
        let (epoch, secret) = try await pool.read { try HubRow(connection: $0).identity() }
        let ledger = DatabaseLedger(pool, journal, epoch: epoch, logger: logger) { [weak news] in news?.announce($0) }
        var options = options
        options.ledger = ledger
        options.identity = Self.identity(for: journal, epoch: epoch, secret: secret)
        let log = try await Self.open(in: folder, options)
        let copy = DatabaseJournal(
            log, journal, pool, epoch: epoch, ledger: ledger, contents: DatabaseContents(pool, journal, log),
            logger: logger, closing: { [weak self] in self?.forget($0) })
        try await copy.refresh()
        open.withLock { $0[journal, default: []].append(Reference(journal: copy)) }
        return copy
    }

    static func open(in folder: String, _ options: Log.Options) async throws -> Log {
        let opener = WorkerThread(name: "tripstore.opener")
        return try await opener.run {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            return try Log.open(at: folder + "/log", keyPath: folder + "/replica.key", options: options)
        }
    }

    /// The replica that every hub of the database is in a journal.
    private static func identity(for journal: JournalID, epoch: [UInt8], secret: [UInt8]) -> ReplicaIdentity? {
        let message = Array("tripstore hub replica v1".utf8) + epoch + journal.bytes
        let code = HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: secret))
        return ReplicaIdentity(seed: Array(code))
    }

    private func forget(_ journal: JournalID) {
        open.withLock { open in
            open[journal]?.removeAll { $0.journal == nil || $0.journal?.isStale == true }
            if open[journal]?.isEmpty == true { open[journal] = nil }
        }
    }

    // MARK: News

    /// How many copies are refreshed at a time, so that one that takes long does not keep the others waiting.
    private static let refreshedAtOnce = 4

    /// Asks for what other hubs stored: in some journals, or in all that are open.
    private func refresh(_ journals: Set<JournalID>?) async {
        let copies = open.withLock { open in
            open.filter { journals?.contains($0.key) ?? true }.values.flatMap { $0.compactMap(\.journal) }
        }
        guard !copies.isEmpty else { return }
        do {
            let behind = journals == nil ? try await behind(copies) : copies
            await withTaskGroup(of: Void.self) { group in
                for (index, copy) in behind.enumerated() {
                    if index >= Self.refreshedAtOnce { await group.next() }
                    group.addTask { await self.refresh(copy) }
                }
            }
        } catch {
            logger.warning("the database could not be asked what is new", metadata: ["error": "\(error)"])
        }
    }

    private func refresh(_ copy: DatabaseJournal) async {
        do { try await copy.refresh() } catch {
            if !copy.isStale { logger.warning("a journal could not be refreshed", metadata: ["error": "\(error)"]) }
        }
    }

    /// Those of some copies that are behind the database, by one question for all; and all of them if its epoch is another.
    private func behind(_ copies: [DatabaseJournal]) async throws -> [DatabaseJournal] {
        let ids = copies.map(\.journal.bytes)
        let found = try await pool.read { connection in
            try connection.run(
                """
                SELECT j.journal, j.next_entry, h.epoch FROM tripstore.hub h
                LEFT JOIN tripstore.journal j ON j.journal = ANY($1::uuid[])
                """, [.uuids(ids)]
            ).map { row in
                (journal: row.bytes(0), next: row.bytes(1) == nil ? 1 : try row.integer(1), epoch: try row.needed(2))
            }
        }
        let next = Dictionary(found.compactMap { row in row.journal.map { ($0, row.next) } }) { first, _ in first }
        return try copies.filter { copy in
            guard let bytes = try copy.log.ledgerCursor() else { return next[copy.journal.bytes] != nil }
            let cursor = DatabaseCursor(bytes)
            return cursor?.nextEntry != next[copy.journal.bytes] || cursor?.epoch != found.first?.epoch
        }
    }
}
