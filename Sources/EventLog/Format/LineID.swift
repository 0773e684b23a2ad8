public import Events
import LMDB

/// A line as a log stores it: the commits of one replica in one journal.
///
/// Where a replica's commits fork, the branch that arrived first continues its line, and each other branch is a line of
/// its own, named by the hash of its first commit. Which arrived first differs from log to log: so replicas name
/// commits (`CommitID`) to each other, and not lines.
public struct LineID: Hashable, Sendable {
    public let journal: JournalID
    public let replica: ReplicaID
    /// For a branch, the hash of its first commit.
    public let branch: Digest?

    public init(journal: JournalID, replica: ReplicaID, branch: Digest? = nil) {
        self.journal = journal
        self.replica = replica
        self.branch = branch
    }

    var bytes: [UInt8] { journal.bytes + replica.bytes + (branch?.bytes ?? []) }

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 32 || bytes.count == 64, let replica = ReplicaID(bytes.part(16..<32)) else { return nil }
        self.init(
            journal: JournalID(bytes.part(0..<16).uuid()), replica: replica,
            branch: bytes.count == 64 ? Digest(bytes.part(32..<64)) : nil)
    }
}

/// Names a commit so that it means the same on every replica.
///
/// The number alone would not do: a replica that was copied or restored may have written two commits with one number.
public struct CommitID: Hashable, Sendable, Comparable, CustomStringConvertible {
    public let replica: ReplicaID
    public let sequence: SequenceNumber
    public let hash: Digest

    package init(replica: ReplicaID, sequence: SequenceNumber, hash: Digest) {
        self.replica = replica
        self.sequence = sequence
        self.hash = hash
    }

    /// By replica, number and hash bytes.
    public static func < (a: CommitID, b: CommitID) -> Bool {
        if a.replica != b.replica { return a.replica < b.replica }
        if a.sequence != b.sequence { return a.sequence < b.sequence }
        return a.hash < b.hash
    }

    public var description: String { "\(replica):\(sequence):\(hash)" }
}
