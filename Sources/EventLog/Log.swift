public import Events
import Foundation
public import LMDB
import Logging
import Synchronization

/// An append-only log of commits in an LMDB environment.
///
/// Reads come from any thread and take no lock that a writer holds. Appends run on a thread of their own and share
/// transactions.
public final class Log: Sendable {
    let environment: Environment
    let tables: LogTables
    /// How it was opened.
    let options: Options
    var dependencies: Dependencies { options.dependencies }
    /// Set while the log is suspended, and from before that on.
    package let suspension: SuspensionFlag
    /// The thread on which appends run, and on which views may be applied.
    public let worker: WorkerThread
    /// The change of the replica's identity that opening had to make.
    public let identityChange: IdentityChange?
    let writer: LogWriter?
    let viewNotes: ViewNotes
    /// Why this opening could not remove erased bytes from the log's file, if it could not.
    package let scrubFailure: (any Error)?
    /// Whether an entity stays where the one that it is in is gone: see `Options`.
    package var outlivesParent: @Sendable (EntityReference) -> Bool { options.outlivesParent }

    /// What others may make the log, and what lies beside it, store.
    package var quotas: ReceivingQuotas { writer?.quotas ?? ReceivingQuotas() }

    /// Notes that wait for a transaction that syncs.
    private let deferredNotes: DeferredNotes
    /// The line as last read.
    private let line: Mutex<LineID>
    let announced: LogChanges

    /// Committed transactions that opening could not recover, because the medium lost their records. Normally 0.
    public var lostTransactions: Int { environment.lostTransactions }
    /// The file with the remains of such records, of this opening or an earlier one; nil if there is none.
    public var unreadableRecords: String? { environment.unreadableRecords }
    /// The file with commits that belong to another data file than the present one; nil if there is none.
    public var foreignRecords: String? { environment.foreignRecords }

    init(
        environment: Environment, tables: LogTables, opened: LineID,
        identityChange: IdentityChange?, worker: WorkerThread, writer: LogWriter?, viewNotes: ViewNotes,
        options: Options, scrubFailure: (any Error)? = nil
    ) {
        self.environment = environment
        self.tables = tables
        self.options = options
        suspension = writer?.suspension ?? SuspensionFlag(environment.path)
        line = Mutex(opened)
        self.identityChange = identityChange
        self.worker = worker
        self.writer = writer
        self.viewNotes = viewNotes
        self.scrubFailure = scrubFailure
        deferredNotes = writer?.deferredNotes ?? DeferredNotes()
        announced = writer?.changes ?? LogChanges(environment)
    }

    /// The line that this log's own commits extend.
    ///
    /// It may change: an empty log joins another's journal, and a replica that learns that it was copied or restored
    /// continues under a new id.
    public var ownLine: LineID {
        // If it cannot be read now, as within a read, the last known value is returned; a later call will throw.
        guard let (journal, replica) = try? read({ try $0.authorship() }) else { return line.withLock { $0 } }
        let found = LineID(journal: journal, replica: replica)
        line.withLock { $0 = found }
        return found
    }

    /// The log's own journal: commits written here belong to it.
    public var journal: JournalID { ownLine.journal }

    /// This log's replica.
    public var replica: ReplicaID { ownLine.replica }

    /// The last change of the replica's identity, at this opening or an earlier one; nil if there was none.
    public func lastIdentityChange() throws -> IdentityChange? {
        try read { try $0.meta(MetaKey.former) }.flatMap { IdentityChange($0) }
    }

    /// The folder of the log's environment.
    public var path: String { environment.path }

    /// The log's dependencies, for another log that is opened on its behalf.
    package var ownDependencies: Dependencies { dependencies }

    /// The wall clock, milliseconds since 1970.
    package var wallClock: Int64 { dependencies.now() }
    /// The clock itself.
    package var clock: @Sendable () -> Int64 { dependencies.now }

    /// Waits for the current writer, in this process or another, and recovers what a killed one left. Blocks: not for
    /// the cooperative pool.
    package func awaitWriters() throws { try environment.write { _ in } }

    /// Whether nothing was ever stored.
    public func isEmpty() throws -> Bool { try read { try $0.lastPosition() } == .start }

    public var isReadOnly: Bool { writer == nil }

    /// Runs `body` on a snapshot of the log. Pointers into it must not leave `body`.
    public func read<T>(_ body: (borrowing LogSnapshot) throws -> T) throws -> T {
        let shown = ShownCommits()
        defer { withExtendedLifetime(shown) {} }
        return try environment.read { transaction in
            try body(LogSnapshot(transaction.alias(), tables, showing: shown))
        }
    }

    /// A number that grows with every commit of any process; cheap to poll.
    public func changeCount() throws -> Int { try environment.lastTransaction() }

    /// Lets the system take what was read of the file out of this process's memory: see `Environment.releasePages`.
    public func releasePages() throws { try environment.releasePages() }

    /// Size and use of the file.
    public func information() throws -> Environment.Information { try environment.information() }

    /// Reads a note: a row of the layer above, stored in the log's environment so that it changes atomically.
    public func note(_ name: String) throws -> [UInt8]? {
        let key = Self.noteKey(name)
        return deferredNotes.value(key, stored: try read { try $0.meta(key) })
    }

    /// The same inside a read of this log.
    package func note(_ name: String, in log: borrowing LogSnapshot) throws -> [UInt8]? {
        let key = Self.noteKey(name)
        return deferredNotes.value(key, stored: try log.meta(key))
    }

    /// The notes whose names begin with a prefix.
    public func notes(_ prefix: String) throws -> [String: [UInt8]] {
        try read { log in
            var found: [String: [UInt8]] = [:]
            let key = Self.noteKey(prefix)
            var cursor = try log.transaction.cursor(on: tables.meta)
            var row = try cursor.seek(atOrAfter: key)
            while let current = row, current.key.starts(with: key) {
                let name = String(decoding: current.key.dropFirst(5), as: UTF8.self)
                found[name] = deferredNotes.value([UInt8](current.key), stored: [UInt8](current.value))
                row = try cursor.next()
            }
            return found
        }
    }

    /// A note as it is on the medium.
    package func storedNote(_ name: String) throws -> [UInt8]? { try read { try $0.meta(Self.noteKey(name)) } }

    /// Writes a note, durably; nil removes it. Blocks: not for the cooperative pool.
    ///
    /// Throws `EventLogError.readOnly`, or what the medium refuses.
    public func setNote(_ name: String, _ value: [UInt8]?) throws {
        guard !isReadOnly else { throw Self.readOnlyError }
        try write(note: name, value)
    }

    func write(note name: String, _ value: [UInt8]?) throws {
        let key = Self.noteKey(name)
        try environment.write { transaction in
            guard let value else {
                try transaction.delete(key, in: tables.meta)
                return
            }
            try transaction.put(key, value, in: tables.meta)
        }
        deferredNotes.forget(key)
    }

    /// Keeps a note in memory, for the readers of this log; nil uncovers the stored one again.
    func keep(note name: String, _ value: [UInt8]?) throws {
        let key = Self.noteKey(name)
        guard let value else { return deferredNotes.forget(key) }
        deferredNotes.set(key, value, stored: try read { try $0.meta(key) })
    }

    /// Changes a stored note for the readers of this log; the medium gets it with the next commit, or with
    /// `flushNotes`. If the process ends before, the stored value stays.
    package func deferNote(_ name: String, _ value: [UInt8]) throws {
        let key = Self.noteKey(name)
        deferredNotes.set(key, value, stored: try read { try $0.meta(key) })
    }

    /// Writes the deferred notes. Blocks.
    package func flushNotes() throws {
        guard !isReadOnly, !deferredNotes.isEmpty else { return }
        let written = try environment.write { try deferredNotes.write($0, tables) }
        written?()
    }

    /// Signs the line, and checkpoints the data file, before the log is closed. On the log's worker.
    package func prepareClose() throws {
        // If signing fails, on a full disk say, the checkpoint is still made.
        let signing = Result { try writer?.signHeadNow() }
        try checkpoint()
        try signing.get()
    }

    /// Checkpoints the data file, so that it alone holds every commit. Blocks.
    package func checkpoint() throws {
        try environment.checkpoint()
        if !isReadOnly { LogStructure.note(at: path) }
    }

    /// Writes a note, durably, and returns its previous value, atomically. Blocks.
    func exchange(note name: String, _ value: [UInt8]) throws -> [UInt8]? {
        let key = Self.noteKey(name)
        let previous = try environment.write { transaction in
            let previous = try transaction.reading.get(key, in: tables.meta).map { [UInt8]($0) }
            try transaction.put(key, value, in: tables.meta)
            return previous
        }
        defer { deferredNotes.forget(key) }
        return deferredNotes.value(key, stored: previous)
    }

    static func noteKey(_ name: String) -> [UInt8] { Array("note/\(name)".utf8) }
}

extension Log {
    /// Copies the newest state of the log to an existing folder, where it can be opened. Blocks, also for the medium;
    /// others write meanwhile. The folder itself is not synced.
    ///
    /// Throws `StorageError`.
    package func copy(to folder: String) throws { try environment.copy(to: folder + "/data.mdb") }

    /// Writes the key of a replica, one of `keys`, to another key file. Returns whether it was among them. Blocks.
    ///
    /// Throws `EventLogError.keyUnusable` if a key cannot be read or written.
    package static func copyKey(of replica: ReplicaID, among keys: [ReplicaIdentity], to path: String) throws -> Bool {
        guard let identity = keys.first(where: { $0.id == replica }) else { return false }
        let copy = KeyFile(path: path)
        try copy.prepare(identity)
        try copy.activate(for: replica)
        return true
    }

    /// The keys in a key file and beside it. Throws `EventLogError.keyUnusable`.
    package static func keys(at path: String) throws -> [ReplicaIdentity] { try KeyFile(path: path).read() }
}
