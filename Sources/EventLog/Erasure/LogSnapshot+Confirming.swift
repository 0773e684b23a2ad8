import Events

extension LogSnapshot {
    /// The parts of an erasure, stated by a commit, whose bytes go at once, and not after some days, if this replica
    /// erases them as well.
    ///
    /// An admin confirms what the author of commits erases. Throws `EventLogError`: `.notAMember` if this replica is no
    /// admin; `.noEffect` if there are no such parts, or the journal has no members.
    package func confirmable(
        _ parts: [CommitID: ErasedLeaves], of statement: CommitID
    ) throws -> [CommitID: ErasedLeaves] {
        let (membership, own) = try membershipWithOwn()
        try membership.checkAdmin(own)
        let (rights, fates) = (ErasingRights(membership: membership), try erasing()?.fates ?? [:])
        let found = parts.filter { commit, _ in
            rights.part(of: own, over: commit.replica) == .admin
                && fates[commit]?.erasures.contains { erasure in
                    erasure.fact.commit == statement && erasure.part == .author && !erasure.standing.isEmpty
                        && rights.confirms(own, erasure)
                } ?? false
        }
        if !found.isEmpty { return found }
        throw EventLogError(
            .noEffect,
            "Nothing of this erasure goes earlier if replica \(own) confirms it: an admin confirms what the author of "
                + "commits erases, unless that one made it an admin. What an admin erases of others goes when its time "
                + "comes. Nothing was written.")
    }
}
