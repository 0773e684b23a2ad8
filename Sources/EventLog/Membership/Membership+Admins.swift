public import Events

extension Membership {
    /// Throws `EventLogError.notAMember` unless a replica is an admin.
    func checkAdmin(_ replica: ReplicaID) throws(EventLogError) {
        let role = role(of: replica)
        guard role != .admin else { return }
        throw EventLogError(
            .notAMember,
            "Replica \(replica) \(role.map { "has the role \($0)" } ?? "is no member"): an admin alone decides who is one. Nothing was "
                + "written. Admins: \(admins.map(\.description).joined(separator: ", ")).")
    }

    /// The admins, in order.
    public var admins: [ReplicaID] {
        members.values.filter { $0.role == .admin && !$0.isRevoked }.map(\.replica).sorted()
    }

    /// A replica and all its successors, members or not. O(handovers).
    package func successors(of replica: ReplicaID) -> Set<ReplicaID> {
        var heirs: [ReplicaID: [ReplicaID]] = [:]
        for (successor, formers) in predecessors {
            for former in formers { heirs[former, default: []].append(successor) }
        }
        var found: Set<ReplicaID> = [replica]
        var waiting = [replica]
        while let next = waiting.popLast() {
            for heir in heirs[next] ?? [] where found.insert(heir).inserted { waiting.append(heir) }
        }
        return found
    }

    /// Successors that an admin's store grants their role, because a replica has so many: those that are no members for it,
    /// from the newest on, and those that are, are no admins, and have no successor. O(handovers), if any replica has many.
    func outgrown() -> [(replica: ReplicaID, role: MemberRole)] {
        guard successorCounts.values.contains(where: { $0 >= MembershipResolver.grantedFrom }) else { return [] }
        var heirs: [ReplicaID: [ReplicaID]] = [:]
        for (successor, formers) in predecessors {
            for former in formers { heirs[former, default: []].append(successor) }
        }
        return predecessors.keys.sorted().compactMap { replica in
            let heirs = heirs[replica] ?? []
            if let member = members[replica] {
                let isDue =
                    member.role < .admin && !member.isRevoked && !isRoot(replica) && heirs.isEmpty
                    && successorCount(withRootOf: replica) >= MembershipResolver.grantedFrom
                return isDue ? (replica, member.role) : nil
            }
            guard !waits(replica), heirs.allSatisfy({ members[$0] != nil }) else { return nil }
            return roleOfPredecessors(replica).map { (replica, $0) }
        }
    }

    /// The highest role of a replica's predecessors; nil if none is a member, or any was revoked.
    func roleOfPredecessors(_ replica: ReplicaID) -> MemberRole? {
        var found: MemberRole?
        var seen: Set<ReplicaID> = [replica]
        var waiting = [replica]
        while let next = waiting.popLast() {
            if revoked.contains(next) { return nil }
            found = [found, members[next]?.role].compactMap { $0 }.max()
            for former in predecessors[next] ?? [] where seen.insert(former).inserted { waiting.append(former) }
        }
        return found
    }
}
