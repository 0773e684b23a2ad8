public import Events
import Foundation
public import LMDB
import Platform

extension Log {
    /// How a log is opened.
    public struct Options: Sendable {
        /// The journal of a new log; nil for a new one. An existing log must have it.
        public var journal: JournalID?
        /// The device's name, for people; it goes into the replica's first commit.
        public var deviceName: String
        /// The schema version for each header.
        public var schema: UInt32
        public var environment: Environment.Options
        public var dependencies: Dependencies
        /// How much other replicas may make it store.
        public var quotas = ReceivingQuotas()
        /// Where views are noted for a log that is opened for reading.
        package var viewNotes = ViewNotes.none
        /// Whether an entity stays where the one that it is in is gone, by its schema: see `Log.sweep`.
        package var outlivesParent: @Sendable (EntityReference) -> Bool = { _ in false }
        /// Where the commits are kept, if the log is a copy of them. Views and everything else of the layers above stay the log's.
        package var ledger: (any LogLedger)?
        /// The author of a new log, where it is given: for tests, and for the copies that several servers have of a journal.
        package var identity: ReplicaIdentity?
        /// Whether a new log without a given journal founds one, in which its members alone may write. Otherwise it
        /// gets a random journal id, and every replica that has the id may write: for tests whose replicas need no
        /// members.
        package var foundsJournal = true

        public init(
            journal: JournalID? = nil, deviceName: String = "", schema: UInt32 = 1,
            environment: Environment.Options = Environment.Options(), dependencies: Dependencies = .system
        ) {
            self.journal = journal
            self.deviceName = deviceName
            self.schema = schema
            self.environment = environment
            self.dependencies = dependencies
        }
    }

    /// Opens the log in a folder, creating it unless it is opened for reading. The key lies in the file at `keyPath`,
    /// outside the folder. Waits for the medium: not for the cooperative pool.
    ///
    /// Throws `StorageError` and `EventLogError`: `.newerFormat`, `.otherJournal`, `.notALog`, `.unfinished`,
    /// `.logLost`, `.keyUnusable`.
    public static func open(at folder: String, keyPath: String, options: Options = Options()) throws -> Log {
        try checkNotLost(at: folder, keyPath: keyPath, options.dependencies)
        do {
            try LogStructure.check(at: folder)
            // The handle may be that of a writer of this process; the requested access counts.
            if options.environment.isReadOnly || options.viewNotes != .none {
                let environment = try Environment.open(at: folder, options: options.environment)
                return try openForReading(environment, keyPath, options)
            }
            let (environment, failure) = try LogScrub.open(at: folder, options)
            return try openForWriting(environment, keyPath, options, scrubFailure: failure)
        } catch let error as StorageError where error.code == .unfinished {
            throw EventLogError.unfinished(folder, cause: error)
        }
    }

    /// Throws `EventLogError.logLost` where there is no log, or an unfinished one, although this machine knows that the
    /// replica whose key is there has written.
    package static func checkNotLost(at folder: String, keyPath: String, _ dependencies: Dependencies) throws {
        guard try Environment.isToBeMade(at: folder) else { return }
        do { try RememberedReplica.refuseLoss(at: folder, KeyFile(path: keyPath), dependencies) } catch {
            // Another process may just have created it, and written.
            if try Environment.isToBeMade(at: folder) { throw error }
        }
    }

    /// The replicas whose keys are in the file at a path, or beside it as the next one; empty if none can be read as a key.
    ///
    /// Throws `EventLogError.keyUnusable` if a file exists and may not be read.
    package static func replicas(ofKeysAt path: String) throws -> [ReplicaID] {
        try KeyFile(path: path).read().map(\.id)
    }

    private static func openForReading(
        _ environment: Environment, _ keyPath: String, _ options: Options
    ) throws -> Log {
        let tables: LogTables
        do {
            tables = try LogTables(environment, creating: false)
        } catch let error as StorageError where error.code == .missing {
            guard try !environment.hasEntries() else {
                throw EventLogError.notALog(environment.path, cause: error)
            }
            try RememberedReplica.refuseLoss(at: environment.path, KeyFile(path: keyPath), options.dependencies)
            throw EventLogError.unfinished(environment.path)
        }
        let (found, last) = try environment.read { transaction in
            let log = LogSnapshot(transaction.alias(), tables)
            return (try checkedMeta(log, environment.path, options.journal), try log.lastPosition())
        }
        guard let found else {
            guard last == .start else { throw EventLogError.nameless(environment.path) }
            try RememberedReplica.refuseLoss(at: environment.path, KeyFile(path: keyPath), options.dependencies)
            throw EventLogError.unfinished(environment.path)
        }
        return Log(
            environment: environment, tables: tables, opened: found,
            identityChange: nil, worker: WorkerThread(name: "tripstore.reader"), writer: nil,
            viewNotes: options.viewNotes, options: options)
    }

    private static func openForWriting(
        _ environment: Environment, _ keyPath: String, _ options: Options, scrubFailure: (any Error)?
    ) throws -> Log {
        let keyFile = KeyFile(path: keyPath)
        if try !environment.hasEntries() {
            try RememberedReplica.refuseLoss(at: environment.path, keyFile, options.dependencies)
        }
        let tables = try LogTables(environment)
        let opened = try identify(environment, tables, keyFile, options)
        // A copy of what is kept elsewhere removes what its keeper records. What cannot be removed now, as on a full or a
        // damaged medium, keeps no log from being opened: later calls try again.
        if options.ledger == nil { try? removeDue(at: options.dependencies.now(), in: environment, tables) }
        guard let author = opened.author else { throw authorless(environment.path) }
        try keyFile.activate(for: author.identity.id)
        let worker = WorkerThread(name: "tripstore.writer")
        let writer = LogWriter(
            environment: environment, tables: tables,
            author: AuthorKeeper(author, keyFile, opened.record, options.dependencies), schema: options.schema,
            dependencies: options.dependencies, worker: worker, quotas: options.quotas,
            ledger: options.ledger)
        return Log(
            environment: environment, tables: tables, opened: author.line,
            identityChange: opened.change, worker: worker, writer: writer, viewNotes: .inLog, options: options,
            scrubFailure: scrubFailure)
    }

    /// Determines the author, and makes the repairs of an opening, in one transaction.
    static func identify(
        _ environment: Environment, _ tables: LogTables, _ keyFile: KeyFile, _ options: Options
    ) throws -> LogOpening {
        try environment.write { transaction in
            // All reads are within the transaction: of two processes that create a log at the same time the second
            // finds the first one's.
            let log = LogSnapshot(transaction.reading.alias(), tables)
            let found = try checkedMeta(log, environment.path, options.journal)
            var opening = try LogOpening(keyFile, tables, options, path: environment.path)
            try opening.identify(found, log, transaction)
            try opening.noteOrigin(log, transaction)
            try opening.noteName(log, transaction)
            try ErasingIndex.complete(log, now: options.dependencies.now(), transaction)
            return opening
        }
    }

    static func authorless(_ path: String) -> EventLogError {
        EventLogError(.damaged, "\(path) does not say who writes to it. Restore it.")
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
