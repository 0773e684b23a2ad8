package import Events
import LMDB

/// Where the commits of a log are kept, if the log itself is a copy of them: a database that several servers share, for example.
///
/// Such a log takes nothing in that the ledger has not recorded before: the ledger is asked inside the log's transaction, after every
/// check, and what it refuses is not stored here either. In between, what others recorded is replayed. The log notes with each
/// transaction how far it is: the cursor, whose bytes are the ledger's own. It writes nothing itself.
package protocol LogLedger: Sendable {
    /// Records what was verified against the log as it is at a cursor, all or nothing, and returns the cursor after it. On the log's
    /// writer thread, which it blocks. It may be called again with the same entry, and then records it once.
    ///
    /// Throws `LedgerConflict` if others recorded something after the cursor, or why it cannot be recorded.
    func record(_ entry: LedgerEntry, after cursor: [UInt8]?, _ log: borrowing LogSnapshot) throws -> [UInt8]

    /// Replays what others recorded. Throws if the log is of no use any more.
    func catchUp(_ log: Log) async throws
}

/// The ledger holds what a log has not replayed yet: replay it, and try again.
package struct LedgerConflict: Error {
    package init() {}
}

/// What a transaction adds to a log.
package struct LedgerEntry: Sendable {
    /// Commits that follow each other, with the hashes of the first and the last of them, which were computed when they were checked. To
    /// compute them again for a database took a tenth of a server's processor time where commits came 1,000 at a time.
    package struct Segment: Sendable {
        package let segment: LineSegment
        package let first: Digest
        package let last: Digest
    }

    /// 16 random bytes: the same when it is recorded again.
    package let operation: [UInt8]
    /// When it arrived, milliseconds since 1970.
    package let time: Int64
    /// Commits that were not held, as parts of the segments in which they came.
    package internal(set) var segments: [Segment] = []
    /// Erasures of commits that were held before.
    package internal(set) var erasures: [Erasure] = []
    /// Held commits that have other bytes now.
    package internal(set) var rewritten: [CommitID] = []
    /// The rewritten commits of which missing bytes were restored, as they are stored now.
    package internal(set) var restored: [RestoredCommit] = []

    package var isEmpty: Bool { segments.isEmpty && erasures.isEmpty && rewritten.isEmpty }
}

/// A recorded entry, to be replayed.
package struct ReplayedEntry: Sendable {
    let segments: [LineSegment]
    let erasures: [Erasure]
    let restored: [RestoredCommit]
    /// When it arrived.
    let time: Int64
    /// The cursor that the log must be at, and the one after it.
    let cursors: (before: [UInt8]?, after: [UInt8])

    package init(
        segments: [LineSegment], erasures: [Erasure], restored: [RestoredCommit] = [], time: Int64,
        cursors: (before: [UInt8]?, after: [UInt8])
    ) {
        self.segments = segments
        self.erasures = erasures
        self.restored = restored
        self.time = time
        self.cursors = cursors
    }
}

extension Log {
    /// How far the log is a copy of its ledger; nil at its start.
    package func ledgerCursor() throws -> [UInt8]? { try read { try $0.meta(MetaKey.ledger) } }

    /// Stores what the ledger recorded, in a transaction of its own, as the log that recorded it did: every check is made but those of
    /// quotas and of clocks, which that log had passed.
    ///
    /// Throws `LedgerConflict` if the log is at another cursor by now, or what `store` and `keep` throw; nothing is then stored.
    package func replay(_ entry: ReplayedEntry) async throws {
        guard let writer else { throw EventLogError(.readOnly, "The log was opened for reading.") }
        let verified = try verify(entry.segments)
        try await VerifiedSegment.checkPayloads(of: verified)
        // As a log checks the erasures that it keeps.
        let erasures = Dictionary(
            grouping: entry.erasures.filter { $0.journal == journal && $0.isSigned }, by: \.commit)
        try await writer.replay(verified, erasures, entry)
    }

    /// Advances the cursor over an entry that cannot be replayed.
    package func skip(_ cursors: (before: [UInt8]?, after: [UInt8])) async throws {
        try await replay(ReplayedEntry(segments: [], erasures: [], time: 0, cursors: cursors))
    }

    /// Runs what the ledger may refuse because others were first, until they were not.
    func repeatingOnConflict<T>(_ body: () async throws -> T) async throws -> T {
        while true {
            do { return try await body() } catch is LedgerConflict {
                // Each time somebody else has recorded something, so all together get on.
                try Task.checkCancellation()
                try await writer?.ledger?.catchUp(self)
            }
        }
    }
}

extension LogWriter {
    static var writesNothing: EventLogError {
        EventLogError(.readOnly, "This log is a server's copy of a database, and writes nothing of its own.")
    }

    /// Has the ledger, if there is one, record what a transaction adds.
    func record(_ entry: LedgerEntry, _ transaction: borrowing WriteTransaction) throws {
        guard let ledger, !entry.isEmpty else { return }
        let log = LogSnapshot(transaction.reading.alias(), tables)
        let cursor = try ledger.record(entry, after: try log.meta(MetaKey.ledger), log)
        try transaction.put(MetaKey.ledger, cursor, in: tables.meta)
    }

    /// `time` is now, unless it was read before.
    func newEntry(at time: Int64? = nil) -> LedgerEntry {
        LedgerEntry(operation: dependencies.randomBytes(16), time: time ?? dependencies.now())
    }

    func replay(_ segments: [VerifiedSegment], _ erasures: [CommitID: [Erasure]], _ entry: ReplayedEntry) async throws {
        try await worker.run { [self] in
            let isChanged = try environment.write { transaction in
                let log = LogSnapshot(transaction.reading.alias(), tables)
                guard try log.meta(MetaKey.ledger) == entry.cursors.before else { throw LedgerConflict() }
                let journal = try log.journal()
                var stored = Stored()
                if !segments.isEmpty {
                    guard segments.allSatisfy({ $0.segment.journal == journal }) else {
                        throw EventLogError(.otherJournal, "The ledger holds a segment of another journal.")
                    }
                    var receiver = try SegmentReceiver(
                        log, journal: journal, quotas, now: entry.time, enforcesQuotas: false)
                    for segment in segments { try receiver.store(segment, transaction) }
                    stored = try receiver.finish(transaction)
                }
                let restored = try heal(entry.restored, transaction)
                let keeper = try keep(erasures, removingAt: entry.time, transaction)
                try transaction.put(MetaKey.ledger, entry.cursors.after, in: tables.meta)
                return stored.commits + stored.rewritten + restored.count + keeper.kept + keeper.rewritten > 0
            }
            if isChanged { changes.raise() }
        }
    }
}
