internal import CLMDB
import Foundation

extension Environment {
    /// Copies the environment in a folder, with what was written ahead, into another folder, which is created: to be brought
    /// to its last commit and read there, where that cannot be done in place. Nobody has it open, and nobody opens it
    /// meanwhile. O(size of the file).
    ///
    /// Throws `LMDBError`: `.alreadyOpen` if a program has it open, `.notPermitted` if that cannot be found out, `.missing`,
    /// `.diskFull` and others of either medium.
    public static func copyClosed(from source: String, to target: String) throws(LMDBError) {
        let isCopied = try EnvironmentRegistry.shared.whileClosed(at: source) { () throws(LMDBError) -> Bool in
            try copyExcludingOthers(source, target, OpeningLock(source))
        }
        if isCopied != true { throw isOpen(source) }
    }

    /// Copies if no other process has the environment open; nobody opens it while we have its lock.
    private static func copyExcludingOthers(
        _ source: String, _ target: String, _ opening: borrowing OpeningLock
    ) throws(LMDBError) -> Bool {
        guard Medium.isMountedReadOnly(source) || access(source, W_OK) == 0 else { throw unlockable(source) }
        guard LockFile.isFree(in: source), ProcessPresence.others(in: source).isEmpty else { return false }
        try Folder.create(target)
        try copyFile(source + "/data.mdb", to: target + "/data.mdb")
        if let ahead = try WriteAheadFile(in: source, creating: false) {
            try copyFile(ahead.path, to: target + "/" + WriteAheadFile.name)
        }
        return true
    }

    private static func isOpen(_ folder: String) -> LMDBError {
        LMDBError(
            .alreadyOpen,
            "\(folder) can neither be brought to its last commit here nor be copied, for a program has it open. Close that, or "
                + "see that this one may write there, and that there is room; then try again.")
    }

    private static func unlockable(_ folder: String) -> LMDBError {
        LMDBError(
            .notPermitted,
            "This user may not write to \(folder), not even to LMDB's lock file, without which nobody may read beside a program "
                + "that writes. Give the user access to the folder, or read a copy of it that was made while no program had it "
                + "open.")
    }

    private static func copyFile(_ source: String, to target: String) throws(LMDBError) {
        let file = try DataFile(path: source)
        let descriptor = Foundation.open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw LMDBError(errno, "create", path: target) }
        defer { close(descriptor) }
        var offset = 0
        while true {
            let part = try file.bytes(1 << 20, at: offset)
            if part.isEmpty { return }
            var done = 0
            while done < part.count {
                let count = part.withUnsafeBytes { bytes in
                    Foundation.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
                }
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { throw LMDBError(count < 0 ? errno : ENOSPC, "copy to", path: target) }
                done += count
            }
            offset += part.count
        }
    }
}
