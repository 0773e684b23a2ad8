import EventLog
import Events
import LogExchange
import Logging
import Synchronization

/// A copy of a journal of the database, as a log in a folder of this process.
///
/// It replays every entry in the order of the database, and makes every check again. What it cannot use it sets aside, so that members
/// who hold the same commits send them again.
final class DatabaseJournal: BackedJournal {
    private struct State {
        var isStale = false
        var isBegun = false
        /// Refreshes that began, and the last of them that succeeded: one is enough for all who waited for it.
        var refreshes: UInt64 = 0
        var succeeded: UInt64 = 0
    }

    let log: Log
    let journal: JournalID
    private let stored: DatabaseContents?
    private let pool: DatabasePool
    private let epoch: [UInt8]
    private let logger: Logger
    private let closing: @Sendable (JournalID) -> Void
    private let state = Mutex(State())
    private let turn = AsyncLock()
    /// Called with each row that cannot be used, and with each gap, in place of setting rows aside: for those who only look.
    private let finding: (@Sendable (EntryFinding) -> Void)?

    init(
        _ log: Log, _ journal: JournalID, _ pool: DatabasePool, epoch: [UInt8], ledger: DatabaseLedger?,
        contents: DatabaseContents? = nil, logger: Logger, finding: (@Sendable (EntryFinding) -> Void)? = nil,
        closing: @escaping @Sendable (JournalID) -> Void = { _ in }
    ) {
        self.log = log
        self.journal = journal
        self.pool = pool
        self.epoch = epoch
        stored = contents
        self.logger = logger
        self.finding = finding
        self.closing = closing
        ledger?.onCatchUp { [weak self] in try await self?.refresh() }
    }

    var isStale: Bool { state.withLock { $0.isStale } }

    var contents: (any ContentPeer)? { stored }

    func tidy() async throws {
        guard let stored else { return }
        while try await !stored.tidyIfDue() {
            try Task.checkCancellation()
            try await refresh()
        }
    }

    func close() async {
        state.withLock { $0.isStale = true }
        // Sessions that wait find out.
        log.changes.raise()
        closing(journal)
    }

    func isBegun() async throws -> Bool {
        if state.withLock({ $0.isBegun }) { return true }
        let isBegun = try await pool.read { [journal] in
            try JournalRows(connection: $0, journal: journal).state(at: nil).isBegun
        }
        if isBegun { state.withLock { $0.isBegun = true } }
        return isBegun
    }

    func noteBegun() async throws {
        if state.withLock({ $0.isBegun }) { return }
        try await pool.store { [journal] in try JournalRows(connection: $0, journal: journal).noteBegun() }
        state.withLock { $0.isBegun = true }
    }

    // MARK: Replaying

    func refresh() async throws {
        let asked = state.withLock { $0.refreshes }
        await turn.lock()
        defer { turn.unlock() }
        // One that began after this one was asked for.
        if state.withLock({ $0.succeeded }) > asked { return try checkFresh() }
        let number = state.withLock { state in
            state.refreshes += 1
            return state.refreshes
        }
        try await replayAll()
        state.withLock { $0.succeeded = number }
    }

    private func checkFresh() throws {
        guard !isStale else {
            throw ExchangeError(
                .identityChanged, "The database was restored, or another server took over. Connect again.")
        }
    }

    private func replayAll() async throws {
        try checkFresh()
        while true {
            let cursor = try DatabaseCursor.read(try log.ledgerCursor(), in: epoch)
            let found = try await pool.read { [journal] connection in
                try JournalRows(connection: connection, journal: journal).state(at: cursor)
            }
            // Of another epoch, or of a state that lacks what this copy holds.
            let isContinued = cursor.isAfterGap || found.operation == cursor.operation
            guard found.epoch == epoch, found.nextEntry >= cursor.nextEntry, isContinued else {
                // The log may have gone on since its cursor was read.
                let now = try DatabaseCursor.read(try log.ledgerCursor(), in: epoch)
                guard found.epoch != epoch || now == cursor else { continue }
                if found.epoch == epoch, let finding {
                    // Who only looks changes nothing.
                    return finding(
                        EntryFinding(
                            entry: cursor.nextEntry - 1,
                            "the journal's row says that entry \(found.nextEntry) comes next, or the entry was replaced"
                        ))
                }
                return try await becomeStale(found.epoch)
            }
            if found.isBegun { state.withLock { $0.isBegun = true } }
            guard found.nextEntry > cursor.nextEntry else { return }
            do { try await replay(from: cursor, to: found.nextEntry) } catch is LedgerConflict {
                // This log has recorded something itself.
            }
        }
    }

    /// The state of the database is not the one that this copy continues: all copies of it are made anew.
    private func becomeStale(_ seen: [UInt8]) async throws {
        if seen == epoch {
            logger.warning(
                "the database lacks what it had acknowledged: it was restored, or rows were removed. A new epoch begins",
                metadata: ["journal": "\(journal)"])
            try await pool.store { [epoch] in try HubRow(connection: $0).beginEpoch(after: epoch) }
        }
        state.withLock { $0.isStale = true }
        // Sessions that wait find out.
        log.changes.raise()
        try checkFresh()
    }

    private func replay(from start: DatabaseCursor, to end: Int64) async throws {
        var rows = try await pool.read { [journal] connection in
            try JournalRows(connection: connection, journal: journal).entries(from: start.nextEntry)
        }
        // The last operation may not be whole, unless it is all there is.
        if let last = rows.last, last.isContinued, last.entry + 1 < end,
            let whole = rows.lastIndex(where: { !$0.isContinued })
        {
            rows.removeSubrange((whole + 1)...)
        }
        guard !rows.isEmpty else {
            // Rows were removed by hand, the last ones among them, and nothing is left to say which operation was last.
            finding?(EntryFinding(entry: start.nextEntry, "entries \(start.nextEntry) to \(end - 1) are missing"))
            logger.error("entries are missing in the database", metadata: ["journal": "\(journal)"])
            return try await log.skip(
                (try log.ledgerCursor(), start.after(end - 1, DatabaseCursor.unknown).bytes))
        }
        var cursor = start
        var before = try log.ledgerCursor()
        while !rows.isEmpty {
            try Task.checkCancellation()
            let count = (rows.firstIndex { !$0.isContinued || $0.operation != rows[0].operation } ?? rows.count - 1) + 1
            let operation = Array(rows.prefix(count))
            rows.removeFirst(count)
            noteGaps(operation, after: cursor)
            cursor = try await replay(operation, from: before, cursor)
            before = cursor.bytes
        }
    }

    private func noteGaps(_ rows: [EntryRow], after cursor: DatabaseCursor) {
        var expected = cursor.nextEntry
        for row in rows {
            if row.entry > expected {
                finding?(EntryFinding(entry: expected, "entries \(expected) to \(row.entry - 1) are missing"))
                logger.error(
                    "entries are missing in the database",
                    metadata: ["journal": "\(journal)", "from": "\(expected)", "to": "\(row.entry - 1)"])
            }
            expected = row.entry + 1
        }
    }

    /// Replays an operation as a whole, as it was stored; if that fails, its rows one by one.
    private func replay(_ rows: [EntryRow], from before: [UInt8]?, _ cursor: DatabaseCursor) async throws
        -> DatabaseCursor
    {
        guard let last = rows.last else { return cursor }
        let after = cursor.after(last.entry, last.operation)
        do {
            try await log.replay(Self.entry(of: rows, (before, after.bytes)))
            return after
        } catch  where Self.isOfTheRows(error) {}
        var (before, cursor) = (before, cursor)
        for row in rows {
            let next = cursor.after(row.entry, row.operation)
            do {
                try await log.replay(Self.entry(of: [row], (before, next.bytes)))
            } catch  where Self.isOfTheRows(error) {
                try await setAside(row, because: "\(error)")
                try await log.skip((before, next.bytes))
            }
            (before, cursor) = (next.bytes, next)
        }
        return cursor
    }

    private static func entry(of rows: [EntryRow], _ cursors: (before: [UInt8]?, after: [UInt8])) throws
        -> ReplayedEntry
    {
        var (segments, erasures, restored): ([LineSegment], [Erasure], [RestoredCommit]) = ([], [], [])
        for row in rows where row.setAside == nil {
            let contents = try row.contents()
            if let segment = contents.segment { segments.append(segment) }
            erasures += contents.erasures
            restored += contents.restored
        }
        return ReplayedEntry(
            segments: segments, erasures: erasures, restored: restored, time: rows.first?.time ?? 0, cursors: cursors)
    }

    /// Whether what was stored is at fault, and not the medium of the copy.
    private static func isOfTheRows(_ error: any Error) -> Bool {
        switch error {
        case let error as EventLogError:
            [.rejected, .missingStart, .tooManyBranches, .otherJournal].contains(error.code)
        case is WireError: true
        case let error as DatabaseError: error.code == .damaged
        default: false
        }
    }

    private func setAside(_ row: EntryRow, because reason: String) async throws {
        logger.error(
            "an entry of the database cannot be used",
            metadata: ["journal": "\(journal)", "entry": "\(row.entry)", "reason": "\(reason)"])
        if let finding { return finding(EntryFinding(entry: row.entry, reason)) }
        try await pool.store { [journal] in
            try JournalRows(connection: $0, journal: journal).setAside(row.entry, because: reason)
        }
    }
}

/// A fault of an entry of a journal in the database.
public struct EntryFinding: Sendable, Hashable, CustomStringConvertible {
    public let entry: Int64
    public let message: String

    init(entry: Int64, _ message: String) {
        self.entry = entry
        self.message = message
    }

    public var description: String { "Entry \(entry): \(message)" }
}
