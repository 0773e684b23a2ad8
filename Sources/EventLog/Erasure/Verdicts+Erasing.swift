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
    /// Whether a replica may erase what another wrote: an admin may, and the author, and whoever goes on in the author's place;
    /// none of them once it was revoked.
    func mayErase(_ eraser: ReplicaID, commitsOf author: ReplicaID) -> Bool {
        if let member = members[eraser] {
            if member.isRevoked { return false }
            if member.role == .admin { return true }
        }
        return isInPlace(eraser, of: author)
    }

    /// Whether a replica is another, or goes on in its place by handovers. O(handovers).
    func isInPlace(_ replica: ReplicaID, of former: ReplicaID) -> Bool {
        var seen: Set<ReplicaID> = [replica]
        var waiting = [replica]
        while let next = waiting.popLast() {
            if next == former { return true }
            waiting += (predecessors[next] ?? []).filter { seen.insert($0).inserted }
        }
        return false
    }

    /// All that decides which erasures count: as long as it is the same, the same ones do.
    var erasingRights: ErasingRights {
        ErasingRights(
            admins: Set(members.values.lazy.filter { $0.role == .admin }.map(\.replica)),
            revoked: Set(members.values.lazy.filter(\.isRevoked).map(\.replica)), predecessors: predecessors)
    }
}

/// Who may erase, and who no longer.
struct ErasingRights: Equatable {
    let admins: Set<ReplicaID>
    let revoked: Set<ReplicaID>
    let predecessors: [ReplicaID: Set<ReplicaID>]
}
