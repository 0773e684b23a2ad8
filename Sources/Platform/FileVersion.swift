internal import CPlatform

/// Shows whether a file was changed or replaced: its size, modification time and inode.
package struct FileVersion: Hashable, Sendable {
    package let size: Int64
    /// Nanoseconds since 1970.
    package let modified: Int64
    package let inode: UInt64

    package init(size: Int64, modified: Int64, inode: UInt64) {
        self.size = size
        self.modified = modified
        self.inode = inode
    }

    /// Nil if there is no such file.
    package init?(path: String) { self.init(tripstore_status_at(path)) }

    /// The version of an open file; nil if the system does not say, and `errno` why.
    package init?(descriptor: Int32) { self.init(tripstore_status_of(descriptor)) }

    private init?(_ status: tripstore_status) {
        guard status.error == 0 else { return nil }
        (size, modified, inode) = (status.size, status.modified, status.inode)
    }
}
