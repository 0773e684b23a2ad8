internal import CPlatform
import Foundation
package import Platform

/// An LMDB data file read with plain reads, so that damage cannot mislead LMDB.
///
/// LMDB trusts every number in its file. A wrong one makes it read outside of its map, which ends the process.
package final class DataFile {
    package let path: String
    private let descriptor: Int32
    private let isOwned: Bool

    /// Opens the file at a path. (LMDB's locks are on another file: closing this one drops none.)
    package init(path: String) throws(StorageError) {
        self.path = path
        descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        isOwned = true
        guard descriptor >= 0 else { throw StorageError(errno, "open", path: path) }
    }

    /// Reads through an open descriptor, and leaves it open.
    package init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
        isOwned = false
    }

    deinit {
        if isOwned && descriptor >= 0 { close(descriptor) }
    }

    /// Names the file until the system may have lost what was written to it: see `MountSession`.
    package var session: String { MountSession.name(of: descriptor, at: path) }

    /// Bytes of the file.
    package func size() throws(StorageError) -> Int {
        let status = tripstore_status_of(descriptor)
        guard status.error == 0 else { throw StorageError(status.error, "inspect", path: path) }
        return Int(status.size)
    }

    /// Fills `buffer` from `offset` on; returns the number of bytes read, fewer only at the end of the file.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StorageError) -> Int {
        var done = 0
        while done < buffer.count, let start = buffer.baseAddress {
            let count = pread(descriptor, start + done, buffer.count - done, off_t(offset + done))
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw StorageError(errno, "read", path: path)
            }
            done += count
        }
        return done
    }

    /// Up to `count` bytes from `offset` on; fewer only at the end of the file.
    package func bytes(_ count: Int, at offset: Int) throws(StorageError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let found: Result<Int, StorageError> = bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(StorageError) in try read(into: buffer, at: offset) }
        }
        bytes.removeLast(count - (try found.get()))
        return bytes
    }
}
