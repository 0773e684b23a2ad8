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
    let dependencies: Dependencies

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

    /// Goes on as the opening of a resumed log decided.
    func resume(as author: LogAuthor, _ record: MachineRecordFile?) {
        current.withLock { $0 = author }
        self.record.withLock { $0 = record }
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

/// The log continues under another replica id; with the reason.
public struct IdentityChange: Sendable, Hashable {
    /// The replica that wrote here before. Its commits stay, and are forwarded.
    public let previous: ReplicaID
    /// In words, to be read after "the replica goes on under a new id, for".
    public let reason: String

    package init(previous: ReplicaID, reason: String) {
        self.previous = previous
        self.reason = reason
    }

    func encoded() -> [UInt8] { previous.bytes + Array(reason.utf8) }

    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 16, let previous = ReplicaID(bytes.prefix(16)) else { return nil }
        self.init(previous: previous, reason: String(decoding: bytes.dropFirst(16), as: UTF8.self))
    }
}
