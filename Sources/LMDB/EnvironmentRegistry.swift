internal import CLMDB
import Foundation

/// Hands out one `Environment` per file and process.
///
/// `@unchecked Sendable`: `entries` is read and written with `condition` locked.
final class EnvironmentRegistry: @unchecked Sendable {
    static let shared = EnvironmentRegistry()

    private struct Entry {
        weak var environment: Environment?
        let forkCount: Int
        /// Tells entries of one identity apart: a deleted file's inode goes to the next file as soon as it is closed.
        let number: Int
    }

    private let condition = NSCondition()
    private var entries: [FileIdentity: Entry] = [:]
    private var openings = 0

    func open(at path: String, options: Environment.Options) throws(LMDBError) -> Environment {
        let environment = try findOrOpen(path, options)
        if !options.readOnly { try refuseWeaker(environment.options, than: options, path) }
        return environment
    }

    /// Whoever lets go of the last reference to an environment closes it, and closing takes the lock. So what is found
    /// here leaves the lock before anything is asked of it, and what is made here is made last.
    private func findOrOpen(_ path: String, _ options: Environment.Options) throws(LMDBError) -> Environment {
        condition.lock()
        defer { condition.unlock() }
        // LMDB would write a senseless size into a new file before it fails.
        guard options.mapSize > 0, UInt(options.mapSize) <= MetaPage.largestMap else {
            throw LMDBError(
                .other, "A map of \(options.mapSize) bytes was asked for \(path). Ask for 1 to \(MetaPage.largestMap).")
        }
        guard !options.writesInPlace || !options.syncsCommits else {
            throw LMDBError(
                .other,
                "\(path) was to be written in place and synced. Only what can be made anew is written in place: open it "
                    + "with 'syncsCommits: false', or without 'writesInPlace'.")
        }
        try Folder.refuseNetworkFileSystem(path)
        if !options.readOnly { try Folder.create(path) }
        let file = path + "/data.mdb"
        let identity = FileIdentity(path: file)
        if let identity {
            if let environment = existing(identity) { return environment }
        } else if options.readOnly {
            throw LMDBError(.missing, "There is no \(file). Check the path, or open for writing once to create it.")
        }
        while true {
            let ahead = try WriteAheadRecovery.run(in: path, options: options).file
            defer { ahead?.unlock() }
            if identity != nil { try DataFile.checkMetaPages(at: file) }
            if let environment = try openAnew(at: path, file: file, isNew: identity == nil, ahead, options: options) {
                return environment
            }
        }
    }

    /// Brings what lies at a path to its last commit, unless it is open, here or in another process. Answers what is wrong
    /// with the snapshot that it would begin with; then nothing was done.
    func recover(at path: String) throws(LMDBError) -> [StructureFault] {
        condition.lock()
        defer { condition.unlock() }
        guard let identity = FileIdentity(path: path + "/data.mdb"), existing(identity) == nil else { return [] }
        return try WriteAheadRecovery.run(in: path, options: Environment.Options(readOnly: true), checking: true).faults
    }

    /// The live environment for a file; waits while one is being closed.
    private func existing(_ identity: FileIdentity) -> Environment? {
        // What was opened before a fork belongs to the parent.
        while let entry = entries[identity], entry.forkCount == ForkDetector.forkCount {
            if let environment = entry.environment { return environment }
            condition.wait()
        }
        return nil
    }

    private func refuseWeaker(
        _ present: Environment.Options, than wanted: Environment.Options, _ path: String
    ) throws(LMDBError) {
        if present.readOnly {
            throw LMDBError(
                .alreadyOpen,
                "\(path) is open read-only in this process. Close that store before opening it for writing.")
        }
        if wanted.syncsCommits && !present.syncsCommits {
            throw LMDBError(
                .alreadyOpen,
                "\(path) is open in this process without syncing its commits. Close that store before opening it "
                    + "for commits that survive a power cut.")
        }
    }

    /// Makes the `Environment` last: until then the handle is closed here if a step fails. Nil if a write-ahead file came to
    /// be meanwhile, which is to be looked at first.
    private func openAnew(
        at path: String, file: String, isNew: Bool, _ ahead: WriteAheadFile?, options: Environment.Options
    ) throws(LMDBError) -> Environment? {
        var created: OpaquePointer?
        let number = mdb_env_create(&created)
        guard number == MDB_SUCCESS, let handle = created else { throw LMDBError(number, "open", path: path) }
        do throws(LMDBError) {
            try LockFile.setAside(in: path, readers: options.readerPlaces)
            var pageSizeInPlace: Int?
            if options.writesInPlace && !options.readOnly && InPlaceFile.isSafe(at: path) {
                pageSizeInPlace = try prepareInPlace(handle, path, file, options)
            }
            let pageSize =
                if let pageSizeInPlace { pageSizeInPlace } else {
                    try prepare(handle, path, options, mapSize: options.mapSize)
                }
            if ahead == nil, WriteAheadFile.isThere(in: path) {
                mdb_env_close(handle)
                return nil
            }
            guard let identity = FileIdentity(path: file) else { throw LMDBError(ENOENT, "open", path: path) }
            if isNew && options.syncsCommits { try Folder.sync(path) }
            openings += 1
            let environment = Environment(
                path: path, options: options, handle: handle, pageSize: pageSize,
                writesInPlace: pageSizeInPlace != nil,
                ahead: options.readOnly
                    ? nil
                    : ahead.map { WriteAhead($0, mayTurnOn: options.syncsCommits, path: path, handle: handle) },
                registration: Registration(identity: identity, number: openings))
            entries[identity] = Entry(
                environment: environment, forkCount: ForkDetector.forkCount, number: openings)
            return environment
        } catch {
            mdb_env_close(handle)
            throw error
        }
    }

    /// Opens a handle with a map of a file that was set aside, and answers the size of a page; nil if the file system
    /// sets nothing aside.
    private func prepareInPlace(
        _ handle: OpaquePointer, _ path: String, _ file: String, _ options: Environment.Options
    ) throws(LMDBError) -> Int? {
        // Others may neither add to the file nor cut it until LMDB has mapped it.
        let file = try InPlaceFile(at: file)
        guard file.isAllocatable else { return nil }
        let size = try file.size()
        var mapSize = size == 0 ? InPlaceFile.size(toHold: 0) : InPlaceFile.rounded(size)
        // A new file is laid out by LMDB first, without the map.
        if size > 0 {
            do throws(LMDBError) { try file.allocate(upTo: mapSize) } catch {
                // On a full disk it can still be read.
                guard error.code == .diskFull else { throw error }
                mapSize = size
                try file.allocate(upTo: mapSize)
            }
        }
        let pageSize = try prepare(handle, path, options, mapSize: mapSize, UInt32(MDB_WRITEMAP))
        // LMDB maps all that it has pages for, also where the last were never written.
        var information = MDB_envinfo()
        guard mdb_env_info(handle, &information) == MDB_SUCCESS else { return pageSize }
        try file.allocate(upTo: information.me_mapsize)
        return pageSize
    }

    /// Opens a handle, clears what dead processes left, and answers the size of a page.
    private func prepare(
        _ handle: OpaquePointer, _ path: String, _ options: Environment.Options, mapSize: Int,
        _ furtherFlags: UInt32 = 0
    ) throws(LMDBError) -> Int {
        func check(_ number: Int32, _ action: String = "open") throws(LMDBError) {
            guard number == MDB_SUCCESS else {
                let isFull = number == EIO && Folder.isFull(path)
                throw LMDBError(isFull ? ENOSPC : number, action, path: path)
            }
        }
        try check(mdb_env_set_mapsize(handle, mapSize))
        try check(mdb_env_set_maxdbs(handle, MDB_dbi(clamping: options.maxTables)))
        try check(mdb_env_set_maxreaders(handle, UInt32(clamping: options.readerPlaces)))
        var flags = UInt32(MDB_NOTLS) | furtherFlags
        if options.readOnly { flags |= UInt32(MDB_RDONLY) }
        if !options.syncsCommits { flags |= UInt32(MDB_NOSYNC) }
        try check(mdb_env_open(handle, path, flags, 0o600))
        var stat = MDB_stat()
        try check(mdb_env_stat(handle, &stat))
        if !options.readOnly { try check(mdb_reader_check(handle, nil), "check the readers of") }
        // LMDB leaves this descriptor to programs that a child process starts, where it would keep a deleted file.
        var descriptor: Int32 = -1
        try check(mdb_env_get_fd(handle, &descriptor))
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return Int(stat.ms_psize)
    }

    /// Forgets an environment that is closed, unless its place was taken: by a child's after a fork, or by that of a
    /// new file with the inode of a deleted one.
    func closed(_ registration: Registration) {
        condition.lock()
        if entries[registration.identity]?.number == registration.number { entries[registration.identity] = nil }
        condition.broadcast()
        condition.unlock()
    }
}

/// Under what an environment is registered.
struct Registration: Sendable {
    let identity: FileIdentity
    let number: Int
}
