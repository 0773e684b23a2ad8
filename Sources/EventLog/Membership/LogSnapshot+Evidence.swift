package import Events

extension LogSnapshot {
    /// The commits with statements about members that were written up to the one that revoked any of some replicas: with all commits before
    /// them on their lines, and with what those replicas held, they show that they were revoked. Empty if they were not. None of a later
    /// time: what was written after a revocation is not for who was revoked.
    ///
    /// O(statements).
    package func evidence(ofRevoking replicas: Set<ReplicaID>) throws -> [CommitID] {
        let journal = try journal()
        var facts = MembershipFacts(journal: journal)
        try forEachStatement { facts.add($0, $1, $2) }
        let entries = facts.entries.values.joined()
        let revoking = entries.filter { entry in
            if case .revocation(let replica, _) = entry.statement { replicas.contains(replica) } else { false }
        }
        guard let last = revoking.map(\.timestamp).max() else { return [] }
        let commits = Set(entries.filter { $0.timestamp <= last }.map(\.commit))
        return try withoutPredecessors(heldSigned(Array(commits), in: journal), in: journal).sorted()
    }
}
