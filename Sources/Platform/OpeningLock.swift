import Foundation

/// Orders the processes that open one environment: while one reads its files, recovers them and has LMDB open them, the
/// others wait.
///
/// It is a `flock` of the environment's folder, which exists on read-only media too, and is not lost when some other
/// descriptor is closed.
package struct OpeningLock: ~Copyable {
    private let descriptor: Int32

    /// Waits until no other process holds it.
    package init(_ folder: String) throws(StorageError) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(errno, "open", path: folder) }
        while flock(descriptor, LOCK_EX) != 0 {
            let number = errno
            if number == EINTR { continue }
            close(descriptor)
            throw StorageError(number, "lock", path: folder)
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
