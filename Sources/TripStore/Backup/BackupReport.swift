public import EventLog
public import Events
public import Foundation

/// What a backup holds.
public struct BackupReport: Sendable, Hashable {
    /// The folder, which opens as a store.
    public let folder: URL
    public let journal: JournalID
    /// The replica that wrote there at the moment of the backup.
    public let replica: ReplicaID
    /// The newest position that it holds.
    public let position: Position
    public let commits: Int
    public let events: Int
    /// Bytes of the log's file.
    public let fileSize: Int
    /// Whether the replica's private key is in it: not if it was not in the store, either.
    public let holdsKey: Bool
}

/// How far a backup has come.
public struct BackupProgress: Sendable, Hashable {
    public enum Stage: String, Sendable {
        /// The log is copied; counted in bytes, where the total is the most that it can come to.
        case copying
        /// The copy is read back and verified; counted in commits.
        case verifying
    }

    public let stage: Stage
    public let done: Int
    public let total: Int

    public init(stage: Stage, done: Int, total: Int) {
        self.stage = stage
        self.done = done
        self.total = total
    }
}
