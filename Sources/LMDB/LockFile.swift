internal import CLMDB
import Foundation

/// The file `lock.mdb` of an environment, which processes share as memory.
enum LockFile {
    /// Bytes of a reader's place, and of what lies before the first.
    private static let placeSize: Int64 = 64
    private static let headSize: Int64 = 4096

    /// Has the medium set aside what LMDB is about to write to through memory: without that a full disk would end the
    /// process, for there is no call that could fail.
    ///
    /// Only where the environment is not open in this process: to close a second descriptor would drop LMDB's locks.
    ///
    /// Throws `LMDBError.diskFull`. What else goes wrong is left for LMDB to say.
    static func setAside(in folder: String, readers: Int) throws(LMDBError) {
        #if os(Linux)
            let descriptor = open(folder + "/lock.mdb", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return }
            defer { close(descriptor) }
            let size = headSize + Int64(UInt32(clamping: readers)) * placeSize
            // The size of the file is for LMDB to set, which tells by it whether the file is new.
            var number = tripstore_allocate(descriptor, size, 1)
            while number == EINTR { number = tripstore_allocate(descriptor, size, 1) }
            if number == ENOSPC || number == EDQUOT { throw LMDBError(ENOSPC, "set aside the locks of", path: folder) }
        #endif
    }
}

/// The whole of an environment for this process alone, by the lock that everybody else takes who opens it through LMDB.
///
/// LMDB itself may take it meanwhile, being in the same process. It then ends when LMDB closes the environment: closing any
/// descriptor of a file drops this process's locks on it.
struct ExclusiveLock: ~Copyable {
    private let descriptor: Int32

    /// Nil if somebody has the environment open. Only where it is not open in this process.
    init?(in folder: String) throws(LMDBError) {
        let path = folder + "/lock.mdb"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw LMDBError(errno, "lock", path: folder) }
        let number = tripstore_lock_alone(descriptor)
        guard number == 0 else {
            close(descriptor)
            if number == EAGAIN || number == EACCES { return nil }
            throw LMDBError(number, "lock", path: folder)
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
