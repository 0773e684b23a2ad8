import Events
import Foundation
import Platform
import Synchronization

/// Takes in the parts of a content whose name is known before, in a file of the folder `incoming`.
///
/// Any number of senders may send one content at the same time, in any number of processes: a part that verifies has the same bytes from
/// each. Parts are stored in order, so that the index of the first missing one says which are here. The file is open and locked while a
/// part is written, and not between parts: a sender that has begun and sends nothing holds neither a descriptor nor a lock, and a
/// content without parts has no file. Calls block.
struct ContentIntake: Sendable {
    /// The parts of an unfinished file that this process has verified.
    struct Verified: Sendable {
        let inode: UInt64
        /// The index of the first part that is not here.
        let next: Int
    }

    private let outline: ContentOutline
    private let folder: ContentFolder
    /// The most bytes of attachments in the folder; nil if there is no bound.
    private let most: Int64?
    private let path: String

    private var content: ContentID { outline.content }
    private var count: Int { content.partCount }

    init(_ outline: ContentOutline, in folder: ContentFolder, most: Int64? = nil) {
        self.outline = outline
        self.folder = folder
        self.most = most
        path = folder.incomingPath(of: outline.content)
    }

    /// The index of the first part that is missing, which is their number if all are here. O(bytes that another process stored, or an
    /// earlier one).
    ///
    /// Throws `ContentError.busy`, `EventLogError.quotaExceeded` or `StorageError`.
    func begin() throws -> Int {
        if try folder.holds(content) { return count }
        let next = try firstMissing()
        guard next == count else {
            if let most { try folder.room.admit(content, to: folder, most: most, reserving: false) }
            return next
        }
        // The process that stored the last part did not put the file in its place. No bytes have no part with which they would be stored.
        return try locked(creating: count == 0) { descriptor in
            let next = try firstMissing()
            if next == count { try finish(descriptor) }
            return next
        } ?? 0
    }

    /// Stores a part, and with the last one makes the whole durable and visible. A part that is here is skipped. Returns the index of the
    /// first part that is missing then.
    ///
    /// Throws `ContentError.wrongBytes` if the part is another; `ContentError.busy` while another process writes, and if earlier parts are
    /// missing by now; `EventLogError.quotaExceeded`; or `StorageError`. Parts that were stored stay.
    func put(_ part: [UInt8], at index: Int) throws -> Int {
        if try folder.holds(content) { return count }
        if let next = verified?.next, index < next, next < count { return next }
        guard outline.verifies(part, at: index) else { throw ContentError.wrongPart(index, of: content) }
        let next = try locked(creating: index == 0) { try store(part, at: index, $0) } ?? 0
        guard index < next else { throw ContentError.gone(index, of: content, next) }
        return next
    }

    /// Stores a part under the lock of the file. Returns the index of the first part that is missing then.
    private func store(_ part: [UInt8], at index: Int, _ descriptor: Int32) throws -> Int {
        // Another process may have finished since, and this file is a new one.
        guard try !folder.holds(content) else {
            unlink(path)
            return count
        }
        var next = try firstMissing()
        if index == next {
            do {
                if let most { try folder.room.admit(content, to: folder, most: most, reserving: true) }
            } catch {
                if next == 0 { unlink(path) }
                throw error
            }
            try FileSystem.write(part, at: index * ContentID.partSize, to: descriptor, path)
            // Transfers without progress are found by the log's clock.
            try folder.stamp(path)
            next += 1
            note(next, FileVersion(path: path))
        }
        if next == count { try finish(descriptor) }
        return next
    }

    /// Makes the whole durable and visible.
    private func finish(_ descriptor: Int32) throws {
        let number = ftruncate(descriptor, off_t(content.size)) == 0 ? Medium.sync(descriptor) : errno
        guard number == 0 else { throw StorageError(number, "write to", path: path) }
        try folder.place(path, as: outline)
        note(0, nil)
    }

    /// Opens and locks the file. Nil if there is none and it is not to be created.
    private func locked<T>(creating: Bool, _ body: (Int32) throws -> T) throws -> T? {
        try folder.checkNotSuspended()
        if creating { try Folder.create(folder.incoming) }
        let descriptor = open(path, O_RDWR | O_CLOEXEC | (creating ? O_CREAT : 0), 0o600)
        guard descriptor >= 0 else {
            let number = errno
            if number == ENOENT && !creating { return nil }
            throw StorageError(number, "open", path: path)
        }
        defer { close(descriptor) }
        // Where another process has just finished, the file that was opened is in its place by now.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, FileIdentity.isOpenFile(descriptor, at: path) else {
            throw ContentError(
                .busy, "Another process is storing bytes of \(content) at this moment. Try again in a moment.", content)
        }
        return try body(descriptor)
    }

    // MARK: Verified parts

    private var verified: Verified? { folder.verified.withLock { $0[content] } }

    private func note(_ next: Int, _ version: FileVersion?) {
        folder.verified.withLock { verified in
            verified[content] = version.flatMap { next > 0 ? Verified(inode: $0.inode, next: next) : nil }
        }
    }

    /// The index of the first part that is not in the file. Reads the parts that this process did not verify: after a crash a file may be
    /// longer than the bytes that reached the medium.
    private func firstMissing() throws -> Int {
        guard let version = FileVersion(path: path) else {
            note(0, nil)
            return 0
        }
        var next = 0
        // Another process may have removed the file and begun another one.
        if let verified, verified.inode == version.inode, version.size >= offset(verified.next) { next = verified.next }
        if next < count, version.size > offset(next), let file = try ContentFile(path) {
            while next < count {
                let part = try file.read(content.size(ofPart: next), at: offset(next))
                guard outline.verifies(part, at: next) else { break }
                next += 1
            }
        }
        note(next, version)
        return next
    }

    private func offset(_ index: Int) -> Int64 { min(Int64(index) * Int64(ContentID.partSize), content.size) }
}
