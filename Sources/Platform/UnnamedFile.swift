import Foundation

/// Files that have no name until they are whole: one that is not finished goes with its process, however that ends.
enum UnnamedFile {
    #if os(Linux)
        /// `O_TMPFILE`, which the C library declares for GNU programs alone.
        private static let flag: Int32 = 0o20_000_000 | O_DIRECTORY
    #endif

    /// Opens one for writing in a folder; nil where the system or the file system has none.
    static func open(in folder: String, _ permissions: mode_t) -> Int32? {
        #if os(Linux)
            let descriptor = Foundation.open(folder, flag | O_WRONLY | O_CLOEXEC, permissions)
            guard descriptor >= 0 else { return nil }
            // Without /proc it could get no name.
            if access(path(of: descriptor), F_OK) == 0 { return descriptor }
            close(descriptor)
        #endif
        return nil
    }

    /// Gives it a name that is free. Returns 0 or the error number.
    static func name(_ descriptor: Int32, _ path: String) -> Int32 {
        #if os(Linux)
            return linkat(AT_FDCWD, self.path(of: descriptor), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno
        #else
            return ENOTSUP
        #endif
    }

    private static func path(of descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }
}
