import Foundation
internal import LMDBLibrary
public import Platform
import Synchronization

/// One LMDB environment: a folder with `data.mdb` and `lock.mdb`.
///
/// A process opens the same files once, whatever the number of callers: `open` returns the one handle (LMDB's locks are
/// per process, and closing a second handle would drop those of the first).
///
/// Reads may come from any thread. Writes run on the thread that calls `write` and wait there for the writer lock and
/// for the medium: never call it on the cooperative pool.
///
/// `@unchecked Sendable`: LMDB's contract makes the environment's C handle thread-safe when opened with `MDB_NOTLS`,
/// except for changes of the map, which `mapLock` orders. `mapWasFull`, `writesSinceReaderCheck` and the state of `ahead` are
/// guarded by `mapLock`'s writer turn. `files` changes only where `mapLock` lets nobody in: all others use it as a reader, with the writer
/// turn, or in a short access. Everything else is immutable or guards itself.
public final class Environment: @unchecked Sendable {
    /// How an environment is opened.
    public struct Options: Sendable, Hashable {
        /// The access for which the environment is opened.
        public enum Access: Sendable, Hashable {
            /// Reads only; the files exist.
            case reading
            /// Reads and writes; the files exist.
            case writing
            /// Reads and writes; creates files that are missing or whose creation was cut off.
            case creating
        }

        /// The durability that a commit waits for.
        public enum Durability: Sendable, Hashable {
            /// Until the medium has it.
            case synced
            /// Nothing: a killed process loses nothing, a power cut may tear the file. For data that can be rebuilt.
            case unsynced
        }

        public var access: Access
        /// Applies to commits made through this handle; other processes choose their own.
        public var durability: Durability
        /// Bytes of address space to reserve. The file grows as needed; the map grows only when this is used up.
        public var mapSize: Int
        /// The maximum number of named tables.
        public var maxTables: Int
        /// The maximum number of open read transactions, over all processes.
        public var maxReaders: Int
        /// Seconds without a commit after which the environment is checkpointed; infinite for tests that look at what
        /// is written ahead, however long they take.
        package var idleTime: Double = 1

        public init(
            _ access: Access = .creating, durability: Durability = .synced, mapSize: Int = Options.defaultMapSize,
            maxTables: Int = 32, maxReaders: Int = 1024
        ) {
            self.access = access
            self.durability = durability
            self.mapSize = mapSize
            self.maxTables = maxTables
            self.maxReaders = maxReaders
        }

        package var isReadOnly: Bool { access == .reading }

        /// Whether commits are made that must survive a power cut.
        package var syncsCommits: Bool { !isReadOnly && durability == .synced }

        /// One more than for readers: `WriteAhead` holds a read transaction on its snapshot.
        var readerSlots: Int { syncsCommits ? max(maxReaders, maxReaders &+ 1) : maxReaders }

        /// 64 GiB of addresses; the file takes only the space it needs.
        public static var defaultMapSize: Int { 64 << 30 }
    }

    public let path: String
    public let options: Options
    let mapLock: MapLock
    /// Bytes of a page.
    let pageSize: Int
    /// The open files; while the environment is suspended, those that were open. Sound without the runtime's checks: it changes only where `mapLock` lets
    /// nobody in.
    @exclusivity(unchecked) private var files: OpenFiles
    var handle: OpaquePointer { files.handle }
    /// Makes small commits durable; nil if the environment is read-only or not synced.
    var ahead: WriteAhead? { files.ahead }
    /// LMDB's locks; nil on a read-only medium.
    var lockFile: LockFile? { files.lockFile }
    /// Shows other processes that this one has the environment open; nil on a read-only medium.
    var presence: ProcessPresence? { files.presence }
    private let lost: Atomic<Int>
    /// Committed transactions that opening could not recover: the medium has lost their records although it had
    /// reported them as synced. Normally 0. The remains are kept: see `unreadableRecords`.
    public var lostTransactions: Int { lost.load(ordering: .relaxed) }
    /// The names of the tables whose handles were made.
    let tableNames = Mutex<[UInt32: String]>([:])
    /// The file with the records that this opening or an earlier one could not read; nil if there is none. Remove it to
    /// acknowledge the loss.
    public var unreadableRecords: String? { Self.unreadableRecords(at: path) }
    /// The file with records that belong to another data file, or to another state of this one, for example one that
    /// was restored; nil if there is none.
    public var foreignRecords: String? { Self.fileAside(.other, in: path) }

    /// The file with unreadable records in an environment's folder, which need not be open; nil if there is none.
    public static func unreadableRecords(at path: String) -> String? { fileAside(.unreadable, in: path) }

    private static func fileAside(_ reason: WriteAheadFile.Reason, in path: String) -> String? {
        let file = "\(path)/\(WriteAheadFile.name).\(reason.rawValue)"
        return FileIdentity(path: file) == nil ? nil : file
    }
    private let forkCount: Int
    /// Write transactions since the last check for dead readers; guarded by the writer turn.
    var writesSinceReaderCheck = 0
    /// Whether the current write transaction met a full map. Recorded here, because the closure may throw another error
    /// or none.
    var mapWasFull = false

    init(path: String, options: Options, _ files: OpenFiles) {
        self.path = path
        self.options = options
        self.files = files
        pageSize = files.pageSize
        lost = Atomic(files.lostTransactions)
        mapLock = MapLock(path: path)
        forkCount = ForkDetector.forkCount
    }

    deinit {
        if forkCount == ForkDetector.forkCount, !mapLock.isClosed { closeFiles() }
        // In the child of a fork LMDB's handle stays open: it is the parent's.
        files.letGo()
        EnvironmentRegistry.shared.closed(files.registration)
    }

    /// Closes what is open. Nobody is in, and nobody enters.
    func closeFiles() {
        mapLock.drain { mdb_txn_abort($0) }
        ahead?.release()
        mdb_env_close(handle)
        files.letGo()
    }

    /// Takes over what was opened anew for a suspended environment, which still admits nobody.
    func reopened(with opened: OpenFiles) {
        files = opened
        lost.add(opened.lostTransactions, ordering: .relaxed)
    }

    /// The key under which the environment is registered.
    var registration: Registration { files.registration }

    /// Opens the environment in the folder at `path`; creates folder and files if `options.access` is `creating`.
    ///
    /// Throws `StorageError`: `.missing`, `.unfinished`, `.damaged`, `.notPermitted`, `.networkFileSystem`,
    /// `.alreadyOpen`, `.locksLost`, `.diskFull`, `.unsupportedVersion`.
    public static func open(at path: String, options: Options = Options()) throws(StorageError) -> Environment {
        try EnvironmentRegistry.shared.open(at: path, options: options)
    }

    /// Throws in a child of `fork()`: locks and reader slots belong to the parent.
    func checkNotForked() throws(StorageError) {
        guard forkCount == ForkDetector.forkCount else {
            throw StorageError(
                .forked,
                "The process was forked after \(path) was opened. Open the store in the child, after the fork.")
        }
    }

    func check(_ number: Int32, _ action: String) throws(StorageError) {
        guard number == MDB_SUCCESS else { throw failure(number, action) }
    }

    /// The error for a number that LMDB returned.
    func failure(_ number: Int32, _ action: String) -> StorageError {
        StorageError(lmdb: number, action, path: path)
    }

    /// As `check`, for what LMDB returned from a change inside the write transaction.
    func checkChange(_ number: Int32) throws(StorageError) {
        if number == MDB_MAP_FULL { mapWasFull = true }
        try check(number, "write to")
    }

    /// Forces everything committed so far onto the medium. Blocks.
    public func sync() throws(StorageError) {
        try checkNotForked()
        try checkNotReading("sync")
        try mapLock.enterWriting()
        defer { mapLock.leaveWriting() }
        // With write-ahead, a failed sync must reach every caller that relies on it.
        if ahead != nil {
            try checkpointInTurn()
            // Commits made elsewhere are on the medium already.
            if options.syncsCommits { return }
        }
        try check(mdb_env_sync(handle, 1), "sync")
        try fullSync()
    }

    /// LMDB's descriptor of the data file. The caller is a reader or has the writer turn.
    func fileDescriptor() throws(StorageError) -> Int32 {
        var descriptor: Int32 = -1
        try check(mdb_env_get_fd(handle, &descriptor), "find the file of")
        return descriptor
    }

    /// What LMDB's own syncs lack.
    func fullSync() throws(StorageError) {
        if System.syncsLeaveCache { try check(Medium.sync(try fileDescriptor()), "sync") }
    }

    /// Sizes and counts of the environment.
    public struct Information: Sendable {
        /// Bytes of address space reserved.
        public var mapSize: Int
        /// Bytes of the file in use, free pages inside it included.
        public var usedSize: Int
        /// The number of the newest committed transaction.
        public var lastTransaction: Int
        /// Reader slots in use, over all processes.
        public var readers: Int
    }

    /// Any thread may call it, inside transactions too.
    public func information() throws(StorageError) -> Information {
        try checkNotForked()
        let (number, info) = try mapLock.withStableMap {
            var info = MDB_envinfo()
            return (mdb_env_info(handle, &info), info)
        }
        try check(number, "inspect")
        return Information(
            mapSize: info.me_mapsize, usedSize: (info.me_last_pgno + 1) * pageSize,
            lastTransaction: info.me_last_txnid, readers: Int(info.me_numreaders))
    }

    /// The number of the newest committed transaction, of any process. A few nanoseconds.
    ///
    /// Any thread may call it, inside transactions too.
    public func lastTransaction() throws(StorageError) -> Int {
        try checkNotForked()
        let (number, last) = try mapLock.withStableMap {
            var info = MDB_envinfo()
            return (mdb_env_info(handle, &info), info.me_last_txnid)
        }
        try check(number, "inspect")
        return last
    }
}
