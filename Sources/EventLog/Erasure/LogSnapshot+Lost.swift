public import Events

/// A commit of which bytes are missing that no erasure which counts names, and the one before it on its line.
public struct LostBytes: Hashable, Sendable {
    public let commit: CommitID
    /// Nil for the first of a line.
    public let previous: CommitID?
}

extension LogSnapshot {
    /// The commits of a journal of which bytes are missing that no erasure which counts names, in the order of the log. Somebody
    /// took them out of the file, or who erased them was revoked. O(commits).
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

    /// Those of them for which erasures are held that do not count: somebody on the way took the bytes out under a key of no member, or
    /// who erased them was revoked. O(erasures).
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
