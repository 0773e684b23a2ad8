public import Events
import LMDB

/// What is erased of a commit, in short: two replicas that say the same of it hold the same of it.
public struct ErasureState: Hashable, Sendable {
    /// The bytes of a state that are handed on: the commit's hash, and half of one over what is erased.
    public static let size = 48

    /// The commit's hash.
    public let commit: Digest
    public let bytes: [UInt8]

    init(_ commit: Digest, _ leaves: ErasedLeaves) {
        var builder = DigestBuilder()
        switch leaves {
        case .all: builder.add([1])
        case .some(let leaves): builder.add([0] + leaves.encoded())
        }
        self.commit = commit
        bytes = commit.bytes + builder.finish().bytes.prefix(16)
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
    /// What is erased of each commit of which something is, in the order of their hashes. O(erasures).
    public func erasureStates() throws -> [ErasureState] {
        var found: [ErasureState] = []
        var statements: [Erasure] = []
        func finishCommit() {
            guard let commit = statements.first?.commit.hash else { return }
            found.append(ErasureState(commit, CommitErasures(held: statements).leaves))
            statements = []
        }
        try forEachErasure { erasure in
            if erasure.commit.hash != statements.first?.commit.hash { finishCommit() }
            statements.append(erasure)
        }
        finishCommit()
        return found
    }

    /// SHA-256 of all states, one after the other; nil if nothing is erased. O(erasures).
    public func erasureDigest() throws -> Digest? {
        guard try hasErasures() else { return nil }
        var builder = DigestBuilder()
        for state in try erasureStates() { builder.add(state.bytes) }
        return builder.finish()
    }
}
