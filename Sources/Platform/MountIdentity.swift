internal import CPlatform
import Foundation

/// Names the mount on which a path lies, for as long as it is mounted.
///
/// What was written and not synced is in the files as long as neither the machine stopped nor the medium was taken away: a
/// boot identity alone says nothing of a disk that was pulled and mounted again.
package enum MountIdentity {
    /// Empty where the system does not tell, and where there is nothing at the path. A few microseconds.
    package static func of(_ path: String) -> String {
        #if os(Linux)
            if FileSystem.isTmpfs(at: path) { return "memory" }  // Its files go with it.
            return superblock(at: path) ?? mountNumber(at: path) ?? ""
        #elseif canImport(Darwin)
            // Of a disk that can be pulled nobody tells whether it was.
            let values = try? URL(fileURLWithPath: path).resourceValues(forKeys: [.volumeIsInternalKey])
            return values?.volumeIsInternal == true ? "internal" : ""
        #else
            return ""
        #endif
    }

    #if os(Linux)
        /// The folder that the kernel has of a mounted file system, and its inode number, which is given anew with each mount and
        /// is the same in every namespace, of which each numbers its mounts by itself. Nil for most file systems.
        package static func superblock(at path: String) -> String? {
            guard let type = FileSystem.nameInSysfs(at: path) else { return nil }
            var (major, minor): (UInt32, UInt32) = (0, 0)
            guard tripstore_device(path, &major, &minor) != 0,
                let device = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/sys/dev/block/\(major):\(minor)")
            else { return nil }
            let folder = "/sys/fs/\(type)/\(URL(fileURLWithPath: device).lastPathComponent)"
            return FileIdentity(path: folder).map { "\(folder) \($0.inode)" }
        }

        /// The number that no other mount has had; nil before Linux 6.8.
        package static func mountNumber(at path: String) -> String? {
            let number = tripstore_unique_mount(path)
            return number == 0 ? nil : "mount \(number)"
        }
    #endif
}
