import Events

/// What follows once the members are known: invitations and requests, voids, and who succeeds whom.
extension MembershipResolver {
    mutating func resolveInvitations() throws {
        var invitations: [[UInt8]: (invitation: Invitation, by: ReplicaID, used: Int)] = [:]
        var withdrawn: Set<[UInt8]> = []
        var used: [[UInt8]: Set<ReplicaID>] = [:]
        for (admin, entries) in admins {
            for entry in entries {
                switch entry.statement {
                case .invitation(let invitation) where invitations[invitation.key] == nil:
                    invitations[invitation.key] = (invitation, admin, 0)
                case .withdrawal(let key): withdrawn.insert(key)
                case .grant(let grantee, _, let key?): used[key, default: []].insert(grantee)
                default: break
                }
            }
        }
        for key in withdrawn { invitations[key] = nil }
        for (key, grantees) in used { invitations[key]?.used = grantees.count }
        membership.invitations = invitations
        for (replica, entries) in facts.entries where membership.members[replica] == nil {
            let standing = try entries.filter { try !isReplaced($0) }.sorted { $0.position < $1.position }
            let requests = standing.compactMap { entry in
                if case .request(let request) = entry.statement { request } else { nil }
            }
            // A signature takes as long to check as a thousand statements to read.
            for request in requests.prefix(MembershipRequest.mostJudged)
            where request.isSigned(journal: facts.journal, replica: replica, signatures) {
                membership.claims[replica] = request
                if membership.isOpen(request.invitation) { membership.requests[replica] = request }
            }
        }
    }

    /// Of a commit, an admin's newest statement counts, or, where no admin made one, its author's.
    mutating func resolveVoids() throws {
        struct Word {
            let isAdmin: Bool
            let stamp: Stamp
            let index: Int
            let isVoid: Bool

            func isBehind(_ other: Word) -> Bool {
                if isAdmin != other.isAdmin { return other.isAdmin }
                if stamp != other.stamp { return stamp < other.stamp }
                return index < other.index
            }
        }
        var words: [CommitID: Word] = [:]
        for member in membership.members.values where member.role >= .write {
            for entry in facts.entries[member.replica] ?? [] {
                guard case .void(let target, let isVoid) = entry.statement, !facts.commits.contains(target.hash),
                    member.role == .admin || target.replica == member.replica,
                    try counts(entry.commit, of: member), try !isReplaced(entry)
                else { continue }
                let stamp = Stamp(timestamp: entry.timestamp, replica: member.replica, hash: entry.commit.hash)
                let word = Word(isAdmin: member.role == .admin, stamp: stamp, index: entry.index, isVoid: isVoid)
                if let held = words[target], !held.isBehind(word) { continue }
                words[target] = word
            }
        }
        for (target, word) in words where word.isVoid { membership.voids[target] = word.stamp.replica }
    }

    mutating func relatePredecessors() {
        membership.revoked = Set(revocations.keys)
        membership.predecessors = facts.predecessors
        for replica in facts.predecessors.keys { countSuccessor(replica) }
        for unknown in facts.unknownPredecessors.values { membership.unknownPredecessors.formUnion(unknown) }
        for replica in membership.requests.keys {
            membership.waitingPredecessors.formUnion(membership.grantees(with: replica).dropFirst())
        }
        membership.waitingPredecessors.subtract(membership.requests.keys)
        let known = Set(membership.members.keys).union(membership.requests.keys).union(membership.waitingPredecessors)
        for replica in known { membership.named.formUnion(predecessors(of: replica)) }
        membership.named.subtract(known)
    }

    /// The replicas that first commits name as predecessors of a replica, directly or indirectly, nearest first: at
    /// most as many as there may be successors, because the holder of any key can name any replica.
    private func predecessors(of replica: ReplicaID) -> Set<ReplicaID> {
        var found: Set<ReplicaID> = []
        var level = [replica]
        while !level.isEmpty {
            var next: [ReplicaID] = []
            for successor in level {
                let named = (facts.predecessors[successor] ?? []).union(facts.unknownPredecessors[successor] ?? [])
                for former in named.sorted() where former != replica && !found.contains(former) {
                    guard found.count < Self.mostSuccessors else { return found }
                    found.insert(former)
                    next.append(former)
                }
            }
            level = next
        }
        return found
    }

    /// Counts a replica for those that it succeeds, up to those that were granted their role. Replicas beyond more
    /// steps than there may be successors have reached their limit without it.
    private mutating func countSuccessor(_ replica: ReplicaID) {
        // It has its role by itself.
        if membership.isRoot(replica) { return }
        var seen: Set<ReplicaID> = [replica]
        var level = [replica]
        for _ in 0..<Self.mostSuccessors where !level.isEmpty {
            var next: [ReplicaID] = []
            for successor in level {
                for former in facts.predecessors[successor] ?? [] where seen.insert(former).inserted {
                    membership.successorCounts[former, default: 0] += 1
                    if !membership.isRoot(former) { next.append(former) }
                }
            }
            level = next
        }
    }
}
