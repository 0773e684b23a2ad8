internal import CPlatform
import Foundation

/// Identifies the mount on which a path lies, for as long as it is mounted.
///
/// Written data that is not synced survives as long as the machine runs and the medium stays attached: a boot identity
/// alone does not show that a disk was pulled and mounted again.
package enum MountIdentity {
    /// Empty where the system has none, and where there is nothing at the path. A few microseconds.
    package static func of(_ path: String) -> String {
        #if canImport(Darwin)
            // The system does not report whether a removable disk was pulled.
            let values = try? URL(fileURLWithPath: path).resourceValues(forKeys: [.volumeIsInternalKey])
            return values?.volumeIsInternal == true ? "internal" : ""
        #else
            if FileSystem.isTmpfs(at: path) { return "memory" }  // Its files go with it.
            return superblock(at: path) ?? mountNumber(at: path) ?? ""
        #endif
    }

    #if !canImport(Darwin)
        /// The folder that the kernel has for a mounted file system, and its inode number. The number is new with each
        /// mount and the same in every namespace, though each namespace numbers its mounts by itself. Nil for most file
        /// systems.
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

        /// The mount's unique id; nil before Linux 6.8.
        package static func mountNumber(at path: String) -> String? {
            let number = tripstore_unique_mount(path)
            return number == 0 ? nil : "mount \(number)"
        }
    #endif
}
