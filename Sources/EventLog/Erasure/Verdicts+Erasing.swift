package import Events

extension LogSnapshot {
    /// Whether the log's replica may erase what another wrote: for plans, also of a log that is open for reading alone.
    package func mayErase(commitsOf author: ReplicaID) throws -> Bool {
        try verdicts().mayErase(replica(), commitsOf: author)
    }
}

extension Verdicts {
    /// Whether a replica may state now that a commit of another, or its own, is erased. In a founded journal the
    /// members decide; in an open one the author alone erases.
    func mayErase(_ eraser: ReplicaID, commitsOf author: ReplicaID) -> Bool {
        membership?.mayErase(eraser, commitsOf: author) ?? (eraser == author)
    }
}

extension Membership {
    /// Whether a replica may state that it erases what another wrote. An admin and the author may. So may the author's
    /// successors, as long as they are members or wait to become members, so that every replica knows of them. Revoked
    /// replicas and their successors may not: the holder of a revoked key can make any number of successors.
    func mayErase(_ eraser: ReplicaID, commitsOf author: ReplicaID) -> Bool {
        guard !isFallen(eraser) else { return false }
        if eraser == author || members[eraser]?.role == .admin { return true }
        guard members[eraser] != nil || waits(eraser) else { return false }
        return isSameOrSuccessor(eraser, of: author, unless: isFallen)
    }

    /// Whether a revocation names a replica, or one that it succeeds as a member.
    private func isFallen(_ replica: ReplicaID) -> Bool {
        members[replica]?.isRevoked ?? false || members[replica] == nil && revoked.contains(replica)
    }

    /// Whether a replica is another, or its successor by handovers, none of which was from an excluded replica.
    /// O(handovers).
    func isSameOrSuccessor(
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
}
