internal import CPlatform

/// Identifies an open file for as long as the system cannot have lost what was written to it: until the machine
/// restarts or the file system is mounted again. A copy of the file has another name.
package enum MountSession {
    /// Whether two names may be of one file since the same start of the machine, at any mount: another container mounts
    /// it separately. For a file that some process has had open all the time, which therefore was not unmounted.
    package static func isSameStart(_ name: String, _ other: String) -> Bool {
        name.split(separator: " ").prefix(2) == other.split(separator: " ").prefix(2)
    }

    /// The name; empty if the system has none.
    package static func name(of descriptor: Int32, at path: String) -> String {
        let status = tripstore_status_of(descriptor)
        let (boot, mount) = (BootIdentity.current, MountIdentity.of(path))
        guard !boot.isEmpty, !mount.isEmpty, status.error == 0 else { return "" }
        return "\(boot) \(status.inode) \(mount)"
    }
}
