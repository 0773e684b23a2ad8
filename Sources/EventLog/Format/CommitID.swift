public import Events

/// Names a commit so that it means the same on every replica.
///
/// The number alone would not do: a replica that was copied or restored may have written two commits with one number.
public struct CommitID: Hashable, Sendable, Comparable, CustomStringConvertible {
    public let replica: ReplicaID
    public let sequence: SequenceNumber
    public let hash: Digest

    public init(replica: ReplicaID, sequence: SequenceNumber, hash: Digest) {
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
