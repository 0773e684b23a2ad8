import Foundation

/// A file system in memory, mounted for one test: one that is small, or becomes read-only. Needs the right to mount.
public final class MemoryFileSystem {
    public let path: String

    /// Whether this process may mount.
    public static let isAvailable = (try? MemoryFileSystem(kibibytes: 64)) != nil

    struct NotPermitted: Error {}

    public init(kibibytes: Int) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mount-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
        guard Program.succeeds("mount", "-t", "tmpfs", "-o", "size=\(kibibytes)k", "tmpfs", path) else {
            try? FileManager.default.removeItem(atPath: path)
            throw NotPermitted()
        }
    }

    deinit {
        if Program.succeeds("umount", "-l", path) { try? FileManager.default.removeItem(atPath: path) }
    }

    public func makeReadOnly() throws {
        guard Program.succeeds("mount", "-o", "remount,ro", path) else { throw NotPermitted() }
    }
}
