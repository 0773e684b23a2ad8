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
        /// Who writes to a log that is new, where a test wants to say; else somebody new.
        package var identity: ReplicaIdentity?

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
            environment: environment, tables: tables, surroundings: options.surroundings, opened: found,
            identityChange: nil, worker: WorkerThread(name: "tripstore.reader"), writer: nil)
    }

    private static func openForWriting(_ environment: Environment, _ keyPath: String, _ options: Options) throws -> Log
    {
        let tables = try LogTables(environment)
        let keyFile = KeyFile(path: keyPath)
        let opened = try environment.write { transaction in
            // Whatever is read is read within the transaction: of two who create a log at the same time the second finds
            // what the first one made.
            let log = LogSnapshot(transaction.reading.alias(), tables)
            let found = try checkedMeta(log, environment.path, options.journal)
            var opening = try LogOpening(keyFile, tables, options, path: environment.path)
            try opening.identify(found, log, transaction)
            try opening.notePlace(log, transaction)
            try opening.noteName(log, transaction)
            return opening
        }
        guard let author = opened.author else {
            throw EventLogError(.damaged, "\(environment.path) does not say who writes to it. Restore it.")
        }
        try keyFile.settle(on: author.identity.id)
        let worker = WorkerThread(name: "tripstore.writer")
        let writer = LogWriter(
            environment: environment, tables: tables,
            author: AuthorKeeper(author, keyFile, opened.record, options.surroundings), schema: options.schema,
            surroundings: options.surroundings, worker: worker)
        return Log(
            environment: environment, tables: tables, surroundings: options.surroundings, opened: author.line,
            identityChange: opened.change, worker: worker, writer: writer)
    }

    /// The line that the log's own commits extend; nil if the log is new.
    private static func checkedMeta(
        _ snapshot: borrowing LogSnapshot, _ path: String, _ wanted: JournalID?
    ) throws -> LineID? {
        guard let format = try snapshot.meta(MetaKey.format) else { return nil }
        let version = format.withUnsafeBytes { $0.count == 4 ? $0.bigEndian(UInt32.self) : 0 }
        guard version <= CommitHeader.currentFormat else {
            throw EventLogError(
                .newerFormat,
                "\(path) has format \(version) and this version reads up to \(CommitHeader.currentFormat). "
                    + "Use a newer version; nothing was changed.")
        }
        guard version > 0, let (journal, replica) = try? snapshot.authorship() else {
            throw EventLogError(.damaged, "\(path) does not name its format, journal and replica. Restore it.")
        }
        if let wanted, wanted != journal {
            throw EventLogError(
                .otherJournal,
                "\(path) holds the journal \(journal) and not \(wanted). Open it without naming a journal, or choose "
                    + "another folder.")
        }
        return LineID(journal: journal, replica: replica)
    }
}
