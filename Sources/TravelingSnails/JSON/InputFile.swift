import Foundation
package import Platform

/// A regular file that is open for reading, closed with its last reference.
package final class InputFile {
    private let descriptor: Int32
    private let path: String
    /// What the file was when it was opened.
    package let identity: FileVersion

    package init(path: String) throws(ExportError) {
        // Without waiting: opening a named pipe would block until a process writes to it.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        self.path = path
        guard descriptor >= 0 else {
            throw InputFile.unreadable(path, errno)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, let version = FileVersion(descriptor: descriptor) else {
            throw InputFile.unreadable(path, errno)
        }
        identity = version
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG else {
            let found = kind == S_IFDIR ? "a directory" : "no regular file"
            throw ExportError(
                .unreadable, "\(path) is \(found). Give a regular file; save a stream to a file first.")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Fails when the file is no longer what `expected` says.
    package func check(is expected: FileVersion) throws(ExportError) {
        guard let version = FileVersion(descriptor: descriptor) else { throw InputFile.unreadable(path, errno) }
        guard version == expected else {
            throw ExportError(
                .changed, "\(path) was changed while it was being read. Read it again when nothing writes to it.")
        }
    }

    /// Makes the next read begin at `offset`.
    package func seek(to offset: Int64) throws(ExportError) {
        guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { throw InputFile.unreadable(path, errno) }
    }

    /// Reads up to `count` bytes into `buffer` from `start` on; 0 at the end of the file.
    package func read(into buffer: inout [UInt8], at start: Int, count: Int) throws(ExportError) -> Int {
        precondition(start >= 0 && count > 0 && count <= buffer.count - start)
        while true {
            let (got, code) = buffer.withUnsafeMutableBytes { bytes in
                // Sound: the range was checked against the buffer above, and the pointer does not leave the closure.
                let got = Foundation.read(descriptor, bytes.baseAddress.map { $0 + start }, count)
                return (got, got < 0 ? errno : 0)
            }
            if got >= 0 { return got }
            guard code == EINTR else { throw InputFile.unreadable(path, code) }
        }
    }

    private static func unreadable(_ path: String, _ code: Int32) -> ExportError {
        // Sound: the system's text ends with a zero byte, and it is copied before anything else can be called.
        let reason = String(cString: strerror(code))
        return ExportError(.unreadable, "\(path) cannot be read: \(reason). Check the path and the permissions.")
    }
}
