import Foundation
import LMDBFormat
internal import LMDBLibrary
import Platform

/// Hands out one `Environment` per file and process.
///
/// `@unchecked Sendable`: `entries` is read and written with `condition` locked.
final class EnvironmentRegistry: @unchecked Sendable {
    static let shared = EnvironmentRegistry()

    struct Entry {
        weak var environment: Environment?
        let path: String
        let forkCount = ForkDetector.forkCount
        /// Distinguishes entries of one identity: the file system may give a deleted file's inode to a new file.
        let number: Int
        /// Whether its files are closed for now.
        var isSuspended = false

        init(_ environment: Environment) {
            self.environment = environment
            path = environment.path
            number = environment.registration.number
        }
    }

    let condition = NSCondition()
    var entries: [FileIdentity: Entry] = [:]
    private var openings = 0
    /// Files that must stay closed for now.
    private var keptClosed: Set<FileIdentity> = []

    func open(at path: String, options: Environment.Options) throws(StorageError) -> Environment {
        StandardDescriptors.occupy()
        let environment = try findOrOpen(path, options)
        if !options.isReadOnly { try refuseWeaker(environment.options, than: options, path) }
        return environment
    }

    /// Releasing the last reference to an environment closes it, and closing takes the lock. So a found reference
    /// leaves the lock before it is used, and a new one is created last.
    private func findOrOpen(_ path: String, _ options: Environment.Options) throws(StorageError) -> Environment {
        condition.lock()
        defer { condition.unlock() }
        try LMDBVersion.check()
        // LMDB would write an invalid size into a new file before it fails.
        guard options.mapSize > 0, UInt(options.mapSize) <= MetaPage.largestMap else {
            throw StorageError(
                .other, "A map of \(options.mapSize) bytes was asked for \(path). Ask for 1 to \(MetaPage.largestMap).")
        }
        try Folder.refuseNetworkFileSystem(path)
        if options.isReadOnly { try Medium.refuseReadingUnlocked(path) }
        if options.access == .creating { try Folder.create(path) }
        let file = path + "/data.mdb"
        if let identity = FileIdentity(path: file) {
            if let environment = existing(identity) { return environment }
        } else if options.access != .creating {
            throw StorageError(.missing, "There is no \(file). Check the path, or open for writing once to create it.")
        }
        let environment = Environment(
            path: path, options: options, try open(at: path, file: file, options: options, OpeningLock(path)))
        register(environment)
        return environment
    }

    /// A failure to clear readers is retried later.
    private func register(_ environment: Environment) {
        entries[environment.registration.identity] = Entry(environment)
        if !environment.options.isReadOnly { _ = try? environment.clearStaleReaders() }
    }

    /// Opens the files in a folder, under the lock.
    func open(
        at path: String, file: String, options: Environment.Options, _ opening: borrowing OpeningLock
    ) throws(StorageError) -> OpenFiles {
        if options.syncsCommits { try EnvironmentRewrite.conclude(in: path) }
        let lockFile = try LockFile(in: path, readers: options.readerSlots)
        let isAlone = try isAlone(in: path, lockFile)
        let isNew = try UnfinishedCreation.prepareCreation(in: path, options, isAlone: isAlone)
        let recovered = try WriteAheadRecovery(folder: path, options: options, lockFile: lockFile, isAlone: isAlone)
            .run()
        if !isNew { try DataFile.checkMetaPages(at: file) }
        return try openAnew(at: path, file: file, isNew: isNew, recovered, lockFile, options: options)
    }

    /// Whether no other process has an environment open.
    ///
    /// Throws `StorageError.locksLost` if a process has it open that has lost LMDB's locks: LMDB would take itself for
    /// the only user and reinitialise the locks under that process.
    func isAlone(in path: String, _ lockFile: LockFile?) throws(StorageError) -> Bool {
        guard let lockFile else { return try ProcessPresence.others(in: path, sweeping: true).isEmpty }
        let (isLocked, present) = try LockFile.agreedUse(of: path, sweeping: true, trustingLock: true) {
            lockFile.isOpenElsewhere
        }
        if isLocked { return false }
        if present.isEmpty { return true }
        let processes = present.sorted().map(String.init).joined(separator: ", ")
        throw StorageError(
            .locksLost,
            "\(path) is open in process \(processes), which has lost its locks: some program copied the store's files while "
                + "that process had it open. Close that program, then open the store again. (If no such process is there, on "
                + "no machine or container that shares the folder, remove the files 'open-…' of it.)")
    }

    /// Recovers the environment at a path, unless this process or another has it open. Returns the faults of the
    /// snapshot that recovery would start from; if there are any, it does nothing.
    func recover(at path: String) throws(StorageError) -> [StructureFault] {
        guard FileIdentity(path: path + "/data.mdb") != nil, WriteAheadFile.isThere(in: path),
            try !UnfinishedCreation.isUnfinished(in: path)
        else { return [] }
        return try whileClosed(at: path) { () throws(StorageError) -> [StructureFault] in
            try recover(at: path, OpeningLock(path))
        } ?? []
    }

    private func recover(at path: String, _ opening: borrowing OpeningLock) throws(StorageError) -> [StructureFault] {
        let options = Environment.Options(.reading)
        let lockFile = try LockFile(in: path, readers: options.readerSlots)
        let isAlone = try isAlone(in: path, lockFile)
        return try WriteAheadRecovery(folder: path, options: options, lockFile: lockFile, isAlone: isAlone)
            .run(checking: true).faults
    }

    /// Runs `body` on the files at a path while this process keeps them closed; returns nil if it has them open.
    func whileClosed<T>(at path: String, _ body: () throws(StorageError) -> T) throws(StorageError) -> T? {
        guard let identity = FileIdentity(path: path + "/data.mdb") else {
            throw StorageError(.missing, "There is no \(path)/data.mdb. Check the path.")
        }
        guard keepClosed(identity) else { return nil }
        defer {
            condition.lock()
            keptClosed.remove(identity)
            condition.broadcast()
            condition.unlock()
        }
        return try body()
    }

    /// Keeps a file closed for now; returns false if it is open.
    private func keepClosed(_ identity: FileIdentity) -> Bool {
        // As in `findOrOpen`: a found reference leaves the lock before it is released.
        let found: Environment?
        condition.lock()
        found = existing(identity)
        if found == nil { keptClosed.insert(identity) }
        condition.unlock()
        return withExtendedLifetime(found) { $0 == nil }
    }

    /// Whether this process has the environment in a folder open, and not suspended.
    func isOpen(at path: String) -> Bool {
        guard let identity = FileIdentity(path: path + "/data.mdb") else { return false }
        condition.lock()
        let found = existing(identity)
        condition.unlock()
        return withExtendedLifetime(found) { $0?.mapLock.isClosed == false }
    }

    /// The live environment for a file; waits while one is being closed.
    private func existing(_ identity: FileIdentity) -> Environment? {
        while true {
            // Environments opened before a fork belong to the parent.
            if let entry = entries[identity], entry.forkCount == ForkDetector.forkCount {
                if let environment = entry.environment { return environment }
            } else if !keptClosed.contains(identity) {
                return nil
            }
            condition.wait()
        }
    }

    private func refuseWeaker(
        _ present: Environment.Options, than wanted: Environment.Options, _ path: String
    ) throws(StorageError) {
        if present.isReadOnly {
            throw StorageError(
                .alreadyOpen,
                "\(path) is open read-only in this process. Close that store before opening it for writing.")
        }
        if wanted.syncsCommits && !present.syncsCommits {
            throw StorageError(
                .alreadyOpen,
                "\(path) is open in this process without syncing its commits. Close that store before opening it "
                    + "for commits that survive a power cut.")
        }
    }

    private func openAnew(
        at path: String, file: String, isNew: Bool, _ recovered: WriteAheadRecovery.Outcome, _ lockFile: LockFile?,
        options: Environment.Options
    ) throws(StorageError) -> OpenFiles {
        let presence = try presence(in: path, options)
        var created: OpaquePointer?
        let number = mdb_env_create(&created)
        guard number == MDB_SUCCESS, let handle = created else { throw StorageError(lmdb: number, "open", path: path) }
        do throws(StorageError) {
            let pageSize = try prepare(handle, path, options)
            guard let identity = FileIdentity(path: file) else { throw StorageError(ENOENT, "open", path: path) }
            if isNew && options.syncsCommits { try syncNew(file, in: path) }
            openings += 1
            return OpenFiles(
                handle: handle, pageSize: pageSize,
                ahead: options.isReadOnly
                    ? nil
                    : recovered.file.map {
                        WriteAhead($0, mayEnable: options.syncsCommits, path: path, handle: handle)
                    },
                lostTransactions: recovered.lostTransactions, lockFile: lockFile, presence: presence,
                registration: Registration(identity: identity, number: openings))
        } catch {
            mdb_env_close(handle)
            throw error
        }
    }

    /// Makes a new file's content and name durable, after LMDB has laid it out.
    ///
    /// If that fails, the file must be created again: no later sync would write the pages that the system has dropped.
    private func syncNew(_ file: String, in folder: String) throws(StorageError) {
        do throws(StorageError) {
            try Medium.sync(file: file)
            try Folder.sync(folder)
        } catch {
            truncate(file, 0)
            throw error
        }
    }

    /// Nil if nothing may be written, which is no fault for a reader.
    private func presence(in path: String, _ options: Environment.Options) throws(StorageError) -> ProcessPresence? {
        do throws(StorageError) {
            return try ProcessPresence(in: path)
        } catch {
            guard options.isReadOnly, error.code == .notPermitted || error.code == .diskFull else { throw error }
            return nil
        }
    }

    /// Opens a handle, and returns the page size.
    private func prepare(
        _ handle: OpaquePointer, _ path: String, _ options: Environment.Options
    ) throws(StorageError) -> Int {
        func check(_ number: Int32, _ action: String = "open") throws(StorageError) {
            guard number == MDB_SUCCESS else { throw StorageError(lmdb: number, action, path: path) }
        }
        try check(mdb_env_set_mapsize(handle, AddressSpace.mapSize(atMost: options.mapSize)))
        try check(mdb_env_set_maxdbs(handle, MDB_dbi(clamping: options.maxTables)))
        try check(mdb_env_set_maxreaders(handle, UInt32(clamping: options.readerSlots)))
        var flags = UInt32(MDB_NOTLS)
        if options.isReadOnly { flags |= UInt32(MDB_RDONLY) }
        if !options.syncsCommits { flags |= UInt32(MDB_NOSYNC) }
        try check(mdb_env_open(handle, path, flags, 0o600))
        var stat = MDB_stat()
        try check(mdb_env_stat(handle, &stat))
        // LMDB lets child processes inherit this descriptor, which would keep a deleted file alive in them.
        var descriptor: Int32 = -1
        try check(mdb_env_get_fd(handle, &descriptor))
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return Int(stat.ms_psize)
    }

    /// Removes a closed environment, unless its entry now belongs to another: a child's after a fork, or that of a new
    /// file with the inode of a deleted one.
    func closed(_ registration: Registration) {
        condition.lock()
        if entries[registration.identity]?.number == registration.number { entries[registration.identity] = nil }
        condition.broadcast()
        condition.unlock()
    }
}

/// The key under which an environment is registered.
struct Registration: Sendable {
    let identity: FileIdentity
    let number: Int
}
