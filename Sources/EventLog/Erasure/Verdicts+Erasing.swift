import Events

extension Verdicts {
    /// Whether an erasure counts that is signed and names no leaf which the commit does not have.
    ///
    /// In a journal that somebody founded by the members, so that it depends on nothing but commits that everybody holds; in
    /// another the author alone erases.
    func counts(_ erasure: Erasure) -> Bool { mayErase(erasure.eraser, commitsOf: erasure.commit.replica) }

    func mayErase(_ eraser: ReplicaID, commitsOf author: ReplicaID) -> Bool {
        membership?.mayErase(eraser, commitsOf: author) ?? (eraser == author)
    }
}

extension Membership {
    /// Whether a replica may erase what another wrote: an admin may, and the author; and whoever goes on in the author's place, if it is a
    /// member or waits, so that everybody knows of it. Nobody may who was revoked, nor in the place of somebody who was: whoever has a
    /// key that was revoked makes as many successors as it likes.
    func mayErase(_ eraser: ReplicaID, commitsOf author: ReplicaID) -> Bool {
        guard !isFallen(eraser) else { return false }
        if eraser == author || members[eraser]?.role == .admin { return true }
        guard members[eraser] != nil || waits(eraser) else { return false }
        return isInPlace(eraser, of: author, unless: isFallen)
    }

    /// Whether a revocation names a replica, or one in whose place it is a member.
    private func isFallen(_ replica: ReplicaID) -> Bool {
        members[replica]?.isRevoked ?? false || members[replica] == nil && revoked.contains(replica)
    }

    /// Whether a replica is another, or goes on in its place by handovers, none of which was one of a replica that is passed over.
    /// O(handovers).
    func isInPlace(
        _ replica: ReplicaID, of former: ReplicaID, unless isPassedOver: (ReplicaID) -> Bool = { _ in false }
    ) -> Bool {
        var seen: Set<ReplicaID> = [replica]
        var waiting = [replica]
        while let next = waiting.popLast() {
            if next == former { return true }
            waiting += (predecessors[next] ?? []).filter { seen.insert($0).inserted && !isPassedOver($0) }
        }
        return false
    }

    /// All that decides which erasures count: as long as it is the same, the same ones do.
    var erasingRights: ErasingRights {
        ErasingRights(
            roles: members.mapValues { $0.isRevoked ? nil : $0.role }, revoked: revoked,
            waiting: Set(requests.keys).union(waitingPredecessors), predecessors: predecessors)
    }
}

/// Who may erase, and who no longer.
struct ErasingRights: Equatable {
    /// Of members; nil of those who were revoked.
    let roles: [ReplicaID: MemberRole?]
    let revoked: Set<ReplicaID>
    let waiting: Set<ReplicaID>
    let predecessors: [ReplicaID: Set<ReplicaID>]
}
