package import Events

// The face of erasing that the layers above use, over erasures that every replica obeys at once. Statements in commits
// of the eraser's line replace this file.

/// A stated erasure of leaves of one commit.
package struct StatedErasure: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        /// The leaves are hidden, and removed here from a time on, in milliseconds since 1970.
        case pending(removedFrom: Int64)
        case removed
        case takenBack(by: [ReplicaID])
    }

    package let eraser: ReplicaID
    /// The eraser's clock, in milliseconds since 1970.
    package let time: Int64
    /// The commit that states it.
    package let statement: CommitID
    /// The commit of which it erases leaves.
    package let commit: CommitID
    package let leaves: ErasedLeaves
    package let state: State
}

extension Log {
    /// Erases leaves of commits. Returns the commits that state it.
    package func erase(_ parts: [CommitID: ErasedLeaves], sweeping entities: [EntityReference] = []) async throws
        -> [CommitID]
    {
        let commits = parts.keys.sorted()
        for commit in commits { if let leaves = parts[commit] { try await erase(leaves, in: commit) } }
        return commits
    }

    /// Takes erasures of leaves back. Returns the commits that state it.
    package func takeBack(_ parts: [CommitID: ErasedLeaves]) async throws -> [CommitID] {
        throw EventLogError(.noEffect, "The bytes were removed everywhere at once, so there is nothing to take back.")
    }

    /// Removes hidden leaves whose time has come. Returns their number.
    package func removeDue() async throws -> Int { 0 }
}

extension LogSnapshot {
    /// The commit at a position with all that is stored of it.
    package func storedCommit(at position: Position) throws -> StoredCommit? { try commit(at: position) }

    /// The stated erasures of the log's own journal. `now` is in milliseconds since 1970.
    package func statedErasures(at now: Int64) throws -> [StatedErasure] {
        guard try hasErasures() else { return [] }
        let (verdicts, journal) = (try verdicts(), try journal())
        var found: [StatedErasure] = []
        try forEachErasure { erasure in
            guard erasure.journal == journal, verdicts.counts(erasure) else { return }
            found.append(
                StatedErasure(
                    eraser: erasure.eraser, time: erasure.time, statement: erasure.commit, commit: erasure.commit,
                    leaves: erasure.leaves, state: .removed))
        }
        return found
    }
}
