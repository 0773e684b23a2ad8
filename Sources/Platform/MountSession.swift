internal import CPlatform

/// Names an open file for as long as the system cannot have lost what was written to it: until the machine starts anew or
/// the file system is mounted anew. A copy of the file has another name.
package enum MountSession {
    /// Whether two names may be of one file since one start of the machine, wherever it is mounted: another container has
    /// another mount of it. For a file that some process has had open all the time, which was not unmounted.
    package static func isSameStart(_ name: String, _ other: String) -> Bool {
        name.split(separator: " ").prefix(2) == other.split(separator: " ").prefix(2)
    }

    /// The name; empty if the system does not tell.
    package static func name(of descriptor: Int32, at path: String) -> String {
        let status = tripstore_status_of(descriptor)
        let (boot, mount) = (BootIdentity.current, MountIdentity.of(path))
        guard !boot.isEmpty, !mount.isEmpty, status.error == 0 else { return "" }
        return "\(boot) \(status.inode) \(mount)"
    }
}
