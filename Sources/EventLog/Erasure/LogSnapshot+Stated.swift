package import Events

/// An erasure that a held commit states, and what becomes of it on this log.
package struct StatedErasure: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        /// Hidden. This log removes the bytes at a time, in milliseconds since 1970, unless it is taken back.
        case pending(removedFrom: Int64)
        /// The bytes are not here any more, or the commit is not held.
        case removed
        /// Nothing of it stands: these replicas took it back, or its causes. None if no cause is held that counts.
        case takenBack(by: [ReplicaID])
    }

    package let eraser: ReplicaID
    /// When it was stated, in milliseconds since 1970, by the eraser's clock.
    package let time: Int64
    /// The commit that states it.
    package let statement: CommitID
    /// The commit that it erases, or a part of it.
    package let commit: CommitID
    package let leaves: ErasedLeaves
    /// The commits that state the erasures for which it erases what arrived late; empty if it stands by itself.
    package let causes: [CommitID]
    package let state: State
}

extension LogSnapshot {
    /// The erasures that count, by the erased commits and then in the order of the merge. `now` is in milliseconds
    /// since 1970.
    ///
    /// O(statements).
    package func statedErasures(at now: Int64) throws -> [StatedErasure] {
        guard let erasing = try erasing() else { return [] }
        let (journal, due) = (try journal(), ErasureDue(at: now, erasing))
        var found: [StatedErasure] = []
        for (commit, fate) in erasing.fates.sorted(by: { $0.key < $1.key }) {
            let stored = try position(of: commit, in: journal).flatMap { try storedCommit(at: $0) }
            if stored?.header.isErasable == false { continue }
            for erasure in fate.fitting(stored?.view.leafCount) {
                found.append(
                    StatedErasure(
                        eraser: erasure.eraser, time: erasure.erasure.time, statement: erasure.fact.commit,
                        commit: commit, leaves: erasure.erasure.leaves, causes: erasure.fact.causes,
                        state: Self.state(of: erasure, fate, stored, due)))
            }
        }
        return found
    }

    private static func state(
        of erasure: CountingErasure, _ fate: CommitFate, _ stored: StoredCommit?, _ due: ErasureDue
    ) -> StatedErasure.State {
        if erasure.standing.isEmpty {
            return .takenBack(by: erasure.left.isEmpty ? erasure.takenBackBy : erasure.causesTakenBackBy)
        }
        guard let view = stored?.view else { return .removed }
        let standing = LeafSelection(erasure.standing.leaves(of: view.leafCount))
        if standing.isSubset(of: LeafSelection(view.erased)) { return .removed }
        let isDue = standing.isSubset(of: due.removable(fate, view.leafCount))
        return .pending(removedFrom: isDue ? min(due.now, due.time(of: erasure)) : due.time(of: erasure))
    }
}

extension Log {
    /// The erasures that count, as of now by this log's clock: see `LogSnapshot.statedErasures(at:)`.
    package func statedErasures() throws -> [StatedErasure] {
        let now = wallClock
        return try read { try $0.statedErasures(at: now) }
    }
}
