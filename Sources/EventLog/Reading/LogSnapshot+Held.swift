package import Events

extension LogSnapshot {
    /// What is held of each replica of the journal that is written to: the newest commits of its branches.
    ///
    /// If there are more than `count` times, members that may write come first, then other members, then replicas that
    /// request membership: so no waiting replica displaces a member, whatever its clock says. O(lines).
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

    /// Lower ranks come first; nil for a replica that is no member and has not requested it.
    private static func rank(of replica: ReplicaID, _ verdicts: Verdicts, own: ReplicaID) -> Int? {
        guard let membership = verdicts.membership, replica != own, !verdicts.waiting.contains(replica) else {
            return 0
        }
        if let member = membership.members[replica] { return member.role >= .write && !member.isRevoked ? 0 : 1 }
        return membership.waits(replica) ? 2 : nil
    }
}
