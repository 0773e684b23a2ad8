internal import CPlatform
import Foundation

/// What is known of the file systems that files lie on.
package enum FileSystem {
    /// ext4, and those before it, which have the same number.
    package static func isExt(at path: String) -> Bool { type(at: path) == 0xEF53 }

    package static func isTmpfs(at path: String) -> Bool { type(at: path) == 0x0102_1994 }

    /// The name under which `/sys/fs` has a folder for each mounted file system of the type; nil for other types.
    package static func nameInSysfs(at path: String) -> String? {
        switch type(at: path) {
        case 0xEF53: "ext4"
        case 0x5846_5342: "xfs"
        default: nil
        }
    }

    /// The number of the file system's type; nil where the system has none.
    private static func type(at path: String) -> UInt32? {
        #if os(Linux)
            var status = statfs()
            return statfs(path, &status) == 0 ? UInt32(truncatingIfNeeded: status.f_type) : nil
        #else
            return nil
        #endif
    }
}
