import Foundation
internal import LMDBLibrary
public import Platform

extension Environment {
    /// Copies the environment in a folder, with its write-ahead file, into another folder, which is created: to recover
    /// and read the copy where that cannot be done in place. No process may have it open. O(size of the file).
    ///
    /// Throws `StorageError`: `.alreadyOpen` if a program has it open, or that cannot be determined, `.notPermitted`, `.missing`,
    /// `.diskFull` and others of either medium.
    public static func copyClosed(from source: String, to target: String) throws(StorageError) {
        let isCopied = try EnvironmentRegistry.shared.whileClosed(at: source) { () throws(StorageError) -> Bool in
            try copyExcludingOthers(source, target, OpeningLock(source))
        }
        if isCopied != true { throw isOpen(source) }
    }

    /// Copies if no other process has the environment open; the lock prevents opening meanwhile.
    private static func copyExcludingOthers(
        _ source: String, _ target: String, _ opening: borrowing OpeningLock
    ) throws(StorageError) -> Bool {
        guard try isFree(source) else { return false }
        try Folder.create(target)
        try Folder.copyFile(source + "/data.mdb", to: target + "/data.mdb")
        if let ahead = try WriteAheadFile(in: source, creating: false) {
            try Folder.copyFile(ahead.path, to: target + "/" + WriteAheadFile.name)
        }
        return true
    }

    private static func isFree(_ folder: String) throws(StorageError) -> Bool {
        let (isLocked, present) = try LockFile.agreedUse(of: folder) { !LockFile.isFree(in: folder) }
        return !isLocked && present.isEmpty
    }

    private static func isOpen(_ folder: String) -> StorageError {
        StorageError(
            .alreadyOpen,
            "\(folder) can neither be brought to its last commit here nor be copied, for a program has it open. Close that, or "
                + "see that this one may write there, and that there is room; then try again.")
    }
}
