public import Events
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
    let surroundings: Surroundings
    /// The thread on which appends run, and on which views may be applied.
    public let worker: WorkerThread
    /// What had to be done about the replica's identity at opening.
    public let identityChange: IdentityChange?
    let writer: LogWriter?
    let viewNotes: ViewNotes
    /// Notes that wait for a transaction that is worth a sync.
    private let laterNotes: LaterNotes
    /// The line when it was looked at last.
    private let line: Mutex<LineID>

    /// Committed transactions that opening could not bring back, for the medium lost their records. Mostly 0.
    public var lostTransactions: Int { environment.lostTransactions }
    /// The file that keeps what was found of such records, since this opening or an earlier one; nil if there is none.
    public var unreadableRecords: String? { environment.unreadableRecords }
    /// The file that keeps commits which followed on another data file than the one that lies there; nil if there is none.
    public var foreignRecords: String? { environment.foreignRecords }

    init(
        environment: Environment, tables: LogTables, surroundings: Surroundings, opened: LineID,
        identityChange: IdentityChange?, worker: WorkerThread, writer: LogWriter?, viewNotes: ViewNotes
    ) {
        self.environment = environment
        self.tables = tables
        self.surroundings = surroundings
        line = Mutex(opened)
        self.identityChange = identityChange
        self.worker = worker
        self.writer = writer
        self.viewNotes = viewNotes
        laterNotes = writer?.laterNotes ?? LaterNotes()
    }

    /// The line that this log's own commits extend.
    ///
    /// It may change: an empty log joins another's journal, and a replica that learns that it was copied or restored goes
    /// on under a new id.
    public var ownLine: LineID {
        // What cannot be read now, as within a read, is as it was; whoever goes on with it will be told.
        guard let (journal, replica) = try? read({ try $0.authorship() }) else { return line.withLock { $0 } }
        let found = LineID(journal: journal, replica: replica)
        line.withLock { $0 = found }
        return found
    }

    /// The log's own journal: commits written here belong to it.
    public var journal: JournalID { ownLine.journal }

    /// The replica that writes here.
    public var replica: ReplicaID { ownLine.replica }

    /// What last happened to the replica's identity, at this opening or an earlier one; nil if nothing ever did.
    public func lastIdentityChange() throws -> IdentityChange? {
        try read { try $0.meta(MetaKey.former) }.flatMap { IdentityChange($0) }
    }

    /// The folder of the log's environment.
    public var path: String { environment.path }

    /// What the log takes from the outside world, for another log that is opened on its behalf.
    package var ownSurroundings: Surroundings { surroundings }

    /// The wall clock, milliseconds since 1970.
    package var wallClock: Int64 { surroundings.now() }

    /// Waits for whoever writes, in this process or another, and lets the log take note of what a killed one left. Waits:
    /// not for the cooperative pool.
    package func awaitWriters() throws { try environment.write { _ in } }

    /// Whether nothing was ever stored.
    public func isEmpty() throws -> Bool { try read { try $0.lastPosition() } == .start }

    public var isReadOnly: Bool { writer == nil }

    /// Runs `body` on the log as it stands. Nothing that points into it may leave `body`.
    public func read<T>(_ body: (borrowing LogSnapshot) throws -> T) throws -> T {
        try environment.read { transaction in try body(LogSnapshot(transaction.alias(), tables)) }
    }

    /// A number that grows with every commit of any process; cheap enough to be asked often.
    public func changeCount() throws -> Int { try environment.lastTransaction() }

    /// Size and use of the file.
    public func information() throws -> Environment.Information { try environment.information() }

    /// Reads a row of an app of the log: what it keeps beside it and wants to change atomically.
    public func note(_ name: String) throws -> [UInt8]? {
        let key = Self.noteKey(name)
        return laterNotes.value(key, stored: try read { try $0.meta(key) })
    }

    /// The same inside of a read of this log.
    package func note(_ name: String, in log: borrowing LogSnapshot) throws -> [UInt8]? {
        let key = Self.noteKey(name)
        return laterNotes.value(key, stored: try log.meta(key))
    }

    /// Such rows whose names begin with some text.
    public func notes(_ prefix: String) throws -> [String: [UInt8]] {
        try read { log in
            var found: [String: [UInt8]] = [:]
            let key = Self.noteKey(prefix)
            var cursor = try log.transaction.cursor(on: tables.meta)
            var row = try cursor.seek(atOrAfter: key)
            while let current = row, current.key.starts(with: key) {
                let name = String(decoding: current.key.dropFirst(5), as: UTF8.self)
                found[name] = laterNotes.value([UInt8](current.key), stored: [UInt8](current.value))
                row = try cursor.next()
            }
            return found
        }
    }

    /// What is on the medium of such a row.
    package func storedNote(_ name: String) throws -> [UInt8]? { try read { try $0.meta(Self.noteKey(name)) } }

    /// Writes such a row, durably; nil removes it. Waits: not for the cooperative pool.
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
        laterNotes.forget(key)
    }

    /// Keeps such a row in memory, for the readers of this log; nil shows what is on the medium again.
    func keep(note name: String, _ value: [UInt8]?) throws {
        let key = Self.noteKey(name)
        guard let value else { return laterNotes.forget(key) }
        laterNotes.set(key, value, stored: try read { try $0.meta(key) })
    }

    /// Changes a row that is on the medium, for the readers of this log; the medium gets it with the next commit, or with
    /// `writeNotes`. If the process ends before, the row is as it was.
    package func setNoteLater(_ name: String, _ value: [UInt8]) throws {
        let key = Self.noteKey(name)
        laterNotes.set(key, value, stored: try read { try $0.meta(key) })
    }

    /// Writes what was to be written later. Waits, too.
    package func writeNotes() throws {
        guard !isReadOnly, !laterNotes.isEmpty else { return }
        let written = try environment.write { try laterNotes.write($0, tables) }
        written?()
    }

    /// Signs the line, and brings what small commits wrote ahead to where it belongs, for when the log is to be closed. On the
    /// log's worker.
    package func prepareClose() throws {
        // What keeps it from being signed, a full disk say, need not keep the rest from being put in order.
        let signing = Result { try writer?.signHeadNow() }
        try checkpoint()
        try signing.get()
    }

    /// Brings what small commits wrote ahead to where it belongs. Waits, too.
    package func checkpoint() throws {
        try environment.checkpoint()
        if !isReadOnly { LogStructure.note(at: path) }
    }

    /// Writes such a row, durably, and answers what it held before, in one step. Waits, too.
    func exchange(note name: String, _ value: [UInt8]) throws -> [UInt8]? {
        let key = Self.noteKey(name)
        let previous = try environment.write { transaction in
            let previous = try transaction.reading.get(key, in: tables.meta).map { [UInt8]($0) }
            try transaction.put(key, value, in: tables.meta)
            return previous
        }
        defer { laterNotes.forget(key) }
        return laterNotes.value(key, stored: previous)
    }

    private static func noteKey(_ name: String) -> [UInt8] { Array("note/\(name)".utf8) }
}
