import Foundation

/// Orders the processes that open one environment: while one looks at its files, repairs them and has LMDB open them, the
/// others wait.
///
/// It is a `flock` of the environment's folder, which is there on read-only media too, and is not lost when some other
/// descriptor is closed.
struct OpeningLock: ~Copyable {
    private let descriptor: Int32

    /// Waits until no other process has it.
    init(_ folder: String) throws(LMDBError) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LMDBError(errno, "open", path: folder) }
        while flock(descriptor, LOCK_EX) != 0 {
            let number = errno
            if number == EINTR { continue }
            close(descriptor)
            throw LMDBError(number, "lock", path: folder)
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
