import EventLog
import Events
import LogExchange
import Logging
import Synchronization

/// Records what the log of a journal takes in as rows of the database.
///
/// The log has verified it against what it holds, which is all that the database has up to the cursor. So the rows are appended only if
/// the journal is still there: of two hubs that extend the same journal at the same time one appends, and the other replays that, verifies
/// again, and appends then. The statement or transaction is short: nothing is verified in it.
final class DatabaseLedger: LogLedger {
    private let pool: DatabasePool
    private let journal: JournalID
    private let epoch: [UInt8]
    private let logger: Logger
    private let recorded: @Sendable (JournalID) -> Void
    /// The journal whose log has this ledger.
    private let owner = Mutex<@Sendable () async throws -> Void>({})

    /// `recorded` is called after rows were appended.
    init(
        _ pool: DatabasePool, _ journal: JournalID, epoch: [UInt8], logger: Logger,
        recorded: @escaping @Sendable (JournalID) -> Void
    ) {
        self.pool = pool
        self.journal = journal
        self.epoch = epoch
        self.logger = logger
        self.recorded = recorded
    }

    func onCatchUp(_ body: @escaping @Sendable () async throws -> Void) { owner.withLock { $0 = body } }

    func catchUp(_ log: Log) async throws { try await owner.withLock { $0 }() }

    func record(_ entry: LedgerEntry, after cursor: [UInt8]?, _ log: borrowing LogSnapshot) throws -> [UInt8] {
        let cursor = try DatabaseCursor.read(cursor, in: epoch)
        let rows = EntryRow.rows(of: entry)
        do {
            try appendRepeating(rows, entry, cursor, log)
        } catch let error as DatabaseError where error.isSerialisation {
            throw LedgerConflict()
        }
        recorded(journal)
        let last = cursor.nextEntry + Int64(rows.count) - 1
        return cursor.after(last, entry.operation).bytes
    }

    private func appendRepeating(
        _ rows: [EntryRow], _ entry: LedgerEntry, _ cursor: DatabaseCursor, _ log: borrowing LogSnapshot
    ) throws {
        try pool.awaitStoring()
        defer { pool.endStoring() }
        // The statement may have been carried out although its connection broke: then this operation is found at the cursor.
        var attempts = 0
        while true {
            attempts += 1
            do { return try append(rows, entry, cursor, log) } catch let error as DatabaseError
                where (error.code == .disconnected || error.isOfTheSession) && attempts <= 2
            {
                pool.discardIdle()
            }
        }
    }

    private func append(
        _ rows: [EntryRow], _ entry: LedgerEntry, _ cursor: DatabaseCursor, _ log: borrowing LogSnapshot
    ) throws {
        // A closure cannot capture what is borrowed.
        let rewritten = try pool.with { connection in
            try JournalRows(connection: connection, journal: journal).rowsToRewrite(entry.rewritten)
        }
        var bodies: [(entry: Int64, body: [UInt8])] = []
        for row in rewritten {
            guard let body = try row.body(now: log, in: journal) else {
                // This log has replayed all rows.
                logger.error(
                    "an entry may hold bytes that were erased: its commits are not those of the journal",
                    metadata: ["journal": "\(journal)", "entry": "\(row.entry)"])
                continue
            }
            bodies.append((row.entry, body))
        }
        let erased = try entry.erasedCommits(log)
        if !erased.isEmpty {
            let restored = try pool.with { connection in
                try JournalRows(connection: connection, journal: journal).restoredRows()
            }
            for row in restored {
                let commits = try row.contents().restored.map(\.commit)
                guard commits.contains(where: erased.contains) else { continue }
                bodies.append((row.entry, RestoredBatch.encoded(try log.restored(commits))))
            }
        }
        let isAppended = try pool.with { connection in
            let table = JournalRows(connection: connection, journal: journal)
            do {
                return try table.append(rows, rewriting: bodies, erasing: erased, at: cursor)
            } catch let error as DatabaseError where error.state == "23505" {
                // Rows have the same commits, and this log, which has replayed all rows, does not: they are of no use.
                return try table.append(rows, rewriting: bodies, erasing: erased, at: cursor, replacing: true)
            }
        }
        if isAppended { return }
        let isRecorded = try pool.with { connection in
            let table = JournalRows(connection: connection, journal: journal)
            let state = try table.state(at: cursor)
            if !state.isThere && cursor.nextEntry == 1 && state.epoch == epoch {
                try table.begin()
                return try table.append(rows, rewriting: bodies, erasing: erased, at: cursor)
            }
            guard try state.epoch == epoch && table.operation(of: cursor.nextEntry) == entry.operation else {
                return false
            }
            try table.confirm()
            return true
        }
        guard isRecorded else { throw LedgerConflict() }
    }
}

extension DatabaseCursor {
    /// The cursor of a log that copies a journal in an epoch.
    static func read(_ bytes: [UInt8]?, in epoch: [UInt8]) throws -> DatabaseCursor {
        guard let bytes else { return .start(epoch) }
        guard let cursor = DatabaseCursor(bytes) else {
            throw DatabaseError(.damaged, "The copy of a journal does not say how far it is.")
        }
        return cursor
    }
}

extension JournalRows {
    /// The rows of which some commits have other bytes now.
    fileprivate func rowsToRewrite(_ commits: [CommitID]) throws -> [EntryRow] {
        var found: [Int64: EntryRow] = [:]
        for commit in commits { for row in try rows(with: commit) { found[row.entry] = row } }
        return found.keys.sorted().compactMap { found[$0] }
    }

    /// Appends rows and replaces the bodies of others, in one transaction unless it is one row alone. Returns false if the journal is not
    /// where a cursor says.
    ///
    /// With `replacing`, rows that begin with the same commits are set aside, and it throws `LedgerConflict` in that case: another hub may
    /// have appended rows with these commits that are good.
    func append(
        _ rows: [EntryRow], rewriting bodies: [(entry: Int64, body: [UInt8])], erasing erased: Set<CommitID> = [],
        at cursor: DatabaseCursor, replacing: Bool = false
    ) throws -> Bool {
        if rows.count == 1 && bodies.isEmpty && erased.isEmpty && !replacing { return try append(rows, at: cursor) }
        return try connection.transaction {
            if replacing {
                try setAside(beginningAs: rows, because: "It could not be used, and the same commits came again.")
            }
            guard try append(rows, at: cursor) else {
                // The transaction is rolled back.
                if replacing { throw LedgerConflict() }
                return false
            }
            for (entry, body) in bodies { try replaceBody(of: entry, body) }
            if !erased.isEmpty {
                try emptySetAside(with: erased)
                try hastenTidying()
            }
            return true
        }
    }
}

extension LedgerEntry {
    /// Commits of which bytes are erased. An erasure that only explains what a commit lacks is no reason to remove any.
    fileprivate func erasedCommits(_ log: borrowing LogSnapshot) throws -> Set<CommitID> {
        let removed = Set(rewritten).subtracting(restored.map(\.commit))
        guard !erasures.isEmpty else { return removed }
        return try removed.union(Set(erasures.map(\.commit)).subtracting(log.holes().map(\.commit)))
    }
}

extension EntryRow {
    /// The message of its commits as a log holds them now; nil if the log does not hold these commits.
    fileprivate func body(now log: borrowing LogSnapshot, in journal: JournalID) throws -> [UInt8]? {
        guard let range, commits > 0 else { return nil }
        let last = CommitID(
            replica: range.replica, sequence: SequenceNumber(range.firstSequence + UInt64(commits) - 1),
            hash: range.last)
        let segment = try log.segment(towards: last, after: SequenceNumber(range.firstSequence - 1), in: journal)
        guard let segment, segment.commits.count == Int(commits) else { return nil }
        return segment.encoded()
    }
}
