public import Events
import Foundation
public import LMDB

extension Log {
    /// How a log is opened.
    public struct Options: Sendable {
        /// The journal that a new log gets; nil for a new one. An existing log must have it.
        public var journal: JournalID?
        /// The device's name, for people; it goes into the replica's first commit.
        public var deviceName: String
        /// The version of the schema that goes into each header.
        public var schema: UInt32
        public var environment: Environment.Options
        public var surroundings: Surroundings

        public init(
            journal: JournalID? = nil, deviceName: String = "", schema: UInt32 = 1,
            environment: Environment.Options = Environment.Options(), surroundings: Surroundings = .system
        ) {
            self.journal = journal
            self.deviceName = deviceName
            self.schema = schema
            self.environment = environment
            self.surroundings = surroundings
        }
    }

    /// Opens the log in a folder, creating it unless it is opened for reading alone. The key lies in the file at
    /// `keyPath`, outside the folder. Waits for the medium: not for the cooperative pool.
    ///
    /// Throws `LMDBError` and `EventLogError`: `.newerFormat`, `.otherJournal`, `.notALog`, `.keyUnusable`.
    public static func open(at folder: String, keyPath: String, options: Options = Options()) throws -> Log {
        let environment = try Environment.open(at: folder, options: options.environment)
        // The handle may be that of a writer of this process; what was asked for counts.
        return options.environment.readOnly
            ? try openForReading(environment, options)
            : try openForWriting(environment, keyPath, options)
    }

    private static func openForReading(_ environment: Environment, _ options: Options) throws -> Log {
        let tables: LogTables
        do {
            tables = try LogTables(environment)
        } catch let error as LMDBError where error.code == .missing {
            throw EventLogError(.notALog, "\(environment.path) holds no log of trips. Check the path.", cause: error)
        }
        let found = try environment.read { transaction in
            try checkedMeta(LogSnapshot(transaction.alias(), tables), environment.path, options.journal)
        }
        guard let found else {
            throw EventLogError(.notALog, "\(environment.path) holds no log of trips. Check the path.")
        }
        return Log(
            environment: environment, tables: tables, surroundings: options.surroundings, journal: found.journal,
            replica: found.replica, identityChange: nil, worker: WorkerThread(name: "tripstore.reader"), writer: nil)
    }

    private static func openForWriting(_ environment: Environment, _ keyPath: String, _ options: Options) throws -> Log
    {
        let tables = try LogTables(environment)
        let keyFile = KeyFile(path: keyPath)
        let opened = try environment.write { transaction in
            // Read within the transaction: of two who create a log at the same time the second finds the first one's key.
            let stored = try keyFile.read()
            var identity = stored ?? ReplicaIdentity.generate()
            let found = try checkedMeta(
                LogSnapshot(transaction.reading.alias(), tables), environment.path, options.journal)
            let change: IdentityChange?
            if let found, found.replica != identity.id {
                identity = ReplicaIdentity.generate()
                change = IdentityChange(
                    previous: found.replica,
                    reason: stored == nil ? "the replica's key was missing" : "the key was another replica's")
            } else {
                change = nil
            }
            let journal = found?.journal ?? options.journal ?? JournalID(randomUUID(options.surroundings))
            if found == nil || change != nil {
                // The key must be durable before a commit can name its replica.
                try keyFile.write(identity)
                try transaction.put(MetaKey.format, CommitHeader.currentFormat.bigEndianBytes, in: tables.meta)
                try transaction.put(MetaKey.journal, journal.bytes, in: tables.meta)
                try transaction.put(MetaKey.replica, identity.id.bytes, in: tables.meta)
            }
            if change != nil {
                // The new line is later than all that this store ever saw, its own former line included (L5).
                let heads = try LogSnapshot(transaction.reading.alias(), tables).heads()
                let newest = heads.values.map(\.timestamp).max() ?? .zero
                try transaction.put(MetaKey.seen, newest.rawValue.bigEndianBytes, in: tables.meta)
            }
            if !options.deviceName.isEmpty {
                let name = Array(options.deviceName.utf8)
                if try transaction.reading.get(MetaKey.name, in: tables.meta).map({ [UInt8]($0) }) != name {
                    try transaction.put(MetaKey.name, name, in: tables.meta)
                }
            }
            return (journal: journal, change: change, identity: identity)
        }
        let worker = WorkerThread(name: "tripstore.writer")
        let writer = LogWriter(
            environment: environment, tables: tables, journal: opened.journal, identity: opened.identity,
            schema: options.schema,
            surroundings: options.surroundings, worker: worker)
        return Log(
            environment: environment, tables: tables, surroundings: options.surroundings, journal: opened.journal,
            replica: opened.identity.id, identityChange: opened.change, worker: worker, writer: writer)
    }

    private static func randomUUID(_ surroundings: Surroundings) -> UUID {
        var bytes = surroundings.randomBytes(16)
        guard bytes.count == 16 else { return UUID() }
        // Version 4, RFC 9562.
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { $0.uuid() }
    }

    /// The log's journal and replica; nil if it is new.
    private static func checkedMeta(
        _ snapshot: borrowing LogSnapshot, _ path: String, _ wanted: JournalID?
    ) throws -> (journal: JournalID, replica: ReplicaID)? {
        guard let format = try snapshot.meta(MetaKey.format) else { return nil }
        let version = format.withUnsafeBytes { $0.count == 4 ? $0.bigEndian(UInt32.self) : 0 }
        guard version <= CommitHeader.currentFormat else {
            throw EventLogError(
                .newerFormat,
                "\(path) has format \(version) and this version reads up to \(CommitHeader.currentFormat). "
                    + "Use a newer version; nothing was changed.")
        }
        guard version > 0, let journalBytes = try snapshot.meta(MetaKey.journal), journalBytes.count == 16,
            let replica = try snapshot.meta(MetaKey.replica).flatMap({ ReplicaID($0) })
        else {
            throw EventLogError(.damaged, "\(path) does not name its format, journal and replica. Restore it.")
        }
        let journal = JournalID(journalBytes.withUnsafeBytes { $0.uuid() })
        if let wanted, wanted != journal {
            throw EventLogError(
                .otherJournal,
                "\(path) holds the journal \(journal) and not \(wanted). Open it without naming a journal, or choose "
                    + "another folder.")
        }
        return (journal, replica)
    }
}
