import Foundation
import TestSupport

/// A folder as a read-only medium, for the processes of a command.
enum ReadOnlyMedium {
    /// Whether this user may mount, in a mount namespace of the command.
    static let canMount = geteuid() == 0 && Program.succeeds("unshare", "-m", "sh", "-c", mount("/usr"))

    /// A command that remounts a folder read-only.
    static func mount(_ folder: String) -> String {
        "mount --bind \(folder) \(folder) && mount -o remount,bind,ro \(folder)"
    }
}
