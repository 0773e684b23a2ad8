import Foundation

extension Folder {
    /// Copies a file to a path where none is, for this user alone. With `syncs` its contents are on the medium
    /// afterwards; its name is not. Blocks.
    ///
    /// Throws `StorageError`, `.diskFull` among others.
    package static func copyFile(_ source: String, to target: String, syncs: Bool = false) throws(StorageError) {
        let file = Foundation.open(source, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw StorageError(errno, "open", path: source) }
        defer { close(file) }
        let descriptor = Foundation.open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(errno, "create", path: target) }
        defer { close(descriptor) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        var offset = 0
        while true {
            let part = read(file, buffer.baseAddress, buffer.count)
            if part == 0 { break }
            if part < 0 && errno == EINTR { continue }
            guard part > 0 else { throw StorageError(errno, "read", path: source) }
            try FileSystem.write(
                UnsafeRawBufferPointer(rebasing: buffer[..<part]), at: offset, to: descriptor, target)
            offset += part
        }
        guard syncs else { return }
        let number = Medium.sync(descriptor)
        guard number == 0 else { throw StorageError(number, "sync", path: target) }
    }
}
