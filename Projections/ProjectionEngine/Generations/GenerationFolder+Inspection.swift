import Foundation
import LMDB
import LMDBFormat
import Platform

extension GenerationFolder {
    /// The result of inspecting the folder of a generation, before LMDB reads anything of it.
    enum Inspection {
        /// The structure of the views is intact; the caller uses the folder.
        case whole(GenerationFolder)
        /// Why they must not be opened, in words.
        case refused(String)
    }

    /// Joins the users of the views in a folder if they are intact.
    ///
    /// LMDB trusts every number in its file, and a wrong one ends the process. So unless the last user closed the views
    /// and nothing was changed since, or another process has them open, everything is checked by plain reads: O(size).
    /// Waits meanwhile for other processes that inspect the same folder.
    ///
    /// Throws `StorageError.notPermitted` where the files may not be read.
    static func inspect(_ path: String) throws -> Inspection {
        // A process that finds the views in use can then rely on their user's check.
        guard let turn = takeTurn(path) else { return .refused("their folder cannot be opened") }
        defer { close(turn) }
        let descriptor = Foundation.open(path + "/in-use", O_RDONLY | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT { return .refused("the file 'in-use' is missing") }
        let folder = GenerationFolder(path: path, lockDescriptor: descriptor)
        let isAlone = descriptor < 0 || FileLock.lock(descriptor, LOCK_EX | LOCK_NB)
        if let objection = try isAlone ? folder.objection() : folder.objectionInUse() { return .refused(objection) }
        if descriptor >= 0 {
            // Waits while another process removes or closes it.
            FileLock.lock(descriptor, LOCK_SH)
            guard FileIdentity.isOpenFile(descriptor, at: path + "/in-use") else {
                return .refused("they were removed")
            }
        }
        return .whole(folder)
    }

    /// The folder of views that another process has open; nil if none has. The caller joins their users.
    static func joining(_ path: String) -> GenerationFolder? {
        guard let turn = takeTurn(path) else { return nil }
        defer { close(turn) }
        let descriptor = Foundation.open(path + "/in-use", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let folder = GenerationFolder(path: path, lockDescriptor: descriptor)
        guard !FileLock.lock(descriptor, LOCK_EX | LOCK_NB), FileLock.lock(descriptor, LOCK_SH) else { return nil }
        return FileIdentity.isOpenFile(descriptor, at: path + "/in-use") ? folder : nil
    }

    /// Why views that another process has open must not be used: that process has checked them.
    private func objectionInUse() -> String? {
        guard let mark else { return Self.unreadableMark }
        // Not the mount: another namespace has another, and an open file system was not unmounted.
        guard mark.isClean || mark.boot == BootIdentity.current else { return mark.objection(at: path) }
        return nil
    }

    private static let unreadableMark = "the file 'boot', which tells whether they were closed, cannot be read"

    /// Why views that no process has open must not be used; nil if they are intact.
    private func objection() throws -> String? {
        guard let stamp = FileVersion(path: dataPath) else { return "the file 'data.mdb' is missing" }
        guard let mark else { return Self.unreadableMark }
        if let objection = mark.objection(at: path) { return objection }
        if mark.stamp == stamp { return nil }
        guard stamp.size > 0 else { return "the file 'data.mdb' is empty" }
        if let fault = try structureFault() { return fault }
        // A copy has another inode. The same file was written to by a program that does not know the mark.
        if mark.isClean, mark.stamp?.inode == stamp.inode {
            return "the file 'data.mdb' was changed after they were closed"
        }
        // So that other processes need not check it again. If this cannot be written, they check.
        try? markChecked(stamp)
        return nil
    }

    private func structureFault() throws(StorageError) -> String? {
        let faults: [StructureFault]
        do {
            faults = try Environment.checkStructure(at: path).filter(\.isDangerous)
        } catch {
            guard error.code != .notPermitted else { throw error }
            return error.message
        }
        guard let first = faults.first else { return nil }
        return faults.count == 1 ? first.description : "\(first.description) (and \(faults.count - 1) more)"
    }
}
