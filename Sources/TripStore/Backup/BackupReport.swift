public import EventLog
package import Events
public import Foundation
public import LogExchange

/// The contents of a backup.
public struct BackupReport: Sendable, Hashable {
    /// The folder, which opens as a store.
    public let folder: URL
    /// The journal that the store belongs to.
    package let journal: JournalID
    /// The replica that wrote there at the time of the backup.
    package let replica: ReplicaID
    /// The newest position in it.
    package let position: Position
    /// The number of its commits, each read back and verified.
    public let commits: Int
    /// The number of their events.
    package let events: Int
    /// Bytes of the log's file.
    package let fileSize: Int
    /// Whether the replica's private key is in it: not if the store did not have it.
    package let holdsKey: Bool
    /// Why bytes of attachments are not in it that lie in the store: damaged ones. What cannot be read fails the backup.
    public let leftOut: [ContentError]
    /// Findings of the store that are not in the backup: commits that its medium lost.
    public let findings: [Finding]
}

/// The progress of a backup.
public struct BackupProgress: Sendable, Hashable {
    /// The current stage.
    public enum Stage: Sendable {
        /// The log is copied; counted in bytes, with an upper bound as the total.
        case copying
        /// The copy is read back and verified; counted in commits.
        case verifying
    }

    /// The current stage; the stages follow in order, each once.
    public let stage: Stage
    /// How much of it is done, in the stage's unit; at most `total`.
    public let done: Int
    /// The total, in the stage's unit.
    public let total: Int

    package init(stage: Stage, done: Int, total: Int) {
        self.stage = stage
        self.done = done
        self.total = total
    }
}
