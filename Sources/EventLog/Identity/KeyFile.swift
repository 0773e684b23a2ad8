import Events
import Foundation
import LMDB

/// The file that holds a replica's private key: two lines of text, readable by its owner alone.
struct KeyFile {
    private static let title = "tripstore replica key v1"

    let path: String

    /// The identity in the file; nil if there is none, or none that can be read as such.
    ///
    /// Throws `EventLogError.keyUnusable` if the file is there and may not be read.
    func read() throws(EventLogError) -> ReplicaIdentity? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw EventLogError(.keyUnusable, "The replica's key \(path) cannot be read. Check its permissions.")
        }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        guard lines.count == 2, lines[0] == Self.title, let seed = [UInt8](hexadecimal: String(lines[1])) else {
            return nil
        }
        return ReplicaIdentity(seed: seed)
    }

    /// Puts an identity into place: whole or not at all, and durable before it returns.
    func write(_ identity: ReplicaIdentity) throws {
        let temporary = "\(path).\(UUID().uuidString)"
        let descriptor = Foundation.open(temporary, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { throw failure("created") }
        let text = Array("\(Self.title)\n\(identity.seed.hexadecimal)\n".utf8)
        let written = text.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        let isComplete = written == text.count && fsync(descriptor) == 0
        close(descriptor)
        guard isComplete, rename(temporary, path) == 0 else {
            unlink(temporary)
            throw failure("written")
        }
        try Folder.sync(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }

    private func failure(_ what: String) -> EventLogError {
        EventLogError(
            .keyUnusable,
            "The replica's key \(path) could not be \(what): \(String(cString: strerror(errno))). "
                + "Check the folder's permissions and the room on the disk.")
    }
}
