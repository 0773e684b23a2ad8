package import Events
import Foundation
import LMDB

extension Log {
    /// Copies the log as it stands to a folder that is there, in which it can be opened. Waits, also for the medium; others
    /// write meanwhile. The folder itself is not synced.
    ///
    /// Throws `StorageError`.
    package func copy(to folder: String) throws { try environment.copy(to: folder + "/data.mdb") }

    /// Lays the key of a replica, of those in a key file or beside it, into a key file elsewhere. Answers whether it was
    /// there. Waits, too.
    ///
    /// Throws `EventLogError.keyUnusable` if a key cannot be read or written.
    package static func copyKey(of replica: ReplicaID, among keys: [ReplicaIdentity], to path: String) throws -> Bool {
        guard let identity = keys.first(where: { $0.id == replica }) else { return false }
        let copy = KeyFile(path: path)
        try copy.prepare(identity)
        try copy.settle(on: replica)
        return true
    }

    /// The keys in a key file and beside it. Throws `EventLogError.keyUnusable`.
    package static func keys(at path: String) throws -> [ReplicaIdentity] { try KeyFile(path: path).read() }
}
