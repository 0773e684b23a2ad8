package import Events
import Foundation
import LMDB

extension Log {
    /// Copies the newest state of the log to an existing folder, where it can be opened. Blocks, also for the medium;
    /// others write meanwhile. The folder itself is not synced.
    ///
    /// Throws `StorageError`.
    package func copy(to folder: String) throws { try environment.copy(to: folder + "/data.mdb") }

    /// Writes the key of a replica, one of `keys`, to another key file. Returns whether it was among them. Blocks.
    ///
    /// Throws `EventLogError.keyUnusable` if a key cannot be read or written.
    package static func copyKey(of replica: ReplicaID, among keys: [ReplicaIdentity], to path: String) throws -> Bool {
        guard let identity = keys.first(where: { $0.id == replica }) else { return false }
        let copy = KeyFile(path: path)
        try copy.prepare(identity)
        try copy.activate(for: replica)
        return true
    }

    /// The keys in a key file and beside it. Throws `EventLogError.keyUnusable`.
    package static func keys(at path: String) throws -> [ReplicaIdentity] { try KeyFile(path: path).read() }
}
