public import Events
package import Foundation
import Platform

extension ContentFolder {
    /// Stores the bytes that `next` returns, until it returns none, in memory of a part. Bytes that are here are kept as they
    /// are.
    ///
    /// Throws `ContentError.tooLarge`, `StorageError` (`.diskFull` among others), or what `next` throws; then nothing is
    /// stored.
    public func add(_ next: () throws -> [UInt8]?) throws -> ContentID {
        try Folder.create(incoming)
        let intake = try NewContent(in: self)
        defer { intake.discard() }
        while let bytes = try next() { try intake.append(bytes) }
        return try intake.finish()
    }

    /// Stores bytes of another folder. Throws as `add(_:)` and `read` do; nothing is stored that is not there.
    package func add(_ content: ContentID, from other: ContentFolder) throws {
        guard let outline = try other.outline(of: content) else { return }
        var index = 0
        _ = try add {
            var part: [UInt8]?
            try other.read(index..<index + 1, of: outline) { part = $0 }
            index += 1
            return part
        }
    }

    /// Stores the bytes of a file. Throws as `add(_:)` does, and `ContentError.missing` if there is none.
    public func add(file: String) throws -> ContentID {
        guard let source = try ContentFile(file) else {
            throw ContentError(.missing, "There is no regular file at \(file).")
        }
        var offset: Int64 = 0
        return try add {
            let bytes = try source.read(ContentID.partSize, at: offset)
            offset += Int64(bytes.count)
            return bytes.isEmpty ? nil : bytes
        }
    }

    /// Moves a whole file, which is on the medium, to the place of its content.
    func place(_ file: String, as outline: ContentOutline) throws {
        let target = path(of: outline.content)
        try Folder.create(URL(fileURLWithPath: target).deletingLastPathComponent().path)
        if outline.content.partCount > 1 {
            try Self.write(outline.leaves.flatMap(\.bytes), to: outlinePath(of: outline.content))
        }
        try withLock(LOCK_SH) {
            try stamp(file)
            guard rename(file, target) == 0 else { throw StorageError(errno, "put in its place", path: target) }
        }
        try Folder.sync(URL(fileURLWithPath: target).deletingLastPathComponent().path)
    }

    /// Replaces a file as a whole.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let temporary = "\(path).\(UUID().uuidString.prefix(8))"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(errno, "create", path: temporary) }
        defer { close(descriptor) }
        do {
            try FileSystem.write(bytes, at: 0, to: descriptor, temporary)
            let number = Medium.sync(descriptor)
            guard number == 0 else { throw StorageError(number, "write to", path: temporary) }
            guard rename(temporary, path) == 0 else { throw StorageError(errno, "put in its place", path: path) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Removes the bytes, if they are here. Bytes of the same root and another size are not these. Throws `StorageError`.
    public func remove(_ content: ContentID) throws {
        guard try holds(content) else { return }
        for path in [path(of: content), outlinePath(of: content), keptPath(of: content)] {
            guard unlink(path) == 0 || errno == ENOENT else { throw StorageError(errno, "remove", path: path) }
        }
    }

    /// Removes bytes that were written before a time. Returns whether it did: bytes that were named again meanwhile stay.
    package func remove(_ content: ContentID, writtenBefore limit: Date) throws -> Bool {
        try withLock(LOCK_EX) {
            guard try holds(content), let version = FileVersion(path: path(of: content)), version.date < limit else {
                return false
            }
            try remove(content)
            return true
        }
    }

    /// Runs `body` under the lock of the folder, among all processes: what is put in its place is not removed as old.
    private func withLock<T>(_ kind: Int32, _ body: () throws -> T) throws -> T {
        try checkNotSuspended()
        try Folder.create(path)
        let file = path + "/lock"
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(errno, "open", path: file) }
        defer { close(descriptor) }
        while flock(descriptor, kind) != 0 {
            guard errno == EINTR else { throw StorageError(errno, "lock", path: file) }
        }
        return try body()
    }

    /// Gives a file the time of the log's clock.
    func stamp(_ file: String) throws {
        let date = Date(timeIntervalSince1970: Double(now()) / 1000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)
    }
}
