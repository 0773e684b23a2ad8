internal import CPlatform
import Foundation

/// Read-only media. There LMDB reads without its lock file, which is right only if no process writes.
extension Medium {
    /// Whether this process sees the file system of a path as read-only.
    package static func isMountedReadOnly(_ path: String) -> Bool {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return false }
        return UInt(status.f_flag) & UInt(ST_RDONLY) != 0
    }

    /// Whether no process can write to the file system of a path, by any mount. False if unknown.
    package static func isWriteProtected(_ path: String) -> Bool {
        guard isMountedReadOnly(path) else { return false }
        #if canImport(Darwin)
            return true
        #else
            // One file system may be mounted at several paths, and be read-only at some of them.
            var (major, minor): (UInt32, UInt32) = (0, 0)
            guard tripstore_device(path, &major, &minor) != 0,
                let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
            else { return false }
            return isReadOnly(device: "\(major):\(minor)", in: mounts) ?? false
        #endif
    }

    /// Whether the file system on a device is read-only for all processes, by a text in the form of Linux's
    /// `mountinfo`; nil if the device is not listed.
    ///
    /// After the third word, the device's number, the mount's own options follow; those of the file system end the
    /// line.
    package static func isReadOnly(device: String, in mounts: String) -> Bool? {
        for line in mounts.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 6, words[2] == device, let options = words.last else { continue }
            return options.split(separator: ",").contains("ro")
        }
        return nil
    }

    /// Refuses to read an environment without locks where another program may be writing to it.
    ///
    /// Throws `StorageError.notPermitted` where the mount is read-only and the file system is not.
    package static func refuseReadingUnlocked(_ path: String) throws(StorageError) {
        guard isMountedReadOnly(path), !isWriteProtected(path) else { return }
        throw StorageError(
            .notPermitted,
            "\(path) is mounted read-only here, and can be written to by another mount: without LMDB's lock file nobody may "
                + "read beside a writer. Read it where it can be written to, or read a copy that was made while no program had "
                + "it open.", number: EROFS)
    }
}
