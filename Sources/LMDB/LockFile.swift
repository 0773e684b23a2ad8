internal import CPlatform
import Foundation
import Platform

/// The file `lock.mdb` of an environment, which processes share as memory, and on which LMDB has its `fcntl` locks: on
/// the first byte as long as an environment is open, and on the byte of a process's number once it reads.
///
/// Opened before LMDB opens the environment and closed after: closing any descriptor of the file drops all the locks
/// that this process has on it.
final class LockFile {
    /// Bytes of a reader's slot, and of the header before the first.
    private static let slotSize: Int64 = 64
    private static let headSize: Int64 = 4096

    private let descriptor: Int32
    private let folder: String
    private let forkCount = ForkDetector.forkCount

    /// Allocates the space that LMDB is about to write through memory: on a full disk that write would end the process,
    /// because no call could fail. Nil on a read-only medium, where LMDB uses no locks.
    ///
    /// Throws `StorageError`, `.diskFull` and `.notPermitted` among others.
    init?(in folder: String, readers: Int) throws(StorageError) {
        self.folder = folder
        descriptor = open(folder + "/lock.mdb", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EROFS { return nil }
            throw StorageError(errno, "lock", path: folder)
        }
        let size = Self.headSize + Int64(UInt32(clamping: readers)) * Self.slotSize
        // Leaves the file's size to LMDB, which tells a new file by it.
        var number = tripstore_allocate(descriptor, size)
        while number == EINTR { number = tripstore_allocate(descriptor, size) }
        if number == ENOSPC || number == EDQUOT {
            throw StorageError(ENOSPC, "set aside the locks of", path: folder)
        }
    }

    /// In the child of a fork it stays open: closing it would drop the child's own locks.
    deinit { if descriptor >= 0, forkCount == ForkDetector.forkCount { close(descriptor) } }

    /// Whether LMDB's locks say that another process has the environment open.
    var isOpenElsewhere: Bool { tripstore_is_byte_locked(descriptor, 0) != 0 }

    /// Takes the lock that every process takes when it opens the environment through LMDB; returns false if another
    /// process has it open. Only while this process has it closed.
    ///
    /// LMDB may take the lock meanwhile, in this same process. It then ends when LMDB closes the environment.
    func lockAlone() throws(StorageError) -> Bool {
        let number = tripstore_lock_byte(descriptor, 0, Int16(F_WRLCK))
        if number == EAGAIN || number == EACCES { return false }
        guard number == 0 else { throw StorageError(number, "lock", path: folder) }
        return true
    }

    /// Whether LMDB's locks show that no process has the environment open; for processes that may only read the folder.
    /// Only while this process has it closed.
    static func isFree(in folder: String) -> Bool {
        let descriptor = open(folder + "/lock.mdb", O_RDONLY | O_CLOEXEC)
        // Every process that had it open left the file.
        guard descriptor >= 0 else { return errno == ENOENT }
        defer { close(descriptor) }
        return tripstore_is_byte_locked(descriptor, 0) == 0
    }

    /// How often to look while a process ends: it does not release its two kinds of locks at the same moment.
    private static let patience = 200
    private static let pauseMicroseconds: UInt32 = 10_000

    /// Which processes have an environment open by either kind of lock: returns as soon as both kinds agree, or LMDB's
    /// alone suffices; otherwise after two seconds. For `sweeping` see `ProcessPresence.others`.
    static func agreedUse(
        of folder: String, sweeping: Bool = false, trustingLock: Bool = false, isLocked: () -> Bool
    ) throws(StorageError) -> (isLocked: Bool, present: Set<pid_t>) {
        var attempt = 1
        while true {
            let present = try ProcessPresence.others(in: folder, sweeping: sweeping)
            let isLocked = isLocked()
            let isConsistent = isLocked != present.isEmpty || isLocked && trustingLock
            if isConsistent || attempt == patience { return (isLocked, present) }
            usleep(pauseMicroseconds)
            attempt += 1
        }
    }

    /// Whether LMDB's locks say that another process reads, or has read, the environment.
    func isReader(_ process: pid_t) -> Bool { tripstore_is_byte_locked(descriptor, Int64(process)) != 0 }

    /// Takes LMDB's locks again, in case this process closed some other descriptor of the file. Some hundred
    /// nanoseconds.
    ///
    /// Throws `StorageError.locksLost` if another program has taken over the environment meanwhile.
    func renew() throws(StorageError) {
        guard tripstore_lock_byte(descriptor, 0, Int16(F_RDLCK)) == 0,
            tripstore_lock_byte(descriptor, Int64(getpid()), Int16(F_WRLCK)) == 0
        else {
            throw StorageError(
                .locksLost,
                "This process has lost its locks on \(folder), and another program has opened it since. Close the store in "
                    + "all programs and open it again. (To copy the files of an open store loses its locks: make backups "
                    + "with the store's own means.)")
        }
    }
}
