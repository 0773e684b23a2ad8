internal import CLMDB
internal import CPlatform
import Foundation
import Platform

/// The data file of an environment whose pages are written in place, through the map (`MDB_WRITEMAP`).
///
/// LMDB makes such a file as large as the map and leaves it full of holes; to write into one of them on a full disk ends
/// the process. So here the map is never larger than what the medium has set aside, and both grow in steps.
///
/// As long as an object of this type lives the file is locked against others of its kind, of other processes too: LMDB
/// cuts the file to the map it is given, and must not take away what another process has just added.
struct InPlaceFile: ~Copyable {
    private let descriptor: Int32
    private let path: String

    /// What is set aside at least beyond what is used.
    private static let smallestStep = 256 << 10
    /// Sizes are multiples of this, whatever the system's pages are.
    private static let unit = 64 << 10

    /// Opens or creates the file and waits until nobody else changes its size.
    init(at path: String) throws(StorageError) {
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(errno, "open", path: path) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                let number = errno
                close(descriptor)
                throw StorageError(number, "lock", path: path)
            }
        }
        self.descriptor = descriptor
        self.path = path
    }

    // Closing gives up the lock. LMDB's own locks are on another file, so that it does not lose them.
    deinit { close(descriptor) }

    /// Bytes of the file.
    func size() throws(StorageError) -> Int {
        let status = tripstore_status_of(descriptor)
        guard status.error == 0 else { throw StorageError(status.error, "look at", path: path) }
        return Int(status.size)
    }

    /// Has the medium set aside every byte up to a size, and makes the file as large.
    ///
    /// Throws `StorageError.diskFull` if there is no room: nothing has changed then but that parts may be set aside.
    func allocate(upTo size: Int) throws(StorageError) {
        #if os(Linux)
            var number = tripstore_allocate(descriptor, Int64(size), 0)
            while number == EINTR { number = tripstore_allocate(descriptor, Int64(size), 0) }
            guard number == 0 else { throw StorageError(number, "set aside \(size) bytes for", path: path) }
        #else
            throw StorageError(ENOTSUP, "set aside \(size) bytes for", path: path)
        #endif
    }

    /// The size that a file should have whose pages take so many bytes. The steps double with every attempt of the
    /// same transaction, for each begins it anew.
    static func size(toHold used: Int, attempt: Int = 0) -> Int {
        let step = max(smallestStep, used / 8) << min(attempt, 16)
        return rounded(used + step)
    }

    static func rounded(_ size: Int) -> Int { (size + unit - 1) / unit * unit }

    /// Whether the file system sets room aside at all: those before ext4 have its number and do not. What else goes wrong
    /// does not count: all processes must come to the same answer.
    var isAllocatable: Bool {
        #if os(Linux)
            let number = tripstore_allocate(descriptor, 1, 1)
            return number != EOPNOTSUPP && number != ENOSYS
        #else
            return false
        #endif
    }

    /// Whether what is set aside on the file system of a path is sure to take what is written later.
    ///
    /// File systems that write to another place what is written again may run out of room all the same: Btrfs, ZFS, APFS
    /// with its snapshots, XFS once a file was cloned. So only those count of which it is known.
    static func isSafe(at path: String) -> Bool { FileSystem.isExt(at: path) || FileSystem.isTmpfs(at: path) }
}
