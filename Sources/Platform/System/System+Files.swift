#if canImport(Darwin)
    import Darwin
#else
    internal import CPlatform
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Android
    #endif
#endif

/// File systems, and files without a name.
extension System {
    /// A file system, as the system describes it.
    struct Volume {
        /// The magic number of its type, in statfs(2) of Linux.
        var type: UInt32?
        /// The name of its type, on Apple platforms.
        var name: String?
        /// Whether it lies on this machine; nil where only the type tells.
        var isLocal: Bool?
    }

    /// Nil where there is nothing at the path.
    static func volume(at path: String) -> Volume? {
        var status = statfs()
        guard statfs(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let name = withUnsafeBytes(of: &status.f_fstypename) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            return Volume(name: name, isLocal: status.f_flags & UInt32(MNT_LOCAL) != 0)
        #else
            return Volume(type: UInt32(truncatingIfNeeded: status.f_type))
        #endif
    }

    /// Opens a file without a name in a folder, for writing: it goes with its process, however that ends. Nil where the system or the file
    /// system has none.
    static func openUnnamed(in folder: String, _ permissions: mode_t) -> Int32? {
        #if canImport(Darwin)
            return nil
        #else
            // `O_TMPFILE`, which the C library declares for GNU programs alone.
            let flag: Int32 = 0o20_000_000 | O_DIRECTORY
            let descriptor = open(folder, flag | O_WRONLY | O_CLOEXEC, permissions)
            guard descriptor >= 0 else { return nil }
            // Without /proc it could get no name.
            if access("/proc/self/fd/\(descriptor)", F_OK) == 0 { return descriptor }
            close(descriptor)
            return nil
        #endif
    }

    /// Gives it a name that is free. Returns 0 or the error number.
    static func name(_ descriptor: Int32, _ path: String) -> Int32 {
        #if canImport(Darwin)
            ENOTSUP
        #else
            linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno
        #endif
    }
}
