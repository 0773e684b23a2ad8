public import Events
import LMDB

/// A short summary of some leaves of a commit: those that are hidden, or that are missing.
public struct ErasureState: Hashable, Sendable {
    /// The bytes of a state on the wire: the commit's hash, and half of a hash over the leaves.
    public static let size = 48

    /// The commit's hash.
    public let commit: Digest
    public let bytes: [UInt8]

    private static let all = half(of: [1])
    private static let each = half(of: [2])
    private static let eachLeaf = LeafSelection(.each)

    init(_ commit: Digest, _ leaves: ErasedLeaves) { self.init(commit, LeafSelection(leaves)) }

    init(_ commit: Digest, _ leaves: LeafSelection) {
        self.commit = commit
        bytes =
            commit.bytes
            + {
                switch leaves {
                case .all: Self.all
                // Each leaf of many commits must not cost 64 KB of hashing for each of them.
                case Self.eachLeaf: Self.each
                case .only(let leaves): Self.half(of: [0] + leaves.encoded())
                case .allBut(let leaves): Self.half(of: [3] + leaves.encoded())
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
    /// Returns the hidden leaves of each forwarded commit of the journal, by commit hash, whether it is held or not: equal on
    /// replicas that hold the same commits. O(statements).
    package func erasureStates() throws -> [ErasureState] {
        guard let erasing = try erasing() else { return [] }
        var listed = ListedCommits(journal: try journal(), own: try replica(), try verdicts())
        var found: [ErasureState] = []
        for (commit, fate) in erasing.fates.sorted(by: { $0.key.hash < $1.key.hash }) {
            let hidden = fate.hidden(nil)
            if !hidden.isEmpty, try listed.contains(commit, self) { found.append(ErasureState(commit.hash, hidden)) }
        }
        return found
    }

    /// SHA-256 of all states in order; nil if nothing is erased. O(statements).
    package func erasureDigest() throws -> Digest? {
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
