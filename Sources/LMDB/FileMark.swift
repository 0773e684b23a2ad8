internal import CLMDB
import Foundation

/// What tells a file from a copy of it: its inode, and when it was made.
///
/// Both stay when a file is moved within its file system, and neither is taken along by a copy. The device's number is
/// left out, for it may differ after each start of the machine.
public struct FileMark: Hashable, Sendable {
    public let inode: UInt64
    /// Nanoseconds since 1970; 0 where the file system does not say.
    public let birthTime: Int64

    public init(inode: UInt64, birthTime: Int64) {
        self.inode = inode
        self.birthTime = birthTime
    }

    /// Nil if there is no such file.
    public init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        #if os(Linux)
            birthTime = tripstore_birth_time(path)
        #else
            birthTime = Int64(status.st_birthtimespec.tv_sec) * 1_000_000_000 + Int64(status.st_birthtimespec.tv_nsec)
        #endif
    }
}
