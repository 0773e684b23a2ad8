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

    /// Takes all free space but some bytes, for the file `ballast`.
    public func fill(leaving room: UInt64 = 0) throws {
        _ = FileManager.default.createFile(atPath: path + "/ballast", contents: nil)
        guard let ballast = FileHandle(forWritingAtPath: path + "/ballast") else { throw NotPermitted() }
        try ballast.seekToEnd()
        while (try? ballast.write(contentsOf: Data(count: 4096))) != nil {}
        let size = try ballast.offset()
        try ballast.truncate(atOffset: size > room ? size - room : 0)
        try ballast.close()
    }

    public func enlarge(toKibibytes size: Int) throws {
        guard Program.succeeds("mount", "-o", "remount,size=\(size)k", path) else { throw NotPermitted() }
    }

    public func makeReadOnly() throws {
        guard Program.succeeds("mount", "-o", "remount,ro", path) else { throw NotPermitted() }
    }
}
