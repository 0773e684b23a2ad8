import Foundation

/// Writes a file atomically: it is written beside its destination, synced, and then moved there.
///
/// `@unchecked Sendable`: it is used on one thread at a time.
package final class OutputFile: @unchecked Sendable {
    private let destination: OutputDestination
    private let temporary: String
    private let descriptor: Int32
    /// Bytes written so far.
    package private(set) var size = 0

    /// Begins a file that this user alone can read if `isPrivate`, and otherwise with the permissions of the process's mask. One that replaces
    /// another gets no permissions that this did not have. Throws `OutputError`.
    package init(at destination: OutputDestination, isPrivate: Bool) throws(OutputError) {
        let permissions = (isPrivate ? 0o600 : 0o666) & (destination.presentPermissions.map { $0 | 0o600 } ?? 0o666)
        self.destination = destination
        temporary = "\(destination.folder)/.tripstore-\(UUID().uuidString.prefix(8)).part"
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(permissions))
        guard descriptor >= 0 else { throw .system(errno, "created", destination.path) }
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
    package func discard() { unlink(temporary) }

    /// A link is made only where no file is, so a file that has appeared meanwhile is not lost.
    private func moveToFreeDestination() throws(OutputError) {
        if link(temporary, destination.target) == 0 {
            unlink(temporary)
            return
        }
        switch errno {
        case EEXIST: throw changed
        // Some file systems, such as those of memory sticks, have no links.
        case EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EINVAL: try replace()
        case let number: throw .system(number, "put in its place", destination.path)
        }
    }

    private func replace() throws(OutputError) {
        guard destination.isUnchanged() else { throw changed }
        guard rename(temporary, destination.target) == 0 else {
            throw .system(errno, "put in its place", destination.path)
        }
    }

    private var changed: OutputError {
        OutputError(
            .occupied, "\(destination.path) became another file while it was being written. Look at what is there.")
    }
}
