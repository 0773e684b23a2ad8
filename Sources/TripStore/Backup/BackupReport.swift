public import EventLog
public import Events
public import Foundation

/// What a backup holds.
public struct BackupReport: Sendable, Hashable {
    /// The folder, which opens as a store.
    public let folder: URL
    /// The journal that the store belongs to.
    public let journal: JournalID
    /// The replica that wrote there at the moment of the backup.
    public let replica: ReplicaID
    /// The newest position that it holds.
    public let position: Position
    /// How many commits it holds, each read back and verified.
    public let commits: Int
    /// How many events are in them.
    public let events: Int
    /// Bytes of the log's file.
    public let fileSize: Int
    /// Whether the replica's private key is in it: not if it was not in the store, either.
    public let holdsKey: Bool
}

/// How far a backup has come.
public struct BackupProgress: Sendable, Hashable {
    /// What is being done.
    public enum Stage: String, Sendable {
        /// The log is copied; counted in bytes, where the total is the most that it can come to.
        case copying
        /// The copy is read back and verified; counted in commits.
        case verifying
    }

    /// What is being done; the stages come in their order, each once.
    public let stage: Stage
    /// How much of that is done, in the stage's unit; at most `total`.
    public let done: Int
    /// How much there is to do, in the stage's unit.
    public let total: Int

    public init(stage: Stage, done: Int, total: Int) {
        self.stage = stage
        self.done = done
        self.total = total
    }
}
