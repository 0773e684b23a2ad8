import Events
import Foundation
import LMDB
import Platform

/// The identity, and the repairs, of a log that is opened for writing, inside one transaction.
struct LogOpening {
    private let keyFile: KeyFile
    private let tables: LogTables
    private let options: Log.Options
    private let path: String
    private let keys: [ReplicaIdentity]
    /// The active key, without a prepared one.
    private let keyInForce: ReplicaIdentity?
    private(set) var author: LogAuthor?
    private(set) var change: IdentityChange?
    private(set) var record: MachineRecordFile?
    /// Nil where no records are kept.
    private let home: MachineHome?

    init(_ keyFile: KeyFile, _ tables: LogTables, _ options: Log.Options, path: String) throws {
        self.keyFile = keyFile
        self.tables = tables
        self.options = options
        self.path = path
        keys = try keyFile.read()
        keyInForce = try keyFile.readInForce()
        home = MachineHome(options.dependencies)
    }

    private var dependencies: Dependencies { options.dependencies }

    /// Determines the author: the replica that the log names, if its key is here and no sign says that the log is a
    /// copy of the one that this replica wrote; otherwise a new replica.
    mutating func identify(
        _ found: LineID?, _ log: borrowing LogSnapshot, _ transaction: borrowing WriteTransaction
    ) throws {
        guard let found else { return try begin(log, transaction) }
        let former = keys.first { $0.id == found.replica }.map { LogAuthor(journal: found.journal, identity: $0) }
        let reason = try reason(found, former, log)
        guard let reason else {
            author = former
            return
        }
        // The records of homes are the original's, which may have been opened there since.
        if isOtherFile(try log.meta(MetaKey.place)), try log.homes() != nil {
            try transaction.put(MetaKey.homes, StoreHomes().encoded(), in: tables.meta)
        }
        let keeper = AuthorKeeper(
            LogAuthor(journal: found.journal, identity: .generate(dependencies)), keyFile, nil, dependencies)
        let (author, change) = try keeper.renew(
            reason, former, found.replica, found.journal, transaction, tables)
        self.author = author
        self.change = change
    }

    /// Why the log must continue as a new replica; nil if it need not.
    private func reason(
        _ found: LineID, _ former: LogAuthor?, _ log: borrowing LogSnapshot
    ) throws -> String? {
        guard former != nil else {
            if try keyFile.isUnreadable() { return "the replica's key could not be read: the file was damaged" }
            return keys.isEmpty ? "the replica's key was missing" : "the key was another replica's"
        }
        let origin = try log.meta(MetaKey.place).flatMap { StoreOrigin($0) }
        let mark = mark
        if isOtherFile(try log.meta(MetaKey.place)) {
            return "the log is a copy: its file is another one than that which the replica wrote to"
        }
        guard let home else { return nil }
        let own = home.record(of: found)
        if let own, let reason = try loss(of: found, own, log) { return reason }
        let restored = "the log was restored from an older copy"
        guard let visit = try log.homes()?.visit(at: home) else {
            // An older version kept one token alone.
            if let own, let origin, origin.token != StoreOrigin.noToken, try log.homes() == nil {
                return own.tokens.contains(origin.token) ? nil : restored
            }
            return mark != nil
                ? nil : "it was not written to from here before, and its medium does not show whether it is a copy"
        }
        let line = LineID(journal: found.journal, replica: visit.replica)
        guard let record = home.record(of: line) else { return restored }
        // An older version, which wrote last, left the list as it was.
        guard record.tokens.contains(visit.token) || origin.map({ record.tokens.contains($0.token) }) == true else {
            return restored
        }
        return try loss(of: line, record, log)
    }

    /// A reason, if a record names commits of a line that the log lacks.
    private func loss(of line: LineID, _ record: MachineRecord, _ log: borrowing LogSnapshot) throws -> String? {
        let head = try log.head(of: line)?.sequence ?? .start
        guard record.newest > head else { return nil }
        return "the log was restored from an older copy: it ends with commit \(head) of the replica, which had written "
            + "\(record.newest)"
    }

    private var mark: FileOrigin? { dependencies.fileOrigin(path + "/data.mdb") }

    /// Whether the log is in another file than the one that it names.
    private func isOtherFile(_ place: [UInt8]?) -> Bool {
        guard let known = place.flatMap({ StoreOrigin($0) })?.mark, let mark else { return false }
        return known != mark
    }

    /// A new log. An existing key belonged to another log, which is gone: other replicas may hold commits written with
    /// it, so its numbers must not be used again.
    private mutating func begin(
        _ log: borrowing LogSnapshot, _ transaction: borrowing WriteTransaction
    ) throws {
        guard try log.lastPosition() == .start else { throw EventLogError.nameless(path) }
        try RememberedReplica.refuseLoss(at: path, keyFile, dependencies)
        // From here on the log exists: the names of its files, and of the folders above, must be durable too.
        if options.environment.syncsCommits { try Folder.syncWithAncestors(path) }
        let identity = options.identity ?? .generate(dependencies)
        let journal = try journal(foundedBy: identity, transaction)
        try keyFile.prepare(identity)
        try transaction.put(MetaKey.format, CommitHeader.currentFormat.bigEndianBytes, in: tables.meta)
        try transaction.put(MetaKey.journal, journal.bytes, in: tables.meta)
        try transaction.put(MetaKey.replica, identity.id.bytes, in: tables.meta)
        if journal.isFounded { try MembershipKeeper.mix(identity.id.bytes, tables, transaction) }
        author = LogAuthor(journal: journal, identity: identity)
        // Of the former log nothing else is left, so what it held is unknown; but a replica that never wrote has no
        // successor.
        if let former = keyInForce, former.id != identity.id,
            RememberedReplica(former.id, dependencies)?.hasWritten != false
        {
            change = IdentityChange(previous: former.id, reason: "there was a key and no log")
        }
    }

    /// The journal of a new log: the requested one, or one that its replica founds.
    private func journal(
        foundedBy identity: ReplicaIdentity, _ transaction: borrowing WriteTransaction
    ) throws -> JournalID {
        if let journal = options.journal { return journal }
        guard options.foundsJournal else { return JournalID(Self.randomUUID(dependencies)) }
        let nonce = dependencies.randomBytes(16)
        try transaction.put(MetaKey.nonce, nonce, in: tables.meta)
        return JournalID(founder: identity.publicKey, nonce: nonce)
    }

    /// Records the file's identity and this opening, here and in the home's record.
    mutating func noteOrigin(_ log: borrowing LogSnapshot, _ transaction: borrowing WriteTransaction) throws {
        guard let author else { return }
        let mark = mark
        let held = try log.meta(MetaKey.place).flatMap { StoreOrigin($0) }
        // If no record is kept, the token of a log that keeps one stays.
        let kept = change == nil && held?.mark == mark ? held?.token : nil
        var origin = StoreOrigin(mark: mark, token: kept ?? StoreOrigin.noToken)
        if let home, let record = home.recordFile(of: author.line) {
            var homes = try log.homes() ?? StoreHomes()
            let head = try log.head(of: author.line)?.sequence ?? .start
            let token = dependencies.randomBytes(StoreOrigin.tokenSize)
            let before = change == nil ? homes.visit(at: home)?.token ?? held?.token : nil
            let recorded = record.read()?.newest ?? .start
            // The record is written first; it still holds the log's old token until this transaction ends.
            if record.write(
                MachineRecord(tokens: [token, before ?? StoreOrigin.noToken], newest: max(head, recorded)))
            {
                self.record = record
                origin.token = token
                homes.note(StoreHomes.Visit(home: home.id, replica: author.identity.id, token: token))
                try transaction.put(MetaKey.homes, homes.encoded(), in: tables.meta)
            }
        }
        guard origin != held, origin.mark != nil || origin.token != StoreOrigin.noToken else { return }
        try transaction.put(MetaKey.place, origin.encoded(), in: tables.meta)
    }

    /// Stores the device's name, for the introduction of the next line.
    func noteName(_ log: borrowing LogSnapshot, _ transaction: borrowing WriteTransaction) throws {
        let name = Array(options.deviceName.utf8)
        guard try !name.isEmpty && log.meta(MetaKey.name) != name else { return }
        try transaction.put(MetaKey.name, name, in: tables.meta)
    }

    private static func randomUUID(_ dependencies: Dependencies) -> UUID {
        var bytes = dependencies.randomBytes(16)
        guard bytes.count == 16 else { return UUID() }
        // Version 4, RFC 9562.
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { $0.uuid() }
    }
}
