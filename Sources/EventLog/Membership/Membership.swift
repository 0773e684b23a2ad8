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
    /// Replicas that an admin granted any role.
    var granted: Set<ReplicaID> = []
    /// Commits whose events do not count, and who said so.
    public internal(set) var voids: [CommitID: ReplicaID] = [:]
    /// The replica that founded the journal; nil if its first commit is not held: then nobody is a member.
    public internal(set) var founder: ReplicaID?

    /// The role of a replica that may still write or read; nil of anybody else.
    public func role(of replica: ReplicaID) -> MemberRole? {
        guard let member = members[replica], !member.isRevoked else { return nil }
        return member.role
    }

    /// Whether nothing speaks for a replica but itself, or one that was revoked: what it sends is kept within the bounds for strangers.
    func isStranger(_ replica: ReplicaID) -> Bool {
        guard let member = members[replica] else { return requests[replica] == nil }
        return member.isRevoked && member.cuts.contains([]) && !granted.contains(replica)
    }

    /// Whether frontiers list the line of a replica.
    func lists(_ replica: ReplicaID) -> Bool { members[replica] != nil || requests[replica] != nil }

    /// The replicas whose lines are listed, in an order in which each comes after who made it a member.
    func order(of replica: ReplicaID) -> (rank: Int, replica: ReplicaID) {
        guard let member = members[replica] else { return (Int.max, replica) }
        return (member.role == .admin ? member.path.count : Int.max - 1, replica)
    }
}

extension Member {
    static func founder(_ replica: ReplicaID) -> Member {
        Member(
            replica: replica, role: .admin, grantedBy: nil, predecessor: nil, invitation: nil, revokedBy: nil, path: [],
            cuts: [])
    }

    /// Those of two admins who decides: the shorter way from the founder, then the smaller places on it.
    static func outranks(_ a: [MembershipFacts.Place], _ b: [MembershipFacts.Place]) -> Bool {
        if a.count != b.count { return a.count < b.count }
        return a.lexicographicallyPrecedes(b)
    }
}
