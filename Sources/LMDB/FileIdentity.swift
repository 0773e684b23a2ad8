internal import CLMDB
import Dispatch
import Foundation

/// Which file a path leads to: its device and inode.
public struct FileIdentity: Hashable, Sendable {
    public let device: UInt64
    public let inode: UInt64

    /// Nil if there is no such file.
    public init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// Whether it is an open file that lies at a path.
    package static func isOpenFile(_ descriptor: Int32, at path: String) -> Bool {
        tripstore_lies_at(descriptor, path) != 0
    }
}
