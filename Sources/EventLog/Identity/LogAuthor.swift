public import Events
import LMDB
import Synchronization

/// The identity under which a log writes: the journal and the replica that it names, and the replica's key.
struct LogAuthor: Sendable {
    var journal: JournalID
    var identity: ReplicaIdentity

    var line: LineID { LineID(journal: journal, replica: identity.id) }
}

/// Holds the author of a log. It may change, by this process or by another that has the log open.
final class AuthorKeeper: Sendable {
    let keyFile: KeyFile
    private let current: Mutex<LogAuthor>
    private let record: Mutex<MachineRecordFile?>
    private let dependencies: Dependencies

    init(_ author: LogAuthor, _ keyFile: KeyFile, _ record: MachineRecordFile?, _ dependencies: Dependencies) {
        current = Mutex(author)
        self.keyFile = keyFile
        self.record = Mutex(record)
        self.dependencies = dependencies
    }

    /// The author that the log names within a transaction.
    ///
    /// Throws `EventLogError.keyUnusable` if the key of the replica that the log names is not here.
    func author(in log: borrowing LogSnapshot) throws -> LogAuthor {
        let known = current.withLock { $0 }
        let (journal, replica) = try log.authorship()
        if known.journal == journal && known.identity.id == replica { return known }
        guard let identity = try keyFile.read().first(where: { $0.id == replica }) else {
            throw EventLogError(
                .keyUnusable,
                "The log writes as replica \(replica) and \(keyFile.path) holds another's key: it was exchanged while "
                    + "the store was open. Open the store again.")
        }
        let author = LogAuthor(journal: journal, identity: identity)
        take(author)
        return author
    }

    /// Switches to another author.
    func take(_ author: LogAuthor) {
        let hasMoved = current.withLock { current in
            defer { current = author }
            return current.line != author.line
        }
        guard hasMoved else { return }
        // Ignore a record that this author did not write.
        let next = machineRecord(of: author.line)
        record.withLock { $0 = next?.read() == nil ? nil : next }
    }

    private func machineRecord(of line: LineID) -> MachineRecordFile? {
        MachineHome(dependencies)?.recordFile(of: line)
    }

    /// Writes the home's record for a line that this log continues, with the log's token. Otherwise the next opening
    /// would take the log for one that was restored. With another journal than `former` the records of other homes are no longer
    /// the log's.
    func carryRecord(
        to line: LineID, from former: JournalID, _ transaction: borrowing WriteTransaction, _ tables: LogTables
    ) throws {
        let log = LogSnapshot(transaction.reading.alias(), tables)
        guard let held = try log.homes() else { return }
        let home = MachineHome(dependencies)
        let visit = home.flatMap { held.visit(at: $0) }
        var homes = line.journal == former ? held : StoreHomes()
        if let home, let visit {
            homes.remove(home)
            let head = try log.head(of: line)?.sequence ?? .start
            if let record = home.recordFile(of: line),
                record.write(
                    MachineRecord(tokens: [visit.token], newest: max(head, record.read()?.newest ?? .start)))
            {
                homes.note(StoreHomes.Visit(home: home.id, replica: line.replica, token: visit.token))
            }
        }
        try transaction.put(MetaKey.homes, homes.encoded(), in: tables.meta)
    }

    /// Records, outside the store, how far the replica has written.
    func note(_ newest: SequenceNumber) { record.withLock { $0?.note(newest) } }

    /// Creates a new identity for the log, to be activated with the transaction: its key file is prepared, and the
    /// log's rows name it. If the former replica's key is here, it signs the rest of its line, so that this can be
    /// forwarded, and the key of the new replica, which then has its role.
    func renew(
        _ reason: String, _ former: LogAuthor?, _ previous: ReplicaID, _ journal: JournalID,
        _ transaction: borrowing WriteTransaction, _ tables: LogTables, handsOver: Bool = true
    ) throws -> (LogAuthor, IdentityChange) {
        let log = LogSnapshot(transaction.reading.alias(), tables)
        if let former { try LineAppender.signHead(of: former, log, transaction) }
        // The former key may still be where the new one is to be written.
        try keyFile.activate(for: previous)
        var author = LogAuthor(journal: journal, identity: ReplicaIdentity.generate(dependencies))
        try keyFile.prepare(author.identity)
        // A replica that never wrote has no successor.
        let hasWritten = try log.head(of: LineID(journal: journal, replica: previous)) != nil
        if hasWritten {
            try handOver(from: handsOver ? former : nil, to: author, transaction, tables)
        } else if let nonce = try log.meta(MetaKey.nonce) {
            // No other replica knows of a founded journal without commits.
            author.journal = JournalID(founder: author.identity.publicKey, nonce: nonce)
            try transaction.put(MetaKey.journal, author.journal.bytes, in: tables.meta)
        } else {
            try transaction.delete(MetaKey.handover, in: tables.meta)
        }
        let earlier = try log.meta(MetaKey.former).flatMap { IdentityChange($0) }
        let change = IdentityChange(previous: hasWritten ? previous : earlier?.previous ?? previous, reason: reason)
        try transaction.put(MetaKey.replica, author.identity.id.bytes, in: tables.meta)
        try transaction.put(MetaKey.former, change.encoded(), in: tables.meta)
        // The new line is later than everything that this store ever saw, its own former line included (L5).
        let newest = try log.heads().values.map(\.timestamp).max() ?? .zero
        try transaction.put(MetaKey.seen, newest.rawValue.bigEndianBytes, in: tables.meta)
        try carryRecord(to: author.line, from: journal, transaction, tables)
        if author.journal.isFounded { try MembershipKeeper.mix(author.identity.id.bytes, tables, transaction) }
        return (author, change)
    }

    /// The successor has the former replica's role if the former key signs for it.
    private func handOver(
        from former: LogAuthor?, to author: LogAuthor, _ transaction: borrowing WriteTransaction, _ tables: LogTables
    ) throws {
        // Only the founder has a nonce.
        try transaction.delete(MetaKey.nonce, in: tables.meta)
        guard let former, former.journal.isFounded else {
            try transaction.delete(MetaKey.handover, in: tables.meta)
            return
        }
        let message = HandoverSignature.message(
            journal: former.journal, from: former.identity.id, to: author.identity.publicKey)
        try transaction.put(MetaKey.handover, try former.identity.sign(message), in: tables.meta)
    }
}

extension LogSnapshot {
    /// The journal and the replica that commits written now belong to.
    func authorship() throws -> (journal: JournalID, replica: ReplicaID) {
        guard let journal = try transaction.get(MetaKey.journal, in: tables.meta), journal.count == 16,
            let replica = try transaction.get(MetaKey.replica, in: tables.meta).flatMap({ ReplicaID($0) })
        else { throw Self.damaged("the name of its journal or its replica") }
        return (JournalID(journal.uuid()), replica)
    }

    /// The journal to which the log belongs.
    public func journal() throws -> JournalID { try authorship().journal }

    /// The replica that writes to the log.
    public func replica() throws -> ReplicaID { try authorship().replica }
}
