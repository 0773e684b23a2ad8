import Events
import Foundation
import LMDB
import Platform

/// The file that holds a replica's private key: two lines of text, readable by its owner alone.
///
/// A new key is first written beside it and moved over it once the log names its replica, so that the key of the
/// replica that the log names is never lost.
struct KeyFile: Sendable {
    private static let title = "tripstore replica key v1"

    let path: String
    private var nextPath: String { path + ".next" }

    init(path: String) { self.path = path }

    /// The identities in the file and in the one beside it; empty if neither is readable as a key.
    ///
    /// Throws `EventLogError.keyUnusable` if a file exists and may not be read.
    func read() throws(EventLogError) -> [ReplicaIdentity] {
        var found: [ReplicaIdentity] = []
        // In this order: another process may be moving the one to the other, and then it is found at either path.
        for path in [nextPath, path] { if let identity = try read(path) { found.append(identity) } }
        return found
    }

    /// Whether there is a file that holds no key. An empty file does not count: a copy may have left it.
    func isUnreadable() throws(EventLogError) -> Bool {
        for path in [path, nextPath] where try read(path) == nil {
            if let contents = FileManager.default.contents(atPath: path), !contents.isEmpty { return true }
        }
        return false
    }

    /// The identity in the file itself; nil if there is none.
    func readInForce() throws(EventLogError) -> ReplicaIdentity? { try read(path) }

    private func read(_ path: String) throws(EventLogError) -> ReplicaIdentity? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            // It may have been moved since.
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            throw EventLogError(.keyUnusable, "The replica's key \(path) cannot be read. Check its permissions.")
        }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        guard lines.count == 2, lines[0] == Self.title, let seed = [UInt8](hexadecimal: String(lines[1])) else {
            return nil
        }
        return ReplicaIdentity(seed: seed)
    }

    /// Writes a new identity beside the active one, durably.
    func prepare(_ identity: ReplicaIdentity) throws {
        let temporary = "\(path).\(UUID().uuidString)"
        let descriptor = Foundation.open(temporary, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { throw failure("created") }
        let text = Array("\(Self.title)\n\(identity.seed.hexadecimal)\n".utf8)
        let written = text.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        let isComplete = written == text.count && fsync(descriptor) == 0
        close(descriptor)
        guard isComplete, rename(temporary, nextPath) == 0 else {
            unlink(temporary)
            throw failure("written")
        }
        try syncFolder()
    }

    /// Activates the prepared identity, if the log names it.
    func activate(for replica: ReplicaID) throws {
        guard try read(nextPath)?.id == replica else { return }
        // Of two processes that do so, one finds it done.
        guard rename(nextPath, path) == 0 || errno == ENOENT else { throw failure("put into place") }
        try syncFolder()
    }

    private func syncFolder() throws { try Folder.sync(URL(fileURLWithPath: path).deletingLastPathComponent().path) }

    private func failure(_ what: String) -> any Error {
        let number = errno
        let words =
            "The replica's key \(path) could not be \(what): \(String(cString: strerror(number))). "
            + "Check the folder's permissions and the room on the disk."
        // A full disk is reported as for all other files: then the store may still be read.
        if number == ENOSPC || number == EDQUOT { return StorageError(.diskFull, words, number: number) }
        return EventLogError(.keyUnusable, words)
    }
}
