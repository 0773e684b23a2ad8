internal import CLMDB
import Foundation
public import Platform
import Synchronization

/// One LMDB environment: a folder with `data.mdb` and `lock.mdb`.
///
/// The same files are opened once in a process, whatever the number of callers: `open` hands out the one handle
/// (LMDB's locks are per process, and closing a second handle would drop those of the first).
///
/// Reads may come from any thread. Writes run on the thread that calls `write` and wait there for the writer lock and
/// for the medium: never call it on the cooperative pool.
///
/// `@unchecked Sendable`: the environment's C handle is thread-safe by LMDB's contract when opened with `MDB_NOTLS`,
/// but for changes of the map, which `gate` orders; `mapWasFull`, `usedBefore`, `writesSinceReaderCheck` and `ahead` belong to
/// who has the writers' turn; `presence` and `lockFile` are changed in `deinit` alone; everything else is immutable or guards itself.
public final class Environment: @unchecked Sendable {
    /// How an environment is opened.
    public struct Options: Sendable, Hashable {
        /// Bytes of address space to reserve. The file grows as needed; the map grows only when this is used up.
        public var mapSize: Int
        /// The most named tables.
        public var maxTables: Int
        /// The most read transactions open at once, over all processes.
        public var maxReaders: Int
        /// Whether a commit waits until the medium has it. Without it a killed process loses nothing, a power cut may
        /// tear the file.
        public var syncsCommits: Bool
        /// Opens for reading alone; the files must exist.
        public var readOnly: Bool
        /// Whether files that are not there, or whose creation was cut off, are made.
        public var creates: Bool
        /// Whether pages are written in place, through the map: a small commit then takes less time, and much at once no
        /// less. Only for what is not synced, and only where the file system is known to keep the room that was set
        /// aside; elsewhere it is left out. The map is then as large as the file, whatever `mapSize` says, and both grow
        /// in steps of an eighth.
        public var writesInPlace: Bool

        public init(
            mapSize: Int = Options.defaultMapSize, maxTables: Int = 32, maxReaders: Int = 1024,
            syncsCommits: Bool = true, readOnly: Bool = false, writesInPlace: Bool = false, creates: Bool = true
        ) {
            self.mapSize = mapSize
            self.maxTables = maxTables
            self.maxReaders = maxReaders
            self.syncsCommits = syncsCommits
            self.readOnly = readOnly
            self.writesInPlace = writesInPlace
            self.creates = creates
        }

        /// Who only reads makes nothing.
        var makesFiles: Bool { creates && !readOnly }

        /// One more where small commits need a snapshot to go back to.
        var readerPlaces: Int { syncsCommits && !readOnly ? max(maxReaders, maxReaders &+ 1) : maxReaders }

        /// 64 GiB where addresses are cheap, 512 MiB on devices that limit a process's address space.
        public static var defaultMapSize: Int {
            #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
                512 << 20
            #else
                64 << 30
            #endif
        }
    }

    public let path: String
    public let options: Options
    let handle: OpaquePointer
    let gate: MapGate
    /// Bytes of a page.
    let pageSize: Int
    /// Whether pages are written in place: what was asked for, where the file system is fit for it.
    public let writesInPlace: Bool
    /// How long readers may keep a file that is written in place from growing, in seconds: what is in it can be made anew.
    let growthPatience = Mutex(5.0)
    /// How small commits are made durable; nil where nothing is written, or nothing synced.
    let ahead: WriteAhead?
    /// Committed transactions that opening could not bring back: the medium has lost their records, which it had said to have.
    /// Mostly 0. What was found of them is kept: see `unreadableRecords`.
    public let lostTransactions: Int
    /// The file with the records that an opening, this one or an earlier one, could not read; nil if none is there. Who
    /// removes it has taken note.
    public var unreadableRecords: String? { fileAside(.unreadable) }
    /// The file with records that belong to another data file, or to another state of this one, as if that was put back from
    /// elsewhere; nil if none is there.
    public var foreignRecords: String? { fileAside(.other) }

    private func fileAside(_ reason: WriteAheadFile.Reason) -> String? {
        let file = "\(path)/\(WriteAheadFile.name).\(reason.rawValue)"
        return FileIdentity(path: file) == nil ? nil : file
    }
    /// LMDB's locks; nil on a read-only medium.
    private(set) var lockFile: LockFile?
    /// Says to other processes that this one has the environment open; nil where nothing may be written.
    private(set) var presence: ProcessPresence?
    private let registration: Registration
    private let forkCount: Int
    /// Write transactions since the slots of dead readers were looked for; belongs to who has the writers' turn.
    var writesSinceReaderCheck = 0
    /// Whether the write transaction under way met a full map. Noted here and not taken from the error that leaves the
    /// closure: that may be another by then, or none.
    var mapWasFull = false
    /// Bytes that were in use after the write transaction before, 0 before the first; kept where pages are written in place.
    var usedBefore = 0

    init(
        path: String, options: Options, handle: OpaquePointer, pageSize: Int, writesInPlace: Bool,
        ahead: WriteAhead?, lostTransactions: Int, lockFile: LockFile?, presence: ProcessPresence?,
        registration: Registration
    ) {
        self.path = path
        self.writesInPlace = writesInPlace
        self.options = options
        self.handle = handle
        self.ahead = ahead
        self.lostTransactions = lostTransactions
        self.lockFile = lockFile
        self.presence = presence
        self.registration = registration
        self.pageSize = pageSize
        self.gate = MapGate(path: path)
        self.forkCount = ForkDetector.forkCount
    }

    deinit {
        if forkCount == ForkDetector.forkCount {
            gate.drain { mdb_txn_abort($0) }
            ahead?.release()
            mdb_env_close(handle)
        }
        // Only now: without its presence and without LMDB's locks this process has the environment open for nobody. And before
        // the next one opens it here, for to close a descriptor of `lock.mdb` gives up the locks of that one too.
        presence = nil
        lockFile = nil
        EnvironmentRegistry.shared.closed(registration)
    }

    /// Opens the environment in the folder at `path`, creating folder and files unless `options.readOnly`.
    ///
    /// Throws `StorageError`: `.missing`, `.unfinished`, `.damaged`, `.notPermitted`, `.networkFileSystem`, `.alreadyOpen`,
    /// `.locksLost`, `.diskFull`, `.unsupportedVersion`.
    public static func open(at path: String, options: Options = Options()) throws(StorageError) -> Environment {
        try EnvironmentRegistry.shared.open(at: path, options: options)
    }

    /// Refuses to go on in a child of `fork()`: locks and reader slots belong to the parent.
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
        // A full disk cuts a write short, and LMDB reports a short write as a fault of the medium.
        let isFull = number == EIO && Folder.isFull(path)
        return StorageError(lmdb: isFull ? ENOSPC : number, action, path: path)
    }

    /// As `check`, for what LMDB returned from a change inside the write transaction.
    func checkChange(_ number: Int32) throws(StorageError) {
        if number == MDB_MAP_FULL { mapWasFull = true }
        try check(number, "write to")
    }

    /// Forces everything committed so far onto the medium. Waits.
    public func sync() throws(StorageError) {
        try checkNotForked()
        // Where commits are written ahead, the error of a sync must come to whoever counts on it.
        if ahead != nil {
            try settle()
            // What was not is on the medium already.
            if options.syncsCommits { return }
        }
        if writesInPlace {
            // LMDB would sync its map, and another process may have written beyond that.
            try check(fsync(fileDescriptor()) == 0 ? 0 : errno, "sync")
        } else {
            try check(mdb_env_sync(handle, 1), "sync")
        }
        try fullSync()
    }

    func fileDescriptor() throws(StorageError) -> Int32 {
        var descriptor: Int32 = -1
        try check(mdb_env_get_fd(handle, &descriptor), "find the file of")
        return descriptor
    }

    /// What LMDB's own syncs lack.
    func fullSync() throws(StorageError) {
        #if canImport(Darwin)
            try check(Medium.sync(try fileDescriptor()), "sync")
        #endif
    }

    /// What the environment holds and uses.
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
        let (number, info) = try gate.lookAtMap {
            var info = MDB_envinfo()
            return (mdb_env_info(handle, &info), info)
        }
        try check(number, "inspect")
        return Information(
            mapSize: info.me_mapsize, usedSize: (info.me_last_pgno + 1) * pageSize,
            lastTransaction: info.me_last_txnid, readers: Int(info.me_numreaders))
    }

    /// The number of the newest committed transaction, of whatever process. A few nanoseconds.
    ///
    /// Any thread may call it, inside transactions too.
    public func lastTransaction() throws(StorageError) -> Int {
        try checkNotForked()
        let (number, last) = try gate.lookAtMap {
            var info = MDB_envinfo()
            return (mdb_env_info(handle, &info), info.me_last_txnid)
        }
        try check(number, "inspect")
        return last
    }
}
