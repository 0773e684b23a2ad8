import Events

/// The erasures of a log that is verified, until the commits come that they are of.
struct HeldErasures {
    private var byCommit: [Digest: [Erasure]] = [:]

    /// Reads the table; `find` is told of rows that are no erasures.
    init(_ rows: any LogRows, _ find: (String) -> Void) throws {
        var found: [Digest: [Erasure]] = [:]
        try rows.forEachRow(of: .erasures) { key, value in
            do throws(WireError) {
                let erasure = try Erasure([UInt8](value))
                guard [UInt8](key) == erasure.key else { throw WireError("the key is not that of the erasure") }
                found[erasure.commit.hash, default: []].append(erasure)
            } catch {
                find("A row of erasures cannot be read: \(error).")
            }
        }
        byCommit = found
    }

    init() {}

    /// What is erased of a commit; `findWrong` is told of erasures that do not count.
    mutating func leaves(
        of commit: CommitView, _ hash: Digest, key: [UInt8]?, _ findWrong: () -> Void
    ) -> ErasedLeaves {
        let header = commit.header
        let name = CommitID(replica: header.replica, sequence: header.sequence, hash: hash)
        var found = CommitErasures()
        let leafCount = commit.leafCount
        var counting = (byCommit.removeValue(forKey: hash) ?? []).filter { erasure in
            let counts =
                erasure.commit == name && !header.isMembership && erasure.journal == header.journal
                && erasure.leaves.areWithin(leafCount) && key.map(erasure.isSigned(with:)) ?? false
            if !counts { findWrong() }
            return counts
        }
        while counting.count > CommitErasures.enoughForAll {
            counting.removeLast()
            findWrong()
        }
        _ = found.add(counting)
        return found.leaves
    }

    /// How many are left: of commits that are not here.
    var count: Int { byCommit.values.reduce(0) { $0 + $1.count } }
}
