internal import CLMDB
import Foundation

/// What LMDB leaves to the caller: folders, their durability, and where they may lie.
public enum Folder {
    /// Creates the folder and those above it, readable by this user alone, and syncs each new entry's parent.
    public static func create(_ path: String) throws(LMDBError) {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
            guard isFolder.boolValue else {
                throw LMDBError(.notPermitted, "\(path) is a file, not a folder. Choose another path.")
            }
            return
        }
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if parent != path { try create(parent) }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw LMDBError(errno, "create the folder", path: path)
        }
        try sync(parent)
    }

    /// Makes the entries of a folder durable. Waits.
    public static func sync(_ path: String) throws(LMDBError) {
        let descriptor = Foundation.open(path, O_RDONLY)
        guard descriptor >= 0 else { throw LMDBError(errno, "open", path: path) }
        defer { close(descriptor) }
        // Some file systems cannot sync a folder and say EINVAL; there is nothing to wait for there.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw LMDBError(errno, "sync", path: path) }
    }

    /// Refuses file systems on which memory maps and locks are not shared with other machines.
    static func refuseNetworkFileSystem(_ path: String) throws(LMDBError) {
        guard let name = networkFileSystemName(path) else { return }
        throw LMDBError(
            .networkFileSystem,
            "\(path) lies on a network file system (\(name)), where LMDB cannot keep data safe. Use a local disk.")
    }

    private static func networkFileSystemName(_ path: String) -> String? {
        var status = statfs()
        guard statfs(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            if status.f_flags & UInt32(MNT_LOCAL) != 0 { return nil }
            return withUnsafeBytes(of: &status.f_fstypename) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
        #else
            // Magic numbers from statfs(2).
            let names: [UInt32: String] = [
                0x6969: "NFS", 0x517B: "SMB", 0xFF53_4D42: "CIFS", 0xFE53_4D42: "SMB2", 0x0102_1997: "9P",
                0x00C3_6400: "Ceph", 0x5346_414F: "AFS", 0x7375_7245: "Coda", 0x564C: "NCP",
            ]
            return names[UInt32(truncatingIfNeeded: status.f_type)]
        #endif
    }
}
