public import Events
import LMDB

/// A short summary of what is erased of a commit: two replicas with the same summary hold the same bytes of it.
public struct ErasureState: Hashable, Sendable {
    /// The bytes of a state on the wire: the commit's hash, and half of a hash over what is erased.
    public static let size = 48

    /// The commit's hash.
    public let commit: Digest
    public let bytes: [UInt8]

    private static let all = half(of: [1])
    private static let each = half(of: [2])

    init(_ commit: Digest, _ leaves: ErasedLeaves) {
        self.commit = commit
        bytes =
            commit.bytes
            + {
                switch leaves {
                case .all: Self.all
                // Five statements on each of many commits must not cost 64 KB of hashing per greeting.
                case .each: Self.each
                case .some(let leaves): Self.half(of: [0] + leaves.encoded())
                }
            }()
    }

    private static func half(of said: [UInt8]) -> [UInt8] {
        var builder = DigestBuilder()
        builder.add(said)
        return Array(builder.finish().bytes.prefix(16))
    }

    /// Nil unless there are `size` bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, let commit = bytes.withUnsafeBytes({ Digest($0.part(0..<Digest.size)) }) else {
            return nil
        }
        self.commit = commit
        self.bytes = bytes
    }
}

extension LogSnapshot {
    /// Returns the erased leaves of each forwarded commit of the journal, by commit hash, as far as the erasures count.
    /// O(erasures).
    public func erasureStates() throws -> [ErasureState] {
        guard try hasErasures() else { return [] }
        var found: [ErasureState] = []
        var counting: [Erasure] = []
        let verdicts = try verdicts()
        let journal = try journal()
        var listed = ListedCommits(journal: journal, own: try replica(), verdicts)
        func finishCommit() {
            guard let commit = counting.first?.commit.hash else { return }
            found.append(ErasureState(commit, CommitErasures(held: counting).leaves))
            counting = []
        }
        try forEachErasure { erasure in
            if erasure.commit.hash != counting.first?.commit.hash { finishCommit() }
            if try verdicts.counts(erasure) && erasure.journal == journal && listed.contains(erasure.commit, self) {
                counting.append(erasure)
            }
        }
        finishCommit()
        return found
    }

    /// SHA-256 of all states in order; nil if nothing is erased. O(erasures).
    public func erasureDigest() throws -> Digest? {
        let states = try erasureStates()
        guard !states.isEmpty else { return nil }
        var builder = DigestBuilder()
        for state in states { builder.add(state.bytes) }
        return builder.finish()
    }
}

/// Decides which commits are forwarded, for many commits of few replicas.
struct ListedCommits {
    private let journal: JournalID
    private let own: ReplicaID
    private let verdicts: Verdicts
    /// Replicas whose commits are listed up to a cut.
    private var cut: [ReplicaID: (family: LineFamily, reach: LineReach?)] = [:]

    init(journal: JournalID, own: ReplicaID, _ verdicts: Verdicts) {
        self.journal = journal
        self.own = own
        self.verdicts = verdicts
    }

    /// Whether a commit of the journal is forwarded that a signature vouches for.
    mutating func contains(_ commit: CommitID, _ log: borrowing LogSnapshot) throws -> Bool {
        switch verdicts.listing(of: commit.replica) {
        case .whole: return true
        case .nothing: return commit.replica == own
        case .cut, .start:
            if cut[commit.replica] == nil {
                let family = try log.family(of: commit.replica, in: journal)
                cut[commit.replica] = (family, try log.listedReach(of: family, verdicts))
            }
            guard let (family, reach) = cut[commit.replica], let reach, let owner = try family.owner(of: commit, log)
            else { return false }
            return reach.includes(commit.sequence, on: owner.head.line)
        }
    }
}
