public import Events

/// A commit with missing bytes that no counting erasure names, and its predecessor on its line.
public struct LostBytes: Hashable, Sendable {
    public let commit: CommitID
    /// Nil for the first of a line.
    public let previous: CommitID?
}

extension LogSnapshot {
    /// The commits of a journal with missing bytes that no counting erasure names, in log order. The bytes were removed
    /// from the file, or their eraser was revoked. O(commits).
    public func lostBytes(of journal: JournalID) throws -> [LostBytes] {
        var found: [LostBytes] = []
        try forEachCommit(after: .start) { commit in
            let header = commit.header
            guard header.journal == journal, let missing = commit.view.erased,
                try !missing.isSubset(of: erasedLeaves(of: commit.hash))
            else { return true }
            let id = CommitID(replica: header.replica, sequence: header.sequence, hash: commit.hash)
            found.append(LostBytes(commit: id, previous: try predecessor(of: id, in: journal)))
            return true
        }
        return found
    }

    /// Those for which erasures are held that do not count: a replica on the way removed the bytes under a key of no
    /// member, or the eraser was revoked. O(erasures).
    public func wronglyErased(of journal: JournalID) throws -> [LostBytes] {
        guard try hasErasures() else { return [] }
        let verdicts = try verdicts()
        var commits: Set<CommitID> = []
        try forEachErasure { erasure in
            if erasure.journal == journal, !verdicts.counts(erasure) { commits.insert(erasure.commit) }
        }
        return try commits.sorted().compactMap { id in
            guard let position = try position(of: id, in: journal), let missing = try commit(at: position)?.view.erased,
                try !missing.isSubset(of: erasedLeaves(of: id.hash))
            else { return nil }
            return LostBytes(commit: id, previous: try predecessor(of: id, in: journal))
        }
    }

    private func predecessor(of commit: CommitID, in journal: JournalID) throws -> CommitID? {
        let family = try family(of: commit.replica, in: journal)
        guard commit.sequence.rawValue > 1, let owner = try family.owner(of: commit, self) else { return nil }
        let sequence = SequenceNumber(commit.sequence.rawValue - 1)
        return try family.hash(of: sequence, on: owner, self).map {
            CommitID(replica: commit.replica, sequence: sequence, hash: $0)
        }
    }
}
