#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Android
#endif

/// Writing to the medium, and reading from it.
extension System {
    /// Waits until the medium has everything that was written to a file; returns 0 or the error number.
    ///
    /// On Apple platforms a plain sync leaves data in the drive's cache; F_FULLFSYNC flushes that too. File systems that lack it get the plain
    /// one.
    static func sync(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
        #endif
        return fsync(descriptor) == 0 ? 0 : errno
    }

    /// Whether pages that LMDB syncs by itself may still be in the drive's cache.
    package static var syncsLeaveCache: Bool {
        #if canImport(Darwin)
            true
        #else
            false
        #endif
    }

    /// The flag of a file whose writes wait for the medium; 0 where each has to be followed by a sync.
    package static var synchronousWrites: Int32 {
        #if canImport(Darwin)
            0
        #else
            O_DSYNC
        #endif
    }

    /// Makes what is about to be written to a new file be read back from the medium, and not from the system's cache: `dropCache` follows the
    /// sync.
    package static func bypassCache(_ descriptor: Int32) {
        #if canImport(Darwin)
            _ = fcntl(descriptor, F_NOCACHE, 1)
        #endif
    }

    package static func dropCache(_ descriptor: Int32) {
        #if !canImport(Darwin)
            _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
        #endif
    }
}
