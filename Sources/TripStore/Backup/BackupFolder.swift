import EventLog
import Foundation
import LMDB
import Platform

/// A backup in the making: a folder beside the target, which takes the target's place once it is whole.
///
/// It is locked as long as somebody makes a backup in it. One that was cut off is not, and the next backup of that target
/// removes it.
final class BackupFolder: Sendable {
    /// Where the backup is to be.
    let target: String
    /// Where it is being made.
    let path: String
    private let descriptor: Int32

    /// What follows the target's name while a backup is being made.
    static let suffix = ".unfinished-backup"

    /// Begins a backup, and removes one of the same target that was cut off. Waits for the medium.
    ///
    /// Throws `TripStoreError.backupRefused`, and `StorageError` for what the medium refuses.
    init(for target: URL, of store: URL) throws {
        self.target = Self.resolved(target.path)
        path = self.target + Self.suffix
        try Self.check(self.target, isOutside: Self.resolved(store.path))
        let parent = (self.target as NSString).deletingLastPathComponent
        try Folder.create(parent)
        // The copy is opened to be verified, which no network file system allows.
        try Folder.refuseNetworkFileSystem(parent)
        descriptor = try Self.begin(path)
        do {
            try Folder.create(path + "/log")
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    var layout: StoreLayout { StoreLayout(URL(fileURLWithPath: path)) }

    /// A path whose links are followed as far as it exists.
    private static func resolved(_ path: String) -> String {
        var (front, rest) = (URL(fileURLWithPath: path).standardizedFileURL.path, "")
        while true {
            if let real = realpath(front, nil) {
                defer { free(real) }
                return String(cString: real) + rest
            }
            let name = (front as NSString).lastPathComponent
            if front == "/" || name.isEmpty { return path }
            rest = "/\(name)\(rest)"
            front = (front as NSString).deletingLastPathComponent
        }
    }

    private static func check(_ target: String, isOutside store: String) throws {
        guard target != store, !target.hasPrefix(store == "/" ? store : store + "/") else {
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

    /// Makes the folder and answers its locked descriptor.
    private static func begin(_ path: String) throws -> Int32 {
        while true {
            let former = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            if former >= 0 {
                defer { close(former) }
                try lock(former, path)
                try FileManager.default.removeItem(atPath: path)
            }
            guard mkdir(path, 0o700) == 0 else {
                if errno == EEXIST && former < 0 { continue }
                throw NewFile.failure("create the folder", path)
            }
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { throw NewFile.failure("open", path) }
            do { try lock(descriptor, path) } catch {
                close(descriptor)
                throw error
            }
            return descriptor
        }
    }

    private static func lock(_ descriptor: Int32, _ path: String) throws {
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
        throw TripStoreError(
            .backupRefused, "Another backup is being made in \(path). Wait for it, or choose another folder.")
    }

    /// Removes from the log's folder what opening it for verification left: whoever opens the backup makes it anew.
    func removeLocks() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: layout.log) where name != "data.mdb" {
            try FileManager.default.removeItem(atPath: "\(layout.log)/\(name)")
        }
    }

    /// Puts the backup into the place of the target, durably: nothing of it is written any more.
    func finish() throws {
        try Folder.sync(layout.log)
        try Folder.sync(path)
        // An empty folder gives way; anything that came to be there meanwhile does not.
        guard rename(path, target) == 0 else { throw NewFile.failure("put the backup into the place of", target) }
        try Folder.sync((target as NSString).deletingLastPathComponent)
    }

    /// Removes what there is of it.
    func discard() { try? FileManager.default.removeItem(atPath: path) }
}
