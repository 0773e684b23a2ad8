import Foundation

/// What it takes until a medium has what was written.
package enum Medium {
    /// Waits until the medium has everything that was written to a file; answers the number of the error, or 0.
    ///
    /// On Apple platforms a plain sync leaves data in the drive's cache; there the drive itself is asked.
    package static func sync(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
        #endif
        return fsync(descriptor) == 0 ? 0 : errno
    }

    /// Waits until the medium has everything that was written to the file at a path, whoever wrote it.
    package static func sync(file path: String) throws(StorageError) {
        let descriptor = Foundation.open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(errno, "open", path: path) }
        defer { close(descriptor) }
        let number = sync(descriptor)
        guard number == 0 else { throw StorageError(number, "sync", path: path) }
    }
}
