public import Events

/// A part of a line that ends at a signature: the unit that replicas exchange.
public struct LineSegment: Sendable, Hashable {
    public let journal: JournalID
    public let replica: ReplicaID
    /// The number of its first commit.
    public let first: SequenceNumber
    /// The hash of the commit before that, which it follows; `.zero` before commit 1.
    public let previous: Digest
    /// The commits' bytes, in order, without gaps.
    public let commits: [[UInt8]]
    /// The replica's signature over the last of them.
    public let signature: [UInt8]
    /// The erasures that explain missing bytes of the commits, whether they count or not: each the message `Erasure`.
    public let erasures: [[UInt8]]

    public init(
        journal: JournalID, replica: ReplicaID, first: SequenceNumber, previous: Digest, commits: [[UInt8]],
        signature: [UInt8], erasures: [[UInt8]] = []
    ) {
        self.journal = journal
        self.replica = replica
        self.first = first
        self.previous = previous
        self.commits = commits
        self.signature = signature
        self.erasures = erasures
    }

    /// The most commits of a segment: those that a line may have between two signatures.
    public static let largestCommitCount = Int(LineSignature.commitsBetween)
    /// The most bytes of a segment's erasures together.
    public static let largestErasureBytes = 8 << 20
    /// The most erasures of one commit in a segment: those that count, and as many that do not and explain missing
    /// bytes.
    public static let mostErasures = 2 * CommitErasures.most
    /// The most erased leaves of a segment's commits: each counts as 8 bytes at least.
    private static let mostErasedLeaves = Int(LineSignature.bytesBetween) / 8 + Int(LeafSet.limit)
    /// The most bytes of a segment's commits together: a line is signed with the commit that reaches the bound.
    public static let largestByteCount =
        Int(LineSignature.bytesBetween) - 1 + CommitView.sizeLimit + CommitView.erasedGrowth * mostErasedLeaves
        + 2 * CommitView.saltSize * largestCommitCount + CommitView.saltSize * Int(LeafSet.limit)

    /// The number of its last commit; `first` if it has none.
    public var last: SequenceNumber {
        SequenceNumber(first.rawValue &+ UInt64(max(commits.count, 1)) &- 1)
    }

    /// The names of its commits, if they follow `previous`: those up to the first that cannot be read. O(commits).
    public func commitIDs() -> [CommitID] {
        var found: [CommitID] = []
        var hash = previous
        for bytes in commits {
            guard let next = bytes.withUnsafeBytes({ raw in (try? CommitView(raw))?.hash(after: hash) }) else { break }
            hash = next
            let sequence = SequenceNumber(first.rawValue &+ UInt64(found.count))
            found.append(CommitID(replica: replica, sequence: sequence, hash: hash))
        }
        return found
    }

    /// Bytes of the commits together.
    public var byteCount: Int { commits.reduce(0) { $0 + $1.count } }

    /// Events in the commits; those of payloads that are not well-formed do not count. O(bytes).
    public var eventCount: Int { commits.reduce(0) { $0 + Self.eventCount(of: $1) } }

    /// The events of a commit, by its bytes; 0 if its payload cannot be read.
    package static func eventCount(of commit: [UInt8]) -> Int {
        commit.withUnsafeBytes { raw in
            guard let payload = (try? CommitView(raw))?.payload else { return 0 }
            return (try? payload.eventCount()) ?? 0
        }
    }
}

extension LineSegment {
    /// Checks everything that needs no log: the commits, their chain and payloads, the signature and the erasures. Returns the replica's
    /// public key.
    ///
    /// `publicKey` is that key, unless the segment begins with commit 1, which carries it. Throws `EventLogError.rejected` at the first fault.
    /// O(bytes).
    package func check(publicKey: [UInt8]?) throws -> [UInt8] {
        let verified = try VerifiedSegment(self, publicKey: publicKey)
        try verified.checkPayloads()
        return verified.publicKey
    }
}
