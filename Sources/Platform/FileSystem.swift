internal import CPlatform
import Foundation

/// Properties of the file systems that files lie on, and writing to them.
package enum FileSystem {
    package static func isTmpfs(at path: String) -> Bool { type(at: path) == 0x0102_1994 }

    /// The name under which `/sys/fs` has a folder for each mounted file system of the type; nil for other types.
    package static func nameInSysfs(at path: String) -> String? {
        switch type(at: path) {
        case 0xEF53: "ext4"
        case 0x5846_5342: "xfs"
        default: nil
        }
    }

    /// Whether files keep their inodes from one mount to the next: FAT and exFAT number them anew each time.
    static func keepsInodes(at path: String) -> Bool {
        let volume = System.volume(at: path)
        if let name = volume?.name { return name != "msdos" && name != "exfat" }
        return volume?.type.map(keepsInodes(ofType:)) ?? true
    }

    /// Whether files of a type of file system keep their inodes, by its magic number in statfs(2) on Linux.
    package static func keepsInodes(ofType type: UInt32) -> Bool { type != 0x4D44 && type != 0x2011_BAB0 }

    /// Writes all of some bytes at an offset of a file. Throws `StorageError`: `.diskFull`, `.inputOutput` among others.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, at offset: Int, to descriptor: Int32, _ path: String
    ) throws(StorageError) {
        var done = 0
        while done < bytes.count, let start = bytes.baseAddress {
            let count = pwrite(descriptor, start + done, bytes.count - done, off_t(offset + done))
            if count < 0 && errno == EINTR { continue }
            // A medium without room writes a part, and then nothing.
            guard count > 0 else { throw StorageError(count < 0 ? errno : ENOSPC, "write to", path: path) }
            done += count
        }
    }

    /// The same for an array.
    package static func write(
        _ bytes: [UInt8], at offset: Int, to descriptor: Int32, _ path: String
    ) throws(StorageError) {
        try bytes.withUnsafeBytes { bytes in
            Result { () throws(StorageError) in try write(bytes, at: offset, to: descriptor, path) }
        }.get()
    }

    /// Whether this user can make a file that has the owner of the one at a path.
    package static func mayOwn(_ path: String) -> Bool {
        var status = stat()
        return geteuid() == 0 || stat(path, &status) == 0 && status.st_uid == geteuid()
    }

    /// Gives an open file the owner, the group and the permissions of the file at a path; returns whether it has them now.
    package static func takeOver(_ descriptor: Int32, _ path: String) -> Bool {
        var (old, new) = (stat(), stat())
        guard tripstore_share_like(descriptor, path) != 0, stat(path, &old) == 0, fstat(descriptor, &new) == 0,
            new.st_uid == old.st_uid
        else { return false }
        return new.st_gid == old.st_gid || fchown(descriptor, uid_t.max, old.st_gid) == 0
    }

    /// The number of the file system's type; nil where the system has none.
    private static func type(at path: String) -> UInt32? { System.volume(at: path)?.type }
}
