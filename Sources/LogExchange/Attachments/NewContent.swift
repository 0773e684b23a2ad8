import Events
import Foundation
import Platform
import Synchronization

/// Bytes on their way into a folder, whose name is known at their end.
final class NewContent {
    private let folder: ContentFolder
    private let path: String
    private let descriptor: Int32
    /// Says that it is being written: see `ContentFolder.removeLeftovers`.
    private let lock: FileLock
    private var size = 0
    private var leaves: [Digest] = []
    /// Less than a part.
    private var rest: [UInt8] = []

    init(in folder: ContentFolder) throws {
        try folder.checkNotSuspended()
        self.folder = folder
        path = "\(folder.incoming)/\(UUID().uuidString).new"
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(errno, "create", path: path) }
        lock = FileLock(descriptor, at: path, LOCK_EX)
        guard lock.lock(LOCK_EX | LOCK_NB), FileIdentity.isOpenFile(descriptor, at: path) else {
            throw ContentError(.busy, "Another process removed \(path) as it was created. Try again.")
        }
    }

    func append(_ bytes: [UInt8]) throws {
        guard Int64(size) + Int64(rest.count) + Int64(bytes.count) <= ContentID.largestSize else {
            throw ContentError(
                .tooLarge, "An attachment has over \(ContentID.largestSize) bytes, which are the most. Split it.")
        }
        rest += bytes
        var taken = 0
        while rest.count - taken >= ContentID.partSize {
            try write(Array(rest[taken..<taken + ContentID.partSize]))
            taken += ContentID.partSize
        }
        rest.removeFirst(taken)
    }

    private func write(_ part: [UInt8]) throws {
        leaves.append(part.withUnsafeBytes { ContentTree.leaf($0) })
        try FileSystem.write(part, at: size, to: descriptor, path)
        size += part.count
        folder.stored.add(Int64(part.count), ordering: .relaxed)
    }

    func finish() throws -> ContentID {
        if !rest.isEmpty { try write(rest) }
        guard let content = ContentID(root: ContentTree.root(leaves), size: Int64(size)),
            let outline = ContentOutline(content, leaves: leaves)
        else { throw ContentError(.tooLarge, "An attachment cannot have \(size) bytes.") }
        // Also what is here already: it counts as new, so that it is not dropped before the commit is there, and its file may have been
        // altered.
        let number = Medium.sync(descriptor)
        guard number == 0 else { throw StorageError(number, "write to", path: path) }
        try folder.place(path, as: outline)
        return content
    }

    /// Removes what was not finished.
    func discard() { unlink(path) }
}
