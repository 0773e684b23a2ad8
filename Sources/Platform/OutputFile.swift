internal import CPlatform
import Foundation

/// Writes a file atomically: it is written in the folder of its destination, synced, and then put there.
///
/// Until then it has no name where the system has such files, so that a killed process leaves nothing. Elsewhere it has one of its own, and
/// is locked as long as it is written: what is not, a killed process has left, and the next file in the folder removes it.
///
/// `@unchecked Sendable`: it is used on one thread at a time.
package final class OutputFile: @unchecked Sendable {
    private static let prefix = ".tripstore-"
    private static let suffix = ".part"

    private let destination: OutputDestination
    private let temporary: String
    private let descriptor: Int32
    /// Whether the file is at `temporary`.
    private var isNamed: Bool
    /// Bytes written so far.
    package private(set) var size = 0

    /// Begins a file that this user alone can read if `isPrivate`, and otherwise with the permissions of the process's mask. One that replaces
    /// another gets no permissions that this did not have. `isNamed` says that it has a name at once. Throws `OutputError`.
    package init(at destination: OutputDestination, isPrivate: Bool, isNamed: Bool = false) throws(OutputError) {
        let permissions = mode_t(
            (isPrivate ? 0o600 : 0o666) & (destination.presentPermissions.map { $0 | 0o600 } ?? 0o666))
        self.destination = destination
        Self.removeLeft(in: destination.folder)
        (temporary, descriptor, self.isNamed) = try Self.begun(destination, permissions, isNamed)
    }

    /// Opens and locks it. `path` is where it is, or will be for a moment.
    private static func begun(
        _ destination: OutputDestination, _ permissions: mode_t, _ isNamed: Bool
    ) throws(OutputError) -> (path: String, descriptor: Int32, isNamed: Bool) {
        while true {
            let path = "\(destination.folder)/\(prefix)\(UUID().uuidString.prefix(8))\(suffix)"
            if !isNamed, let unnamed = System.openUnnamed(in: destination.folder, permissions) {
                flock(unnamed, LOCK_EX | LOCK_NB)
                return (path, unnamed, false)
            }
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
            guard descriptor >= 0 else { throw .system(errno, "created", destination.path) }
            let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
            if isLocked, FileIdentity.isOpenFile(descriptor, at: path) { return (path, descriptor, true) }
            // Another process has taken it for a left one before it was locked.
            close(descriptor)
        }
    }

    /// Removes this user's files that killed processes left in a folder.
    private static func removeLeft(in folder: String) {
        for name in (try? Folder.names(in: folder)) ?? [] where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
            let path = "\(folder)/\(name)"
            // Others may write to the folder: links are not followed, and pipes not waited for.
            let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
                flock(descriptor, LOCK_EX | LOCK_NB) == 0, FileIdentity.isOpenFile(descriptor, at: path)
            else { continue }
            unlink(path)
        }
    }

    deinit { close(descriptor) }

    package func write(_ bytes: [UInt8]) throws(OutputError) {
        do {
            try FileSystem.write(bytes, at: size, to: descriptor, temporary)
        } catch {
            throw .system(error.number, "written", destination.path)
        }
        size += bytes.count
    }

    /// Makes the file durable and moves it to its destination, unless another file has appeared there.
    package func finish() throws(OutputError) {
        let number = Medium.sync(descriptor)
        guard number == 0 else { throw .system(number, "written", destination.path) }
        if destination.present == nil { try moveToFreeDestination() } else { try replace() }
        do {
            try Folder.sync(destination.folder)
        } catch {
            throw .system(error.number, "written", destination.path)
        }
    }

    /// Removes the temporary file.
    package func discard() { if isNamed { unlink(temporary) } }

    /// A link is made only where no file is, so a file that has appeared meanwhile is not lost.
    private func moveToFreeDestination() throws(OutputError) {
        switch isNamed
            ? link(temporary, destination.target) == 0 ? 0 : errno : System.name(descriptor, destination.target)
        {
        case 0: discard()
        case EEXIST: throw changed
        // Some file systems, such as those of memory sticks, have no links.
        case EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EINVAL: try replace()
        case let number: throw .system(number, "put in its place", destination.path)
        }
    }

    private func replace() throws(OutputError) {
        guard destination.isUnchanged() else { throw changed }
        if !isNamed {
            let number = System.name(descriptor, temporary)
            guard number == 0 else { throw .system(number, "put in its place", destination.path) }
            isNamed = true
        }
        guard rename(temporary, destination.target) == 0 else {
            throw .system(errno, "put in its place", destination.path)
        }
        isNamed = false
    }

    private var changed: OutputError {
        OutputError(
            .occupied, "\(destination.path) became another file while it was being written. Look at what is there.")
    }
}
