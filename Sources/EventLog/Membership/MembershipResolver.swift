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
    /// From this number of successors on an admin grants the next one its role of its own, and admins' stores grant
    /// those of other members.
    static let grantedFrom = 32
    /// How many grants and handovers may lead from the founder to an admin.
    static let longestPath = 256

    typealias Precedes = (CommitID, CommitID) throws -> Bool

    struct Revocation {
        let by: ReplicaID
        let cut: Set<CommitID>
    }

    /// One path by which a replica becomes an admin.
    private struct Candidate {
        let replica: ReplicaID
        let path: [MembershipFacts.StatementPosition]
        let grantedBy: ReplicaID?
        let predecessor: ReplicaID?
        let invitation: [UInt8]?
        /// The replica that was granted the role, and how many handovers lead from it here.
        let root: ReplicaID
        let depth: Int
    }

    let facts: MembershipFacts
    /// Whether a commit is another or comes before it on its line; false if the other is not held.
    let precedes: Precedes
    let signatures: SignatureCache
    var membership = Membership()
    /// The admins in order of rank, with their counting statements.
    private(set) var admins: [(replica: ReplicaID, entries: [MembershipFacts.Entry])] = []
    private(set) var revocations: [ReplicaID: [Revocation]] = [:]
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
        try resolver.resolveAdmins()
        try resolver.resolveOthers()
        try resolver.resolveReplacements()
        try resolver.resolveInvitations()
        try resolver.resolveVoids()
        resolver.relatePredecessors()
        return resolver.membership
    }

    // MARK: Admins

    private mutating func resolveAdmins() throws {
        guard let founder = facts.founder else { return }
        candidates = [
            Candidate(
                replica: founder, path: [], grantedBy: nil, predecessor: nil, invitation: nil, root: founder, depth: 0)
        ]
        while let next = candidates.popLast() {
            guard membership.members[next.replica] == nil else { continue }
            if next.predecessor != nil && !admitSuccessor(of: next.root) { continue }
            try resolve(next)
        }
    }

    /// Whether there is room for one more successor of a replica.
    private mutating func admitSuccessor(of root: ReplicaID) -> Bool {
        guard successorCounts[root, default: 0] < Self.mostSuccessors else { return false }
        successorCounts[root, default: 0] += 1
        return true
    }

    /// The successors of a replica, by the hashes of the commits that show them. Of several such commits the one of the furthest replica
    /// counts: what comes before it may be replaced, and others do not hold it then.
    private func successions(of replica: ReplicaID) -> [MembershipFacts.Succession] {
        var found: [MembershipFacts.Succession] = []
        var seen: Set<ReplicaID> = []
        let ordered = (facts.successions[replica] ?? []).sorted { a, b in
            a.steps != b.steps ? a.steps > b.steps : a.hash < b.hash
        }
        for succession in ordered {
            if seen.insert(succession.successor).inserted { found.append(succession) }
        }
        return found.sorted { a, b in a.hash != b.hash ? a.hash < b.hash : a.successor < b.successor }
    }

    private mutating func resolve(_ candidate: Candidate) throws {
        let replica = candidate.replica
        let member = member(
            replica, .admin, candidate.grantedBy, candidate.predecessor, candidate.invitation, candidate.path,
            candidate.depth)
        membership.members[replica] = member
        let said = try counting(of: member)
        try resolveReplacements(of: replica, saying: said)
        let entries = try said.filter { try !isReplaced($0) }
        admins.append((replica, entries))
        for entry in entries {
            switch entry.statement {
            case .grant(let grantee, .admin, let invitation):
                consider(
                    Candidate(
                        replica: grantee, path: candidate.path + [entry.position], grantedBy: replica, predecessor: nil,
                        invitation: invitation, root: grantee, depth: 0))
            case .revocation(let target, let cut) where membership.members[target] == nil:
                revocations[target, default: []].append(Revocation(by: replica, cut: cut))
            default: break
            }
        }
        for succession in successions(of: replica) {
            let position = MembershipFacts.StatementPosition(
                sequence: SequenceNumber(1), hash: succession.hash, index: 0)
            consider(
                Candidate(
                    replica: succession.successor, path: candidate.path + [position],
                    grantedBy: succession.isGranted ? replica : nil,
                    predecessor: succession.isGranted ? nil : replica, invitation: nil,
                    root: succession.isGranted ? succession.successor : candidate.root,
                    depth: succession.isGranted ? 0 : candidate.depth + 1))
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

    private mutating func resolveOthers() throws {
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
            resolveSuccessors(role, of: granted.keys.filter { membership.members[$0]?.role == role })
        }
    }

    /// Gives a role to the successors of replicas, one handover after the other.
    private mutating func resolveSuccessors(_ role: MemberRole, of granted: [ReplicaID]) {
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
        _ invitation: [UInt8]?, _ path: [MembershipFacts.StatementPosition], _ depth: Int
    ) -> Member {
        let found = limits(of: replica)
        return Member(
            replica: replica, role: role, grantedBy: grantedBy, predecessor: predecessor, invitation: invitation,
            revokedBy: found.first?.by, path: path, depth: depth,
            cuts: found.map { revocation in revocation.cut.filter { $0.replica == replica } })
    }

    /// The revocations so far of a replica and of every replica that it succeeds, the nearest first.
    func limits(of replica: ReplicaID) -> [Revocation] {
        var found: [Revocation] = []
        var seen: Set<ReplicaID> = [replica]
        var waiting = [replica]
        while let next = waiting.popLast() {
            found += revocations[next] ?? []
            for former in (facts.predecessors[next] ?? []).sorted() where seen.insert(former).inserted {
                waiting.append(former)
            }
        }
        return found
    }

    // MARK: What counts

    /// The statements of a member within every cut, in order of position.
    private func counting(of member: Member) throws -> [MembershipFacts.Entry] {
        try (facts.entries[member.replica] ?? []).sorted { $0.position < $1.position }
            .filter { try counts($0.commit, of: member) }
    }

    func counts(_ commit: CommitID, of member: Member) throws -> Bool {
        try member.cuts.allSatisfy { cut in try cut.contains { try precedes(commit, $0) } }
    }
}
