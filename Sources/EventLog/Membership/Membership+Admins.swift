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

    /// The most granted replicas among those that hand over to each other, for which stores grant further ones by themselves: the holder
    /// of a member's key can sign any number of successors.
    static let mostFamilyGrants = 256

    /// Successors that an admin's store grants their role, because a replica has so many: of each replica that was granted its role the one
    /// that is the most handovers away, if it has no successor that waits for its role, and either is no member for it or is a member, but
    /// no admin, and has no successor. O(handovers), if any replica has many.
    func outgrown() -> [(replica: ReplicaID, role: MemberRole)] {
        guard successorCounts.values.contains(where: { $0 >= MembershipResolver.grantedFrom }) else { return [] }
        var heirs: [ReplicaID: Set<ReplicaID>] = [:]
        for (successor, formers) in predecessors {
            for former in formers { heirs[former, default: []].insert(successor) }
        }
        var newest: [ReplicaID: (replica: ReplicaID, role: MemberRole, steps: Int)] = [:]
        for replica in predecessors.keys.sorted() {
            guard let role = outgrownRole(of: replica, heirs[replica] ?? []), let (root, steps) = root(of: replica),
                newest[root].map({ $0.steps < steps }) ?? true
            else { continue }
            newest[root] = (replica, role, steps)
        }
        return newest.values.sorted { $0.replica < $1.replica }
            .filter { grants(inFamilyOf: $0.replica, heirs) < Self.mostFamilyGrants }
            .map { ($0.replica, $0.role) }
    }

    /// The role that an admin's store may grant a successor; nil if it needs none.
    private func outgrownRole(of replica: ReplicaID, _ heirs: Set<ReplicaID>) -> MemberRole? {
        guard let member = members[replica] else {
            return waits(replica) || heirs.contains { members[$0] == nil } ? nil : roleOfPredecessors(replica)
        }
        let isDue =
            member.role < .admin && !member.isRevoked && !isRoot(replica) && heirs.isEmpty
            && successorCount(withRootOf: replica) >= MembershipResolver.grantedFrom
        return isDue ? member.role : nil
    }

    /// The replica that was granted the role of a replica, or of the nearest that it succeeds, and the handovers from there.
    private func root(of replica: ReplicaID) -> (root: ReplicaID, steps: Int)? {
        var (level, steps): (Set<ReplicaID>, Int) = ([replica], 0)
        var seen = level
        while !level.isEmpty {
            if let member = level.sorted().lazy.compactMap({ members[$0] }).first {
                var root = member.replica
                while let former = members[root]?.predecessor { root = former }
                return (root, steps + member.depth)
            }
            level = Set(level.flatMap { predecessors[$0] ?? [] }).subtracting(seen)
            seen.formUnion(level)
            steps += 1
        }
        return nil
    }

    /// How many replicas were granted a role among those from which handovers lead to a replica, and from it, in any direction.
    private func grants(inFamilyOf replica: ReplicaID, _ heirs: [ReplicaID: Set<ReplicaID>]) -> Int {
        var found: Set<ReplicaID> = [replica]
        var waiting = [replica]
        while let next = waiting.popLast() {
            let near = (predecessors[next] ?? []).union(heirs[next] ?? [])
            for other in near where found.insert(other).inserted { waiting.append(other) }
        }
        return found.count(where: isRoot)
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
