import Foundation

/// Shows whether a file is still the same one with the same contents, as far as the system records.
struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let inode: UInt64
    private let seconds: Int64
    private let nanoseconds: Int64
    /// The size in bytes.
    let size: Int64

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        #if canImport(Darwin)
            let changed = status.st_mtimespec
        #else
            let changed = status.st_mtim
        #endif
        seconds = Int64(changed.tv_sec)
        nanoseconds = Int64(changed.tv_nsec)
    }
}
