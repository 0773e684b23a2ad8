import EventLog
import Foundation

/// The lines of a dump, one after another. Memory holds a line, and a chunk of the file.
final class DumpLines {
    /// The most bytes of a line: a commit of the largest size with all that is said of it takes less.
    static let longestLine = 256 << 20
    private static let chunk = 1 << 20

    let path: String
    /// Bytes of the file.
    let size: Int64
    private let file: FileHandle
    private var buffer: [UInt8] = []
    /// The bytes of the buffer before this were returned.
    private var start = 0
    private var isAtEnd = false
    /// That of the line that was returned last, from 1.
    private(set) var number = 0
    /// Where that line begins in the file.
    private(set) var offset: Int64 = 0
    private var bufferOffset: Int64 = 0

    /// Throws `DumpError.unusableFile`.
    init(_ path: String) throws(DumpError) {
        self.path = path
        // Without waiting: opening a named pipe would block until a process writes to it.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw DumpError(.unusableFile, "it cannot be read: \(String(cString: strerror(errno)))", file: path)
        }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw DumpError(
                .unusableFile,
                "it is no regular file, and a dump is read in several passes; save a stream to a file first",
                file: path)
        }
        size = Int64(status.st_size)
    }

    /// Goes on at a line that was read before.
    func seek(to offset: Int64, line: Int) throws(DumpError) {
        do { try file.seek(toOffset: UInt64(offset)) } catch { throw unreadable() }
        (buffer, start, isAtEnd, number, bufferOffset) = ([], 0, false, line - 1, offset)
    }

    /// Where the next line begins in the file.
    var nextOffset: Int64 { bufferOffset + Int64(start) }

    /// The next line without its line feed; nil at the end of the file.
    func next() throws(DumpError) -> [UInt8]? {
        var searched = start
        while true {
            if let end = end(from: searched) {
                let line = Array(buffer[start..<end])
                (offset, number) = (bufferOffset + Int64(start), number + 1)
                start = end + 1
                return line
            }
            searched = buffer.count
            if isAtEnd {
                guard start < buffer.count else { return nil }
                let line = Array(buffer[start...])
                (offset, number) = (bufferOffset + Int64(start), number + 1)
                start = buffer.count
                return line
            }
            searched -= try fill()
        }
    }

    private func end(from place: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, place < bytes.count,
                let found = memchr(base + place, 0x0A, bytes.count - place)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    /// Drops what was returned, and reads more. Returns how many bytes were dropped.
    private func fill() throws(DumpError) -> Int {
        let dropped = start
        buffer.removeFirst(dropped)
        bufferOffset += Int64(dropped)
        start = 0
        guard buffer.count <= Self.longestLine else {
            throw DumpError(
                .dumpTooLarge, "the line has over \(Self.longestLine) bytes, which are the most", file: path,
                line: number + 1)
        }
        let data: Data?
        do { data = try file.read(upToCount: Self.chunk) } catch { throw unreadable() }
        if let data, !data.isEmpty { buffer += data } else { isAtEnd = true }
        return dropped
    }

    private func unreadable() -> DumpError {
        DumpError(.unusableFile, "it cannot be read on; check the medium", file: path, line: number + 1)
    }
}
