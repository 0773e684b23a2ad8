import Foundation

/// A file system in memory, mounted for one test: one that is small, or becomes read-only. Needs the right to mount.
final class MemoryFileSystem {
    let path: String
    /// Kept until the file system is gone: what is mounted in a folder keeps it from being deleted.
    private let sandbox: Sandbox

    /// Whether this process may mount.
    static let isAvailable = (try? Sandbox()).flatMap { try? MemoryFileSystem(in: $0, kibibytes: 64) } != nil

    struct NotPermitted: Error {}

    init(in sandbox: Sandbox, kibibytes: Int) throws {
        self.sandbox = sandbox
        path = sandbox.path("mount")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let mounted = runProgram("/usr/bin/env", ["mount", "-t", "tmpfs", "-o", "size=\(kibibytes)k", "tmpfs", path])
        guard mounted?.code == 0 else { throw NotPermitted() }
    }

    deinit { _ = runProgram("/usr/bin/env", ["umount", "-l", path]) }

    func makeReadOnly() throws {
        guard runProgram("/usr/bin/env", ["mount", "-o", "remount,ro", path])?.code == 0 else { throw NotPermitted() }
    }
}
