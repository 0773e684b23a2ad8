import Foundation

/// An unlinked file for what a rebuild cannot keep in memory: the system deletes it when its last user ends, even by a
/// crash.
///
/// `@unchecked Sendable`: a sorter or runs own it, and one thread at a time uses those.
final class ScratchFile: @unchecked Sendable {
    private let descriptor: Int32
    private let folder: String
    private(set) var size = 0
    private var map: UnsafeMutableRawBufferPointer?

    /// In an existing folder. Throws `ProjectionError.failed`.
    init(in folder: String) throws(ProjectionError) {
        let path = "\(folder)/scratch-\(UUID().uuidString)"
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("be made", folder) }
        unlink(path)
        self.descriptor = descriptor
        self.folder = folder
    }

    deinit {
        if let map { munmap(map.baseAddress, map.count) }
        close(descriptor)
    }

    /// Appends bytes, and returns their range in the file. Throws `ProjectionError.failed`.
    func append(_ bytes: UnsafeRawBufferPointer) throws(ProjectionError) -> Range<Int> {
        let start = size
        var rest = bytes
        while let base = rest.baseAddress, !rest.isEmpty {
            let count = pwrite(descriptor, base, rest.count, off_t(size))
            guard count > 0 else {
                if count < 0 && errno == EINTR { continue }
                throw Self.failure("be written", folder)
            }
            size += count
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return start..<size
    }

    /// The whole file, mapped; valid as long as this object, and until more is appended.
    ///
    /// No other process has the file open, so nothing can truncate it under the map. Throws `ProjectionError.failed`.
    func contents() throws(ProjectionError) -> UnsafeRawBufferPointer {
        if let map, map.count == size { return UnsafeRawBufferPointer(map) }
        if let map { munmap(map.baseAddress, map.count) }
        map = nil
        guard size > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        guard let start = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0), start != MAP_FAILED else {
            throw Self.failure("be mapped", folder)
        }
        let mapped = UnsafeMutableRawBufferPointer(start: start, count: size)
        map = mapped
        return UnsafeRawBufferPointer(mapped)
    }

    private static func failure(_ action: String, _ folder: String) -> ProjectionError {
        let number = errno
        return ProjectionError(
            .failed,
            "A scratch file for building views could not \(action) in \(folder): \(String(cString: strerror(number))). "
                + "Make room there, or see who may write, and build the views again.")
    }
}
