internal import CPlatform

/// What tells a file from a copy of it: its inode, and when it was made.
///
/// Both stay when a file is moved within its file system, and neither is taken along by a copy. The device's number is
/// left out, for it may differ after each start of the machine.
public struct FileOrigin: Hashable, Sendable {
    public let inode: UInt64
    /// Nanoseconds since 1970; 0 where the file system does not say.
    public let birthTime: Int64

    public init(inode: UInt64, birthTime: Int64) {
        self.inode = inode
        self.birthTime = birthTime
    }

    /// Nil if there is no such file.
    public init?(path: String) {
        let status = tripstore_status_at(path)
        guard status.error == 0 else { return nil }
        inode = status.inode
        birthTime = tripstore_birth_time(path)
    }
}
