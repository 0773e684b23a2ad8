public import Events
import LMDB

extension Log {
    /// Signs this replica's line up to its newest commit, so that it can be offered to others. Does nothing if the log
    /// was opened for reading.
    public func signHead() async throws {
        // Check first, on the caller's thread: mostly there is nothing to sign.
        guard let writer, try !read({ try $0.isHeadSigned() }) else { return }
        try await writer.signHead()
    }

    /// Stores segments of lines after checking every commit, the chains and the signatures: all of them in one
    /// transaction, or nothing. Commits that are already held are skipped. A commit that differs from the one held
    /// under its number is kept beside it, as a branch.
    ///
    /// If commits of this replica's own arrive that are not here, the log was copied or restored, and continues as
    /// another replica.
    ///
    /// Throws `EventLogError`: `.rejected` if a check fails, `.missingStart` if the commit that a segment follows is
    /// not held, `.otherJournal`, `.readOnly`; or what the medium refuses.
    @discardableResult
    public func store(_ segments: [LineSegment]) async throws -> Stored {
        guard let writer else { throw Self.cannotStore }
        return try await repeatingOnConflict {
            let verified = try verify(segments)
            try checkPlausible(verified)
            try await VerifiedSegment.checkPayloads(of: verified)
            return try await writer.store(verified)
        }
    }

    /// Stores one segment of a line, with the checks and the errors of `store(_:)` for several.
    @discardableResult
    public func store(_ segment: LineSegment) async throws -> Stored { try await store([segment]) }

    /// Moves an empty log to another journal.
    ///
    /// Throws `EventLogError.otherJournal` if anything was written or stored already, `.readOnly`, or what the medium
    /// refuses.
    public func join(_ journal: JournalID) async throws {
        guard let writer else { throw Self.cannotStore }
        try await writer.join(journal)
    }

    /// Refuses commits that are more than a day ahead of this machine's clock: they would win over all others, and pull
    /// every replica's clock with them. They are accepted once they are plausible, so that views stay a function of the
    /// held commits.
    private func checkPlausible(_ segments: [VerifiedSegment]) throws {
        let latest = dependencies.latestPlausible()
        for verified in segments {
            guard let newest = verified.commits.last?.timestamp, newest > latest else { continue }
            let now = dependencies.now()
            let hours = (Int64(newest.milliseconds) - now) / 3_600_000
            throw EventLogError(
                .implausibleTime,
                "Replica \(verified.segment.replica) wrote commits \(verified.segment.first) to \(verified.segment.last) with a clock "
                    + "that stands \(hours) hours ahead of this machine's (\(newest.milliseconds) and \(now) ms since 1970). If this one "
                    + "is wrong, set it; else have the other's set. They are taken in once they are at most "
                    + "\(Dependencies.toleratedLead / 3_600_000) hours ahead; everything else is taken in now.")
        }
    }

    /// Hashing needs no transaction: it is done before one begins.
    func verify(_ segments: [LineSegment]) throws -> [VerifiedSegment] {
        var keys: [ReplicaID: [UInt8]] = [:]
        return try segments.map { segment in
            if keys[segment.replica] == nil {
                keys[segment.replica] = try read { try $0.publicKey(of: segment.replica, in: segment.journal) }
            }
            // Nothing of the replica is held, not even its key.
            if keys[segment.replica] == nil && segment.first.rawValue > 1 { throw segment.missingStart(.start) }
            let verified = try VerifiedSegment(segment, publicKey: keys[segment.replica])
            keys[segment.replica] = verified.publicKey
            return verified
        }
    }

    private static var cannotStore: EventLogError {
        EventLogError(.readOnly, "The store was opened for reading. Open it for writing to take in commits.")
    }
}

extension LogWriter {
    func signHead() async throws { try await worker.run { [self] in try signHeadNow() } }

    /// The same at once; on the writer's thread.
    func signHeadNow() throws {
        if try environment.read({ try LogSnapshot($0.alias(), tables).isHeadSigned() }) { return }
        try environment.write { transaction in
            let log = LogSnapshot(transaction.reading.alias(), tables)
            try LineAppender.signHead(of: author.author(in: log), log, transaction)
        }
    }

    func store(_ segments: [VerifiedSegment]) async throws -> Stored {
        try await worker.run { [self] in
            var renewed: LogAuthor?
            var notesWritten: (@Sendable () -> Void)?
            let entry = newEntry()
            let stored = try environment.write { transaction in
                let (stored, author) = try store(segments, entry, transaction)
                renewed = author
                notesWritten = try deferredNotes.write(transaction, tables)
                return stored
            }
            notesWritten?()
            if let renewed { goOn(as: renewed) }
            changes.raise()
            if stored.commits > 0 || stored.rewritten > 0 { observer?.received(upTo: stored.position) }
            return stored
        }
    }

    private func store(
        _ segments: [VerifiedSegment], _ entry: LedgerEntry, _ transaction: borrowing WriteTransaction
    ) throws -> (Stored, LogAuthor?) {
        let log = LogSnapshot(transaction.reading.alias(), tables)
        let own = try author.author(in: log)
        for segment in segments where segment.segment.journal != own.journal {
            throw EventLogError(
                .otherJournal,
                "The segment belongs to the journal \(segment.segment.journal) and the log to \(own.journal).")
        }
        // Unsigned commits of this replica must be signed before it stops writing.
        if segments.contains(where: { $0.segment.replica == own.identity.id }) {
            try LineAppender.signHead(of: own, log, transaction)
        }
        // The time that is recorded: where others replay the entry, what is erased is due at the same time.
        var receiver = try SegmentReceiver(log, journal: own.journal, quotas, now: entry.time)
        for segment in segments { try receiver.store(segment, transaction) }
        var stored = try receiver.finish(transaction)
        if ledger != nil {
            var entry = entry
            entry.segments = receiver.added
            (entry.erasures, entry.rewritten) = receiver.changesOfHeld
            entry.restored = try log.restored(receiver.healed)
            try record(entry, transaction)
        }
        guard stored.lines.contains(where: { $0.replica == own.identity.id }) else { return (stored, nil) }
        let (renewed, change) = try author.renew(
            "commits of its own came that it had not written: the log was copied, or restored from an older copy", own,
            own.identity.id, own.journal, transaction, tables)
        stored.identityChange = change
        return (stored, renewed)
    }

    func join(_ journal: JournalID) async throws {
        try await worker.run { [self] in
            let joined = try environment.write { transaction in
                let log = LogSnapshot(transaction.reading.alias(), tables)
                var own = try author.author(in: log)
                if own.journal == journal { return own }
                guard try log.lastPosition() == .start else {
                    throw EventLogError(
                        .otherJournal,
                        "The log belongs to the journal \(own.journal) and has commits, so it cannot join \(journal).")
                }
                try transaction.put(MetaKey.journal, journal.bytes, in: tables.meta)
                for key in [MetaKey.nonce, MetaKey.handover, MetaKey.formerKeys, MetaKey.granted] {
                    try transaction.delete(key, in: tables.meta)
                }
                if journal.isFounded {
                    try MembershipKeeper.mix(journal.bytes, tables, transaction)
                } else {
                    try transaction.delete(MetaKey.membership, in: tables.meta)
                }
                let former = own.journal
                own.journal = journal
                try author.carryRecord(to: own.line, from: former, transaction, tables)
                return own
            }
            author.take(joined)
        }
    }
}

extension LogSnapshot {
    /// Whether no commit of the log's own line lies after its last signature.
    func isHeadSigned() throws -> Bool {
        let (journal, replica) = try authorship()
        return try head(of: LineID(journal: journal, replica: replica)).map { $0.signed == $0.sequence } ?? true
    }
}

/// The result of offering segments to a log.
public struct Stored: Sendable, Hashable {
    /// Commits that were not held before.
    public internal(set) var commits = 0
    /// Their events.
    public internal(set) var events = 0
    /// Their bytes.
    public internal(set) var bytes = 0
    /// Held commits of which parts were erased, or restored; and 1 more if other commits count than before.
    public internal(set) var rewritten = 0
    /// The bytes of revoked replicas' segments that were not stored, because they lead to no commit that is still
    /// wanted, and 1 KiB for each of these segments.
    public internal(set) var passedOver: [ReplicaID: Int] = [:]
    /// The newest position of the log.
    public internal(set) var position = Position.start
    /// The newest timestamp among the commits.
    public internal(set) var newest: Timestamp?
    /// Forks of the replicas whose commits began a branch, or continued one.
    public internal(set) var forks: [Fork] = []
    /// The log continues as another replica: commits of its own arrived that it had not written, so it was copied or
    /// restored.
    public internal(set) var identityChange: IdentityChange?
    /// The lines that were extended.
    var lines: Set<LineID> = []
}
