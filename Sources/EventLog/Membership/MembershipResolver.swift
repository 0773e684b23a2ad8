import Events

/// Decides which replicas may write: a pure function of the held commits.
///
/// Admins are resolved in order of rank, each within what higher ones left of it, and then all other replicas. A
/// revocation by an admin applies to every replica that is not resolved yet: admins of lower rank and all non-admins.
/// So of two admins that revoke each other the higher one stays, and every replica reaches the same result in whatever
/// order commits arrive. O(statements × cuts).
struct MembershipResolver {
    /// How many replicas may succeed one that was granted a role, directly or indirectly: those fewer handovers away
    /// come first, then those whose first commit has the lesser hash. Each copy of a store makes one.
    static let mostSuccessors = 64
    /// How many grants and handovers may lead from the founder to an admin.
    static let longestPath = 256

    typealias Precedes = (CommitID, CommitID) throws -> Bool

    private struct Revocation {
        let by: ReplicaID
        let cut: Set<CommitID>
    }

    /// One path by which a replica becomes an admin.
    private struct Candidate {
        let replica: ReplicaID
        let path: [MembershipFacts.Place]
        let grantedBy: ReplicaID?
        let predecessor: ReplicaID?
        let invitation: [UInt8]?
        /// The replica that was granted the role, and how many handovers lead from it here.
        let root: ReplicaID
        let depth: Int
    }

    private let facts: MembershipFacts
    /// Whether a commit is another or comes before it on its line; false if the other is not held.
    private let precedes: Precedes
    private let signatures: SignatureCache
    private var membership = Membership()
    /// The admins in order of rank, with their counting statements.
    private var admins: [(replica: ReplicaID, entries: [MembershipFacts.Entry])] = []
    private var revocations: [ReplicaID: [Revocation]] = [:]
    /// The highest rank last.
    private var candidates: [Candidate] = []
    /// By the replica that was granted the role.
    private var successorCounts: [ReplicaID: Int] = [:]

    private init(_ facts: MembershipFacts, _ signatures: SignatureCache, _ precedes: @escaping Precedes) {
        self.facts = facts
        self.signatures = signatures
        self.precedes = precedes
    }

    static func resolve(
        _ facts: MembershipFacts, _ signatures: SignatureCache = SignatureCache(), _ precedes: @escaping Precedes
    ) throws -> Membership {
        var resolver = MembershipResolver(facts, signatures, precedes)
        resolver.membership.founder = facts.founder
        try resolver.settleAdmins()
        try resolver.settleOthers()
        try resolver.settleInvitations()
        try resolver.settleVoids()
        resolver.relatePredecessors()
        return resolver.membership
    }

    // MARK: Admins

    private mutating func settleAdmins() throws {
        guard let founder = facts.founder else { return }
        candidates = [
            Candidate(
                replica: founder, path: [], grantedBy: nil, predecessor: nil, invitation: nil, root: founder, depth: 0)
        ]
        while let next = candidates.popLast() {
            guard membership.members[next.replica] == nil else { continue }
            if next.predecessor != nil && !admitSuccessor(of: next.root) { continue }
            try settle(next)
        }
    }

    /// Whether there is room for one more successor of a replica.
    private mutating func admitSuccessor(of root: ReplicaID) -> Bool {
        guard successorCounts[root, default: 0] < Self.mostSuccessors else { return false }
        successorCounts[root, default: 0] += 1
        return true
    }

    /// The successors of a replica, by the hashes of their first commits.
    private func successions(of replica: ReplicaID) -> [MembershipFacts.Succession] {
        var found: [MembershipFacts.Succession] = []
        var seen: Set<ReplicaID> = []
        for succession in (facts.successions[replica] ?? []).sorted(by: { $0.hash < $1.hash }) {
            if seen.insert(succession.successor).inserted { found.append(succession) }
        }
        return found
    }

    private mutating func settle(_ candidate: Candidate) throws {
        let replica = candidate.replica
        let member = member(
            replica, .admin, candidate.grantedBy, candidate.predecessor, candidate.invitation, candidate.path,
            candidate.depth)
        membership.members[replica] = member
        let entries = try counting(of: member)
        admins.append((replica, entries))
        for entry in entries {
            switch entry.statement {
            case .grant(let grantee, .admin, let invitation):
                consider(
                    Candidate(
                        replica: grantee, path: candidate.path + [entry.place], grantedBy: replica, predecessor: nil,
                        invitation: invitation, root: grantee, depth: 0))
            case .revocation(let target, let cut) where membership.members[target] == nil:
                revocations[target, default: []].append(Revocation(by: replica, cut: cut))
            default: break
            }
        }
        for succession in successions(of: replica) {
            let place = MembershipFacts.Place(sequence: SequenceNumber(1), hash: succession.hash, index: 0)
            consider(
                Candidate(
                    replica: succession.successor, path: candidate.path + [place], grantedBy: nil,
                    predecessor: replica, invitation: nil, root: candidate.root, depth: candidate.depth + 1))
        }
    }

    private mutating func consider(_ candidate: Candidate) {
        guard membership.members[candidate.replica] == nil, candidate.path.count <= Self.longestPath else { return }
        var (low, high) = (0, candidates.count)
        while low < high {
            let middle = (low + high) / 2
            if Member.outranks(candidate.path, candidates[middle].path) { low = middle + 1 } else { high = middle }
        }
        candidates.insert(candidate, at: low)
    }

    // MARK: Others

    private mutating func settleOthers() throws {
        var granted: [ReplicaID: (role: MemberRole, by: ReplicaID, invitation: [UInt8]?)] = [:]
        for (admin, entries) in admins {
            for entry in entries {
                guard case .grant(let grantee, let role, let invitation) = entry.statement, role != .admin,
                    membership.members[grantee] == nil, granted[grantee].map({ $0.role < role }) ?? true
                else { continue }
                granted[grantee] = (role, admin, invitation)
            }
        }
        for (replica, grant) in granted {
            membership.members[replica] = member(replica, grant.role, grant.by, nil, grant.invitation, [], 0)
        }
        // The highest role first, so that a successor of several replicas has the highest of theirs.
        for role in [MemberRole.write, .read, .relay] {
            settleSuccessors(role, of: granted.keys.filter { membership.members[$0]?.role == role })
        }
    }

    /// Gives a role to the successors of replicas, one handover after the other.
    private mutating func settleSuccessors(_ role: MemberRole, of granted: [ReplicaID]) {
        struct Step {
            let succession: MembershipFacts.Succession
            let former: ReplicaID
            let root: ReplicaID
        }
        var level = granted.map { (replica: $0, root: $0) }
        var depth = 0
        while !level.isEmpty {
            depth += 1
            var steps = level.flatMap { former in
                successions(of: former.replica).map {
                    Step(succession: $0, former: former.replica, root: former.root)
                }
            }
            steps.sort { a, b in
                a.succession.hash != b.succession.hash ? a.succession.hash < b.succession.hash : a.former < b.former
            }
            level = []
            for step in steps {
                let successor = step.succession.successor
                if let held = membership.members[successor], held.role >= role { continue }
                guard admitSuccessor(of: step.root) else { continue }
                membership.members[successor] = member(successor, role, nil, step.former, nil, [], depth)
                level.append((successor, step.root))
            }
        }
    }

    /// A member, with everything that limits it so far: what was said of it, and of every replica that it succeeds.
    private func member(
        _ replica: ReplicaID, _ role: MemberRole, _ grantedBy: ReplicaID?, _ predecessor: ReplicaID?,
        _ invitation: [UInt8]?, _ path: [MembershipFacts.Place], _ depth: Int
    ) -> Member {
        var found: [Revocation] = []
        var seen: Set<ReplicaID> = [replica]
        var waiting = [replica]
        while let next = waiting.popLast() {
            found += revocations[next] ?? []
            for former in (facts.predecessors[next] ?? []).sorted() where seen.insert(former).inserted {
                waiting.append(former)
            }
        }
        return Member(
            replica: replica, role: role, grantedBy: grantedBy, predecessor: predecessor, invitation: invitation,
            revokedBy: found.first?.by, path: path, depth: depth,
            cuts: found.map { revocation in revocation.cut.filter { $0.replica == replica } })
    }

    // MARK: What counts

    /// The statements of a member within every cut, in order of position.
    private func counting(of member: Member) throws -> [MembershipFacts.Entry] {
        try (facts.entries[member.replica] ?? []).sorted { $0.place < $1.place }
            .filter { try counts($0.commit, of: member) }
    }

    private func counts(_ commit: CommitID, of member: Member) throws -> Bool {
        try member.cuts.allSatisfy { cut in try cut.contains { try precedes(commit, $0) } }
    }

    private mutating func settleInvitations() throws {
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
            let requests = entries.sorted { $0.place < $1.place }.compactMap { entry in
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

    // MARK: Predecessors

    private mutating func relatePredecessors() {
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

    /// Of a commit, an admin's newest statement counts, or, where no admin made one, its author's.
    private mutating func settleVoids() throws {
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
                    member.role == .admin || target.replica == member.replica, try counts(entry.commit, of: member)
                else { continue }
                let stamp = Stamp(timestamp: entry.timestamp, replica: member.replica, hash: entry.commit.hash)
                let word = Word(isAdmin: member.role == .admin, stamp: stamp, index: entry.index, isVoid: isVoid)
                if let held = words[target], !held.isBehind(word) { continue }
                words[target] = word
            }
        }
        for (target, word) in words where word.isVoid { membership.voids[target] = word.stamp.replica }
    }
}
