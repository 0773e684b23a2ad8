internal import CPlatform
import Foundation

/// Shows, as long as an environment is open, that this process has it open: by a file of its own in the environment's
/// folder, on which it holds a `flock`.
///
/// LMDB does so by `fcntl` locks on `lock.mdb`. A process loses those as soon as it closes any descriptor of that file:
/// a program that copies the folder of its own open store does. A `flock` belongs to the descriptor that took it.
///
/// Created while the process holds the `OpeningLock`, so that no other process takes the file for a left-over one.
package final class ProcessPresence {
    private static let prefix = "open-"

    private let path: String
    private let descriptor: Int32
    private let forkCount = ForkDetector.forkCount

    /// Throws `StorageError`.
    package init(in folder: String) throws(StorageError) {
        let name = "\(Self.prefix)\(getpid())-\(String(UInt64.random(in: .min ... .max), radix: 16))"
        path = folder + "/" + name
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(errno, "note the use of", path: folder) }
        // For all users of the environment, whichever user made the file.
        _ = tripstore_share_like(descriptor, folder + "/data.mdb")
        // Another process may just be testing whether it is locked.
        while flock(descriptor, LOCK_EX) != 0 {
            let number = errno
            if number == EINTR { continue }
            unlink(path)
            throw StorageError(number, "lock", path: path)
        }
    }

    /// In the child of a fork the file stays: it belongs to the parent.
    deinit {
        guard descriptor >= 0 else { return }
        if forkCount == ForkDetector.forkCount { unlink(path) }
        close(descriptor)
    }

    /// The numbers of the other processes that have the environment in a folder open. With `sweeping`, for holders of
    /// the `OpeningLock`, removes files of processes that ended without closing.
    ///
    /// O(processes). Throws `StorageError` if the folder cannot be listed.
    package static func others(
        in folder: String, than own: ProcessPresence? = nil, sweeping: Bool = false
    ) throws(StorageError) -> Set<Int32> {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            throw StorageError(
                .other,
                "It cannot be seen who has \(folder) open: \(error.systemText). Check that this user may list it, and that the process does "
                    + "not have too many files open.")
        }
        var alive: Set<Int32> = []
        for name in names {
            guard let process = process(name) else { continue }
            let path = folder + "/" + name
            if path == own?.path { continue }
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            // Removed since, or not accessible: a process that cannot be checked counts as present.
            guard descriptor >= 0 else {
                if errno != ENOENT { alive.insert(process) }
                continue
            }
            defer { close(descriptor) }
            if flock(descriptor, LOCK_SH | LOCK_NB) != 0 {
                alive.insert(process)
            } else if sweeping {
                unlink(path)
            }
        }
        return alive
    }

    private static func process(_ name: String) -> pid_t? {
        guard name.hasPrefix(prefix) else { return nil }
        return name.dropFirst(prefix.count).split(separator: "-").first.flatMap { pid_t($0) }
    }
}
