public import EventLog
public import Events
public import Foundation
import LMDB
import LogExchange
import Logging
import Synchronization

/// The result of verifying a journal in a database.
public struct DatabaseVerification: Sendable {
    public let journal: JournalID
    /// Entries that are missing, or cannot be used.
    public let entries: [EntryFinding]
    /// That of the log which the other entries make.
    public let log: VerificationReport

    public var isIntact: Bool { entries.isEmpty && log.isIntact }
}

extension HubDatabase {
    /// Makes a log of a journal's entries in an empty folder, as a hub has one: to audit it, or to write a bundle of it. Nothing in the
    /// database is changed, and the log goes with `body`.
    ///
    /// Throws `DatabaseError`, `EventLogError`, or what `body` throws.
    public func withCopy<T>(
        of journal: JournalID, in folder: URL, _ body: (Log, [EntryFinding]) async throws -> T
    ) async throws -> T {
        let path = folder.appendingPathComponent("\(journal)-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let (log, findings) = try await read(journal, into: path, .unsynced)
        return try await body(log, findings)
    }

    /// Verifies a journal: that its entries are numbered without gaps, and everything that a store's verification checks. Entries that
    /// were set aside are findings until the journal has their commits again.
    public func verify(_ journal: JournalID, in folder: URL) async throws -> DatabaseVerification {
        let gaps = try await positionGaps(of: journal)
        let setAside = try await pool.read { connection in
            try JournalRows(connection: connection, journal: journal).entriesSetAside()
        }
        return try await withCopy(of: journal, in: folder) { log, findings in
            let lacking = try log.read { log in
                try setAside.filter { entry in try entry.first.map { try !log.holds($0, in: journal) } ?? true }
            }
            let verifier = WorkerThread(name: "tripstore.verifier")
            let report = try await verifier.run { try LogVerifier.verify(EnvironmentRows(at: log.path)) }
            return DatabaseVerification(
                journal: journal, entries: findings + gaps + lacking.map(\.finding), log: report)
        }
    }

    /// Writes a journal to a folder as the journals of a hub that keeps its own: `tripstore serve --hub` goes on with it, as another
    /// replica. Returns how many commits there are, and what could not be used.
    ///
    /// Throws `DatabaseError.unsuitable` if the folder has the journal already.
    public func export(_ journal: JournalID, to folder: URL) async throws -> (commits: UInt64, findings: [EntryFinding])
    {
        let path = folder.appendingPathComponent("\(journal)").path
        guard !FileManager.default.fileExists(atPath: path) else {
            throw DatabaseError(.unsuitable, "There is a journal at \(path) already. Name another folder.")
        }
        do {
            let (log, findings) = try await read(journal, into: path, .synced)
            try await log.worker.run { try log.prepareClose() }
            return (try log.read { try $0.lastPosition() }.rawValue, findings)
        } catch {
            try? FileManager.default.removeItem(atPath: path)
            throw error
        }
    }

    /// Stores what a log has: that of a store, or of a hub's journal. What the database has already is passed over. Returns how many
    /// commits were new.
    ///
    /// Every check is made that a hub makes of a client's commits, but for the quotas that an operator sets: what the log holds was taken in
    /// once. The fixed bounds of replicas that are no members, and of commits about members, hold. Throws `DatabaseError`, `EventLogError`.
    public func `import`(_ log: Log, in folder: URL) async throws -> Int {
        let journal = log.journal
        let path = folder.appendingPathComponent("\(journal)-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        var options = Self.copyOptions(journal, .unsynced)
        options.quotas.lines = .max
        options.quotas.waitingLines = .max
        options.quotas.waitingBytes = .max
        options.quotas.bytesADay = .max
        let copy = try await copy(journal, in: path, options)
        let before = try copy.log.read { try $0.lastPosition() }.rawValue
        // What counts and what does not: nothing that the log holds is left behind.
        let ranges = try log.read { log in
            try log.ranges(towards: log.signedHeads(of: journal), lackedBy: [], in: journal)
        }
        var gathered: [LineSegment] = []
        var bytes = 0
        try await log.forEachSegment(of: ranges, in: journal) { segment in
            gathered.append(segment)
            bytes += segment.byteCount
            guard bytes >= 4 << 20 else { return }
            try await copy.log.store(gathered)
            (gathered, bytes) = ([], 0)
        }
        if !gathered.isEmpty { try await copy.log.store(gathered) }
        await copy.close()
        return Int(clamping: try copy.log.read { try $0.lastPosition() }.rawValue - before)
    }

    /// Stores what the log of a store's folder, or of a hub's journal, has; that log is only read. Returns how many
    /// commits were new.
    ///
    /// The checks are those of `import(_:in:)` for an open log. Throws `DatabaseError`, `EventLogError`, and `StorageError` from
    /// opening the log.
    public func `import`(storeAt store: URL, in folder: URL) async throws -> Int {
        let opener = WorkerThread(name: "tripstore.opener")
        let log = try await opener.run {
            try Log.open(
                at: store.path + "/log", keyPath: store.path + "/replica.key",
                options: Log.Options(environment: Environment.Options(.reading)))
        }
        return try await `import`(log, in: folder)
    }

    // MARK: Reading

    private func read(
        _ journal: JournalID, into path: String, _ durability: Environment.Options.Durability
    ) async throws -> (Log, [EntryFinding]) {
        guard try await holds(journal) else {
            throw DatabaseError(
                .unsuitable, "The database has no journal \(journal). List them with 'tripstore hub journals'.")
        }
        let epoch = try await pool.read { try HubRow(connection: $0).identity().epoch }
        let log = try await Self.open(in: path, Self.copyOptions(journal, durability))
        let findings = EntryFindings()
        let copy = DatabaseJournal(log, journal, pool, epoch: epoch, ledger: nil, logger: logger) { findings.add($0) }
        try await copy.refresh()
        return (log, findings.all)
    }

    private static func copyOptions(_ journal: JournalID, _ durability: Environment.Options.Durability) -> Log.Options {
        var dependencies = Dependencies.system
        // It writes nothing.
        dependencies.machineFolder = nil
        return Log.Options(
            journal: journal, environment: Environment.Options(.creating, durability: durability),
            dependencies: dependencies)
    }

    /// Where the positions that the rows name have gaps.
    private func positionGaps(of journal: JournalID) async throws -> [EntryFinding] {
        try await pool.read { connection in
            try connection.run(
                """
                SELECT entry, position, expected FROM (
                    SELECT entry, position, lag(entry, 1, 0::bigint) OVER w AS before,
                        lag(position + commits, 1, 1::bigint) OVER w AS expected
                    FROM tripstore.entry WHERE journal = $1::uuid WINDOW w AS (ORDER BY entry)) AS numbered
                WHERE entry = before + 1 AND position <> expected ORDER BY entry
                """, [.bytes(journal.bytes)]
            ).map { row in
                EntryFinding(
                    entry: try row.integer(0),
                    "it is at position \(try row.integer(1)), and \(try row.integer(2)) comes next")
            }
        }
    }
}

/// Findings that are gathered on any thread.
private final class EntryFindings: Sendable {
    private let found = Mutex<[EntryFinding]>([])

    func add(_ finding: EntryFinding) { found.withLock { $0.append(finding) } }

    var all: [EntryFinding] { found.withLock { $0 } }
}
