import Foundation

/// Making written data durable.
package enum Medium {
    /// Waits until the medium has everything that was written to a file; returns 0 or the error number.
    package static func sync(_ descriptor: Int32) -> Int32 { System.sync(descriptor) }

    /// Waits until the medium has everything that was written to the file at a path, by any process.
    package static func sync(file path: String) throws(StorageError) {
        let descriptor = Foundation.open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(errno, "open", path: path) }
        defer { close(descriptor) }
        let number = sync(descriptor)
        guard number == 0 else { throw StorageError(number, "sync", path: path) }
    }
}
