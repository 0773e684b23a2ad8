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
}
