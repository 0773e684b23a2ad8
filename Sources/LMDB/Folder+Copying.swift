import Foundation

extension Folder {
    /// Copies a file to a path where none is, for this user alone. With `syncs` its contents are on the medium afterwards; its
    /// name is not. Waits.
    ///
    /// Throws `LMDBError`, `.diskFull` among others.
    static func copyFile(_ source: String, to target: String, syncs: Bool = false) throws(LMDBError) {
        let file = try DataFile(path: source)
        let descriptor = Foundation.open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw LMDBError(errno, "create", path: target) }
        defer { close(descriptor) }
        var offset = 0
        while case let part = try file.bytes(1 << 20, at: offset), !part.isEmpty {
            var done = 0
            while done < part.count {
                let count = part.withUnsafeBytes { bytes in
                    Foundation.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
                }
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { throw LMDBError(count < 0 ? errno : ENOSPC, "copy to", path: target) }
                done += count
            }
            offset += part.count
        }
        guard syncs else { return }
        let number = Medium.sync(descriptor)
        guard number == 0 else { throw LMDBError(number, "sync", path: target) }
    }
}
