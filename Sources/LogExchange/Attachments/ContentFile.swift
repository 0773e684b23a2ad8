import Events
import Foundation
import Platform

/// A file that is open for reading, part by part.
final class ContentFile {
    private let descriptor: Int32
    private let path: String
    let size: Int64

    /// Nil if there is no regular file. Throws `StorageError` if it cannot be opened.
    init?(_ path: String) throws(StorageError) {
        // Without waiting: opening a pipe would block until a process writes to it.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        self.path = path
        guard descriptor >= 0 else {
            let number = errno
            size = 0
            if number == ENOENT { return nil }
            throw StorageError(number, "open", path: path)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            size = 0
            return nil
        }
        size = Int64(status.st_size)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Up to that many bytes from an offset on; fewer only at the end of the file.
    func read(_ count: Int, at offset: Int64) throws(StorageError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, done in
            while done < count, let start = room.baseAddress {
                let got = pread(descriptor, start + done, count - done, off_t(offset) + off_t(done))
                if got < 0 && errno == EINTR { continue }
                if got < 0 { failure = errno }
                guard got > 0 else { return }
                done += got
            }
        }
        guard failure == 0 else { throw StorageError(failure, "read", path: path) }
        return bytes
    }
}
