import Foundation

/// A temporary folder that is removed with the object.
///
/// A killed process leaves it, and the next process that makes such a folder removes it: each is locked as long as it is in use.
///
/// `@unchecked Sendable`: the descriptor is set in the initialiser and closed in `deinit`; nothing else changes.
package final class LockedFolder: @unchecked Sendable {
    /// The age in seconds from which an unlocked folder counts as left behind: making and locking one takes less.
    private static let seconds = 60.0

    package let path: String
    private let lock: Int32

    /// Makes a new one in a folder that is there, with a name that begins in a way of its own, and removes those that killed processes left
    /// there. `purpose` is for people, as in "The folder … for copies". Throws `StorageError`.
    package init(in parent: String, prefix: String, for purpose: String) throws {
        let parent = parent.hasSuffix("/") ? String(parent.dropLast()) : parent
        Self.removeLeft(in: parent, prefix)
        let path = "\(parent)/\(prefix)\(UUID().uuidString)"
        try Folder.create(path)
        let descriptor = open(Self.lockFile(of: path), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            if descriptor >= 0 { close(descriptor) }
            try? FileManager.default.removeItem(atPath: path)
            throw StorageError(
                number == ENOSPC ? .diskFull : .other,
                "The folder \(path) for \(purpose) could not be made: \(String(cString: strerror(number))). Check the "
                    + "folder for temporary files, and its room; the environment variable TMPDIR names another.",
                number: number)
        }
        self.path = path
        lock = descriptor
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
        close(lock)
    }

    private static func lockFile(of path: String) -> String { path + "/in-use" }

    /// Removes those in a folder that killed processes left.
    package static func removeLeft(in parent: String, _ prefix: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix(prefix) {
            let path = "\(parent)/\(name)"
            let date = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            guard let date, date.timeIntervalSinceNow < -seconds else { continue }
            let descriptor = open(lockFile(of: path), O_RDWR | O_CLOEXEC)
            // Locked by the process that uses it.
            guard descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                continue
            }
            try? FileManager.default.removeItem(atPath: path)
            if descriptor >= 0 { close(descriptor) }
        }
    }
}
