internal import CPlatform

/// Which file a path leads to: its device and inode.
public struct FileIdentity: Hashable, Sendable {
    public let device: UInt64
    public let inode: UInt64

    /// Nil if there is no such file.
    public init?(path: String) {
        let status = tripstore_status_at(path)
        guard status.error == 0 else { return nil }
        device = status.device
        inode = status.inode
    }

    /// Whether a path leads to an open file.
    package static func isOpenFile(_ descriptor: Int32, at path: String) -> Bool {
        tripstore_lies_at(descriptor, path) != 0
    }
}
