internal import CPlatform

/// Distinguishes a file from a copy of it: its inode, and its creation time.
///
/// Both stay when a file is moved within its file system, and a copy has others. The device number is left out, because
/// it may differ after each start of the machine.
public struct FileOrigin: Hashable, Sendable {
    public let inode: UInt64
    /// Nanoseconds since 1970; 0 where the file system does not record it.
    public let birthTime: Int64

    public init(inode: UInt64, birthTime: Int64) {
        self.inode = inode
        self.birthTime = birthTime
    }

    /// Nil if there is no such file, or its inode does not outlast the mount (FAT, exFAT).
    public init?(path: String) {
        let status = tripstore_status_at(path)
        guard status.error == 0, FileSystem.keepsInodes(at: path) else { return nil }
        inode = status.inode
        birthTime = tripstore_birth_time(path)
    }
}
