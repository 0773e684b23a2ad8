import Foundation
import Synchronization

/// A `flock` that is held for long. A process that is about to be suspended lets go of all in a folder, and takes them again later.
package final class FileLock: Sendable {
    private struct Held {
        let path: String
        let kind: Int32
        var isHeld = true

        func lies(under folder: String) -> Bool { path.hasPrefix(folder + "/") }
    }

    /// By descriptor.
    private static let all = Mutex<[Int32: Held]>([:])

    private let descriptor: Int32

    /// Takes over the descriptor of a file that it has locked, or is about to lock, as `kind` says: `LOCK_EX` or `LOCK_SH`.
    package init(_ descriptor: Int32, at path: String, _ kind: Int32) {
        self.descriptor = descriptor
        Self.all.withLock { $0[descriptor] = Held(path: path, kind: kind) }
    }

    /// Takes the lock on a file, which is created if it is missing; nil if another process, or another object, has it. Throws `StorageError`.
    package convenience init?(creating path: String, _ kind: Int32) throws(StorageError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(errno, "open", path: path) }
        self.init(descriptor, at: path, kind)
        if !lock(kind | LOCK_NB) { return nil }
    }

    deinit {
        Self.all.withLock { $0[descriptor] = nil }
        close(descriptor)
    }

    /// Whether it is held: not while the process is suspended, nor if another process has taken it then, or removed the file.
    package var isHeld: Bool { Self.all.withLock { $0[descriptor]?.isHeld ?? false } }

    /// Locks as `operation` says, which may be another kind for a moment; with `LOCK_NB` returns false if another process has it locked.
    @discardableResult
    package func lock(_ operation: Int32) -> Bool { Self.lock(descriptor, operation) }

    /// Locks an open file; with `LOCK_NB` returns false if another process has it locked.
    @discardableResult
    package static func lock(_ descriptor: Int32, _ operation: Int32) -> Bool {
        while flock(descriptor, operation) != 0 { if errno != EINTR { return false } }
        return true
    }

    /// Lets go of the locks of all files in a folder or below it.
    package static func suspend(under folder: String) {
        all.withLock { locks in
            for (descriptor, held) in locks where held.isHeld && held.lies(under: folder) {
                flock(descriptor, LOCK_UN)
                locks[descriptor]?.isHeld = false
            }
        }
    }

    /// Takes them again, but those that another process has by now, and those of files that are no longer there.
    package static func resume(under folder: String) {
        all.withLock { locks in
            for (descriptor, held) in locks where !held.isHeld && held.lies(under: folder) {
                guard lock(descriptor, held.kind | LOCK_NB) else { continue }
                locks[descriptor]?.isHeld = FileIdentity.isOpenFile(descriptor, at: held.path)
            }
        }
    }
}
