public import Events

/// A member of a journal, or one that was.
public struct Member: Hashable, Sendable {
    public let replica: ReplicaID
    public let role: MemberRole
    /// Whose grant made it one; nil for the founder, and for who came into another's place.
    public let grantedBy: ReplicaID?
    /// In whose place it writes, with that one's signature.
    public let predecessor: ReplicaID?
    /// The key of the invitation that it redeemed.
    public let invitation: [UInt8]?
    /// Who revoked it; nil if nobody did. Of one that was revoked what is within every cut counts.
    public let revokedBy: ReplicaID?
    /// The rank of an admin: the way of grants from the founder. The shorter is the higher.
    let path: [MembershipFacts.Place]
    /// How many handovers lie between it and a replica that was granted its role.
    let depth: Int
    /// Commits that limit what counts, a set for each revocation: only those named and what comes before them.
    public let cuts: [Set<CommitID>]

    public var isRevoked: Bool { revokedBy != nil }
}

/// Who may write into a journal, as the commits that are held decide it: equal for equal sets of commits.
public struct Membership: Sendable {
    /// By replica.
    public internal(set) var members: [ReplicaID: Member] = [:]
    /// Invitations that an admin made and none took back, by key, each with the number of those who were granted for it.
    public internal(set) var invitations: [[UInt8]: (invitation: Invitation, by: ReplicaID, used: Int)] = [:]
    /// Who asks to become a member, with an invitation that holds.
    public internal(set) var requests: [ReplicaID: MembershipRequest] = [:]
    /// Who asks, whether or not what is held tells of the invitation.
    public internal(set) var claims: [ReplicaID: MembershipRequest] = [:]
    /// Replicas that any counting revocation names, members or not.
    var revoked: Set<ReplicaID> = []
    /// By replica, those in whose place it writes, with their signatures.
    var predecessors: [ReplicaID: Set<ReplicaID>] = [:]
    /// How many replicas write in the place of one that was granted its role, or founded the journal, directly or by several
    /// steps, as far as they are held, and in that of any other.
    var successorCounts: [ReplicaID: Int] = [:]
    /// Replicas that are not members and in whose place one writes that waits: they are admitted together.
    var waitingPredecessors: Set<ReplicaID> = []
    /// Replicas that neither are members nor wait, and that a first commit of one that does names as its predecessor, directly or by
    /// several steps: their first commits decide whose fall a member shares.
    var named: Set<ReplicaID> = []
    /// Replicas that a first commit names as predecessors and whose own first commit is not held.
    var unknownPredecessors: Set<ReplicaID> = []
    /// Commits whose events do not count, and who said so.
    public internal(set) var voids: [CommitID: ReplicaID] = [:]
    /// The replica that founded the journal; nil if its first commit is not held: then nobody is a member.
    public internal(set) var founder: ReplicaID?

    /// The role of a replica that may still write or read; nil of anybody else.
    public func role(of replica: ReplicaID) -> MemberRole? {
        guard let member = members[replica], !member.isRevoked else { return nil }
        return member.role
    }

    /// Whether an invitation holds and may be used once more.
    func isOpen(_ key: [UInt8]) -> Bool { invitations[key].map { $0.used < $0.invitation.uses } ?? false }

    /// Whether a replica asks to become a member, or another does in its place.
    func waits(_ replica: ReplicaID) -> Bool { requests[replica] != nil || waitingPredecessors.contains(replica) }

    /// Whether nothing speaks for a replica but itself: what it sends is kept within the bounds for strangers.
    func isStranger(_ replica: ReplicaID) -> Bool {
        members[replica] == nil && !waits(replica) && !named.contains(replica)
    }

    /// Whether a replica is a member by a grant of its own, or founded the journal.
    func isRoot(_ replica: ReplicaID) -> Bool { members[replica].map { $0.predecessor == nil } ?? false }

    /// Whether one more may become a member as the successor of a replica.
    func hasRoom(after former: ReplicaID) -> Bool {
        var root = former
        while let predecessor = members[root]?.predecessor { root = predecessor }
        return successorCounts[root, default: 0] < MembershipResolver.mostSuccessors
    }

    /// Whether frontiers list commits of a replica.
    func lists(_ replica: ReplicaID) -> Bool { !isStranger(replica) }

    /// The replicas whose lines are listed, in an order in which each comes after the one that made it a member.
    func order(of replica: ReplicaID) -> (rank: Int, replica: ReplicaID) {
        guard let member = members[replica] else { return (waits(replica) ? Int.max - 1 : Int.max, replica) }
        return (member.role == .admin ? member.path.count : Int.max / 2 + member.depth, replica)
    }

    /// What an admin grants with a role: the replica, and the nearest of those in whose place it writes, as long as these are not
    /// members and were not revoked. What they wrote counts then as well.
    func grantees(with replica: ReplicaID) -> [ReplicaID] {
        var found = [replica]
        var seen: Set<ReplicaID> = [replica]
        var next = 0
        while next < found.count {
            for former in (predecessors[found[next]] ?? []).sorted() where seen.insert(former).inserted {
                if found.count == Self.mostGrantees { return found }
                if members[former] == nil && !revoked.contains(former) { found.append(former) }
            }
            next += 1
        }
        return found
    }

    /// So many replicas at most are granted together: with several first commits one could name any number in whose place it writes.
    static let mostGrantees = 16
}

extension Member {
    static func founder(_ replica: ReplicaID) -> Member {
        Member(
            replica: replica, role: .admin, grantedBy: nil, predecessor: nil, invitation: nil, revokedBy: nil, path: [],
            depth: 0, cuts: [])
    }

    /// Who goes on in its place, before the first commit of that one.
    func succeeded(by successor: ReplicaID) -> Member {
        let place = MembershipFacts.Place(sequence: SequenceNumber(1), hash: .zero, index: 0)
        return Member(
            replica: successor, role: role, grantedBy: nil, predecessor: replica, invitation: nil, revokedBy: revokedBy,
            path: role == .admin ? path + [place] : path, depth: depth + 1, cuts: cuts)
    }

    /// Those of two admins who decides: the shorter way from the founder, then the smaller places on it.
    static func outranks(_ a: [MembershipFacts.Place], _ b: [MembershipFacts.Place]) -> Bool {
        if a.count != b.count { return a.count < b.count }
        return a.lexicographicallyPrecedes(b)
    }
}
