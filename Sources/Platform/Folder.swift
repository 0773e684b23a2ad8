import Dispatch
import Foundation

/// The handling of folders that LMDB leaves to the caller: creation, durability, and the file systems they may lie on.
public enum Folder {
    /// Creates the folder and those above it, readable by this user alone, and syncs each new entry's parent.
    ///
    /// Throws `StorageError`: `.notPermitted` also if a file is in the way. Two callers at once do no harm.
    public static func create(_ path: String) throws(StorageError) {
        guard !path.isEmpty else { throw StorageError(ENOENT, "create the folder", path: "''") }
        // Part by part and not from the end upwards, so that `..` and links mean what they mean to the system.
        var parent = path.hasPrefix("/") ? "/" : "."
        for part in path.split(separator: "/") {
            let folder = parent == "." ? String(part) : parent == "/" ? "/\(part)" : "\(parent)/\(part)"
            try createOne(folder, in: parent)
            parent = folder
        }
    }

    private static func createOne(_ folder: String, in parent: String) throws(StorageError) {
        if isFolder(folder) { return }
        if mkdir(folder, 0o700) == 0 { return try sync(parent) }
        let number = errno
        // Another process may have created it first.
        if isFolder(folder) { return }
        guard number != EEXIST else {
            throw StorageError(
                .notPermitted,
                "\(folder) is a file or a link that leads nowhere, not a folder. Choose another path.")
        }
        throw StorageError(number, "create the folder", path: folder)
    }

    /// Whether there is something at a path.
    ///
    /// Throws `StorageError`, `.notPermitted` if this user may not look there.
    package static func holds(_ path: String) throws(StorageError) -> Bool {
        if access(path, F_OK) == 0 { return true }
        let number = errno
        if number == ENOENT || number == ENOTDIR { return false }
        throw StorageError(number, "look into", path: (path as NSString).deletingLastPathComponent)
    }

    /// The names in a folder, in no order; none if it is not there.
    ///
    /// Throws `StorageError`, `.notPermitted` if this user may not read it.
    package static func names(in path: String) throws(StorageError) -> [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: path) } catch {
            let descriptor = Foundation.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            let number = descriptor < 0 ? errno : EIO
            if descriptor >= 0 { close(descriptor) }
            if number == ENOENT || number == ENOTDIR { return [] }
            throw StorageError(number, "read", path: path)
        }
    }

    /// A path whose links are followed as far as it exists.
    package static func resolved(_ path: String) -> String {
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

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// Makes the entries of a folder durable. Blocks.
    public static func sync(_ path: String) throws(StorageError) {
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(errno, "open", path: path) }
        defer { close(descriptor) }
        // Some file systems cannot sync a folder and return EINVAL; there is nothing to wait for there.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw StorageError(errno, "sync", path: path) }
    }

    /// Makes the entries of a folder durable, and the folder's own in those above it: a process that created the folder
    /// may have been killed before it could sync that. Blocks; call it before storing anything for the first time.
    ///
    /// Throws `StorageError` if the folder cannot be synced. The folders above are synced as far as this user may open
    /// them.
    public static func syncWithAncestors(_ path: String) throws(StorageError) {
        try sync(path)
        var folder = path
        while let parent = parent(of: folder) {
            let descriptor = Foundation.open(parent, O_RDONLY | O_CLOEXEC)
            // A user that may not open a folder has not created anything there.
            guard descriptor >= 0 else { return }
            defer { close(descriptor) }
            guard fsync(descriptor) == 0 || errno == EINVAL else { throw StorageError(errno, "sync", path: parent) }
            folder = parent
        }
    }

    private static func parent(of folder: String) -> String? {
        let parts = folder.split(separator: "/")
        guard let last = parts.last else { return nil }
        // Only the system knows what a trailing `..` means.
        guard last != ".." else { return nil }
        let above = parts.dropLast().joined(separator: "/")
        return folder.hasPrefix("/") ? "/" + above : above.isEmpty ? (folder == "." ? nil : ".") : above
    }

    /// Whether the medium has almost no room left for this user.
    package static func isFull(_ path: String) -> Bool { room(path) < 64 << 10 }

    /// Bytes that the medium has left for this user; `UInt64.max` if it does not say.
    package static func room(_ path: String) -> UInt64 {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return .max }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }
}
