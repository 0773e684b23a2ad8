package import Events

extension LogSnapshot {
    /// What is held of each replica of the journal that is written to: the newest commits of its branches.
    ///
    /// Of more times than `count`, those of members that may write come first, then those of other members, then those
    /// of replicas that wait to become members: so that nobody who waits displaces a member, whatever its clock says. O(lines).
    package func held(atMost count: Int = VersionVector.mostTimes) throws -> VersionVector {
        let (verdicts, own) = (try verdicts(), try replica())
        var ranks: [[(replica: ReplicaID, newest: Timestamp)]] = [[], [], []]
        for family in try families(of: try journal()) {
            guard let rank = Self.rank(of: family.replica, verdicts, own: own) else { continue }
            ranks[rank] += family.members.map { (family.replica, $0.head.timestamp) }
        }
        var times: [(replica: ReplicaID, newest: Timestamp)] = []
        for rank in ranks {
            times += VersionVector(times: rank).latest(count - times.count).times
        }
        return VersionVector(times: times)
    }

    /// The lower comes first; nil of a replica that is no member and does not wait to become one.
    private static func rank(of replica: ReplicaID, _ verdicts: Verdicts, own: ReplicaID) -> Int? {
        guard let membership = verdicts.membership, replica != own, !verdicts.waiting.contains(replica) else {
            return 0
        }
        if let member = membership.members[replica] { return member.role >= .write && !member.isRevoked ? 0 : 1 }
        return membership.waits(replica) ? 2 : nil
    }
}
