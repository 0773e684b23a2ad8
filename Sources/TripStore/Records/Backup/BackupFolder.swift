import Foundation
import LMDB
import Platform

/// An unfinished backup: a folder beside the target with the backup in it, which is renamed to the target when it is
/// complete.
///
/// It is locked while a process writes a backup in it. An interrupted one is not locked, and the next backup of that
/// target continues in it. Only files under the names that a backup uses are ever removed, and only if the mark is
/// there.
final class BackupFolder: Sendable {
    /// The target of the backup.
    let target: String
    /// The folder in which it is made. It is no store: opening it throws.
    let path: String
    private let descriptor: Int32

    /// The suffix to the target's name while a backup is being made.
    static let suffix = ".unfinished-backup"
    /// The file that marks the folder of a backup, and of nothing else.
    static let mark = "made-by-tripstore-backup"

    /// Begins a backup, and removes an interrupted one of the same target. Blocks.
    ///
    /// Throws `TripStoreError.Code.backupRefused`, and `StorageError` for what the medium refuses.
    init(for target: URL, of store: URL) throws {
        self.target = Folder.resolved(target.path)
        path = self.target + Self.suffix
        let store = Folder.resolved(store.path)
        try Self.check(self.target, isOutside: store)
        try Self.check(path, isApartFrom: store)
        let parent = (self.target as NSString).deletingLastPathComponent
        try Folder.create(parent)
        // The copy is opened for verification, which no network file system allows.
        try Folder.refuseNetworkFileSystem(parent)
        // From here on `deinit` closes the descriptor, even if this throws.
        descriptor = try Self.locked(path)
        try clear()
        do {
            try NewFile.write([], to: markPath)
            try Folder.create(layout.log)
        } catch {
            discard()
            throw error
        }
    }

    deinit { close(descriptor) }

    var layout: StoreLayout { StoreLayout(URL(fileURLWithPath: backup)) }

    /// The backup itself; the target's name is not part of it yet.
    private var backup: String { path + "/backup" }
    private var markPath: String { "\(path)/\(Self.mark)" }

    private static func isSame(_ path: String, orIn folder: String) -> Bool {
        path == folder || path.hasPrefix(folder == "/" ? folder : folder + "/")
    }

    private static func check(_ target: String, isOutside store: String) throws {
        guard !isSame(target, orIn: store) else {
            throw TripStoreError(
                .backupRefused,
                "\(target) lies in the store \(store) itself. Choose a folder elsewhere, best on another disk.")
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: target, isDirectory: &isFolder) else { return }
        let names = isFolder.boolValue ? try? FileManager.default.contentsOfDirectory(atPath: target) : nil
        guard names?.isEmpty == true else {
            throw TripStoreError(
                .backupRefused,
                "\(target) is there already and no empty folder. Choose a new folder for each backup; nothing was changed."
            )
        }
    }

    private static func check(_ path: String, isApartFrom store: String) throws {
        guard !isSame(path, orIn: store), !isSame(store, orIn: path) else {
            throw TripStoreError(
                .backupRefused,
                "The backup would be made in \(path), and the store \(store) is there. Choose another folder; nothing was changed."
            )
        }
    }

    /// Returns the locked descriptor of the folder, which is created if it is missing.
    private static func locked(_ path: String) throws -> Int32 {
        while true {
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw NewFile.failure("create the folder", path) }
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            if descriptor < 0 && errno == ENOENT { continue }
            if descriptor < 0 && (errno == ENOTDIR || errno == ELOOP) {
                throw refusal(of: path, "is there already, and is a file or a link")
            }
            guard descriptor >= 0 else { throw NewFile.failure("open", path) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                throw TripStoreError(
                    .backupRefused, "Another backup is being made in \(path). Wait for it, or choose another folder.")
            }
            if FileIdentity.isOpenFile(descriptor, at: path) { return descriptor }
            // The process that had it locked has removed it since.
            close(descriptor)
        }
    }

    /// Removes the rest of an interrupted backup; throws if the folder may be something else, and leaves that
    /// unchanged.
    private func clear() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        // An empty one was interrupted before it had its mark.
        if names.isEmpty { return }
        guard names.contains(Self.mark) else {
            throw Self.refusal(of: path, "is there already, and was not left by a backup that was cut off")
        }
        guard FileManager.default.fileExists(atPath: backup) else { return }
        guard !FileManager.default.fileExists(atPath: layout.views), try !Environment.isOpen(at: layout.log) else {
            throw Self.refusal(of: path, "was left by a backup that was cut off, and has been used as a store since")
        }
        try FileManager.default.removeItem(atPath: backup)
    }

    private static func refusal(of path: String, _ words: String) -> TripStoreError {
        TripStoreError(
            .backupRefused,
            "\(path) \(words). Choose another folder for the backup, or remove what is there if it is not needed; nothing "
                + "was changed.")
    }

    /// Removes from the log's folder what opening it for verification left: opening the backup creates it again.
    func removeLocks() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: layout.log) where name != "data.mdb" {
            try FileManager.default.removeItem(atPath: "\(layout.log)/\(name)")
        }
    }

    /// Renames the backup to the target, durably: nothing of it is written any more.
    ///
    /// Throws `StorageError`; then no backup exists, unless the error says that it does.
    func finish(sync: (String) throws -> Void = { try Folder.sync($0) }) throws {
        try sync(layout.log)
        try sync(backup)
        // This replaces an empty folder, but nothing that was created there meanwhile.
        guard rename(backup, target) == 0 else { throw NewFile.failure("put the backup into the place of", target) }
        do {
            try sync((target as NSString).deletingLastPathComponent)
        } catch {
            // A copy that a power cut may remove is no backup.
            guard rename(target, backup) == 0 else {
                throw TripStoreError(
                    .backupUnsound,
                    "The backup \(target) was verified, but its name may not outlast a power cut: \(error.systemText) Make another one."
                )
            }
            throw error
        }
        discard()
    }

    /// Removes the files of an unfinished backup, and the folder if nothing else is in it.
    func discard() {
        try? FileManager.default.removeItem(atPath: backup)
        unlink(markPath)
        rmdir(path)
    }
}
