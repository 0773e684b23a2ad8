public import Events

/// A member of a journal, or one that was.
public struct Member: Hashable, Sendable {
    public let replica: ReplicaID
    public let role: MemberRole
    /// The replica that granted it; nil for the founder, and for a successor.
    public let grantedBy: ReplicaID?
    /// The replica that it succeeds, with that one's signature.
    public let predecessor: ReplicaID?
    /// The key of the invitation that it redeemed.
    public let invitation: [UInt8]?
    /// The replica that revoked it; nil if none did. Of a revoked one, what is within every cut counts.
    public let revokedBy: ReplicaID?
    /// The rank of an admin: the path of grants from the founder. The shorter path ranks higher.
    let path: [MembershipFacts.StatementPosition]
    /// The number of handovers between it and a replica that was granted its role.
    let depth: Int
    /// Commits that limit what counts, a set for each revocation: only those named and their predecessors count.
    public let cuts: [Set<CommitID>]

    public var isRevoked: Bool { revokedBy != nil }
}

/// Which replicas may write to a journal, as the held commits decide: equal for equal sets of commits.
public struct Membership: Sendable {
    /// By replica.
    public internal(set) var members: [ReplicaID: Member] = [:]
    /// Invitations that an admin made and none withdrew, by key, each with the number of replicas granted for it.
    public internal(set) var invitations: [[UInt8]: (invitation: Invitation, by: ReplicaID, used: Int)] = [:]
    /// Replicas that request membership, with a valid invitation.
    public internal(set) var requests: [ReplicaID: MembershipRequest] = [:]
    /// Replicas that request membership, whether or not the invitation is held.
    public internal(set) var claims: [ReplicaID: MembershipRequest] = [:]
    /// Replicas that any counting revocation names, members or not.
    var revoked: Set<ReplicaID> = []
    /// By replica, its predecessors, with their signatures.
    var predecessors: [ReplicaID: Set<ReplicaID>] = [:]
    /// How many successors are held, direct and indirect, of each replica that was granted its role or founded the
    /// journal, and of any other.
    var successorCounts: [ReplicaID: Int] = [:]
    /// Replicas that are not members and have a waiting successor: they are admitted together.
    var waitingPredecessors: Set<ReplicaID> = []
    /// Replicas that neither are members nor wait, and that the first commit of one that does names as its predecessor,
    /// directly or indirectly: their first commits decide with whom a member is revoked.
    var named: Set<ReplicaID> = []
    /// Replicas that a first commit names as predecessors and whose own first commit is not held.
    var unknownPredecessors: Set<ReplicaID> = []
    /// Commits whose events do not count, and the replicas that voided them.
    public internal(set) var voids: [CommitID: ReplicaID] = [:]
    /// By replica: what says that held commits of it were replaced. Those do not count, and are not forwarded. Empty if none of the named
    /// commits is held.
    var replacements: [ReplicaID: [Replacement]] = [:]
    /// The commits that statements name as replaced, held or not: they are not requested.
    var replacedNames: Set<CommitID> = []
    /// The replica that founded the journal; nil if its first commit is not held: then there are no members.
    public internal(set) var founder: ReplicaID?

    /// The role of a replica that may still write or read; nil for all others.
    public func role(of replica: ReplicaID) -> MemberRole? {
        guard let member = members[replica], !member.isRevoked else { return nil }
        return member.role
    }

    /// Whether an invitation is valid and not used up.
    func isOpen(_ key: [UInt8]) -> Bool { invitations[key].map { $0.used < $0.invitation.uses } ?? false }

    /// Whether a replica requests membership, or a successor of it does.
    func waits(_ replica: ReplicaID) -> Bool { requests[replica] != nil || waitingPredecessors.contains(replica) }

    /// Whether no member or invitation vouches for a replica: what it sends is kept within the bounds for strangers.
    func isStranger(_ replica: ReplicaID) -> Bool {
        members[replica] == nil && !waits(replica) && !named.contains(replica)
    }

    /// Whether a replica is a member by a grant of its own, or founded the journal.
    func isRoot(_ replica: ReplicaID) -> Bool { members[replica].map { $0.predecessor == nil } ?? false }

    /// How many successors are held of the replica that was granted the role of this one, or founded the journal.
    func successorCount(withRootOf former: ReplicaID) -> Int {
        var root = former
        while let predecessor = members[root]?.predecessor { root = predecessor }
        return successorCounts[root, default: 0]
    }

    /// Whether more successors of a replica, one after the other, may become members. An admin grants any number of them.
    func hasRoom(for count: Int = 1, after former: ReplicaID, isGranted: Bool) -> Bool {
        isGranted && role(of: former) == .admin
            || successorCount(withRootOf: former) + count <= MembershipResolver.mostSuccessors
    }

    /// Whether frontiers list commits of a replica.
    func lists(_ replica: ReplicaID) -> Bool { !isStranger(replica) }

    /// A sort key for listed replicas that puts each after the one that made it a member.
    func order(of replica: ReplicaID) -> (rank: Int, replica: ReplicaID) {
        guard let member = members[replica] else { return (waits(replica) ? Int.max - 1 : Int.max, replica) }
        return (member.role == .admin ? member.path.count : Int.max / 2 + member.depth, replica)
    }

    /// What an admin grants with a role: the replica, and its nearest predecessors, as long as these are not members
    /// and were not revoked. Their commits then count as well.
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

    /// The most replicas that are granted together: with several first commits one could name any number of
    /// predecessors.
    static let mostGrantees = 16
}

extension Member {
    static func founder(_ replica: ReplicaID) -> Member {
        Member(
            replica: replica, role: .admin, grantedBy: nil, predecessor: nil, invitation: nil, revokedBy: nil, path: [],
            depth: 0, cuts: [])
    }

    /// Its successor, before that one's first commit.
    func succeeded(by successor: ReplicaID, isGranted: Bool = false) -> Member {
        let position = MembershipFacts.StatementPosition(sequence: SequenceNumber(1), hash: .zero, index: 0)
        let hasOwnRole = isGranted && role == .admin
        return Member(
            replica: successor, role: role, grantedBy: hasOwnRole ? replica : nil,
            predecessor: hasOwnRole ? nil : replica, invitation: nil, revokedBy: revokedBy,
            path: role == .admin ? path + [position] : path, depth: hasOwnRole ? 0 : depth + 1, cuts: cuts)
    }

    /// Which of two admins decides: the one with the shorter path from the founder, then with the smaller statement
    /// positions on it.
    static func outranks(_ a: [MembershipFacts.StatementPosition], _ b: [MembershipFacts.StatementPosition]) -> Bool {
        if a.count != b.count { return a.count < b.count }
        return a.lexicographicallyPrecedes(b)
    }
}

/// The rights of a member. Each role includes those below it.
public enum MemberRole: Sendable, Hashable, Comparable, CaseIterable {
    /// Forwards what it receives, and need not understand it.
    case relay
    /// Reads. Until payloads are encrypted this binds only those who carry commits to it.
    case read
    /// Writes: its commits count.
    case write
    /// Grants, revokes and invites.
    case admin

    /// From the word for it; nil for any other.
    package init?(_ word: String) {
        guard let role = Self.allCases.first(where: { "\($0)" == word }) else { return nil }
        self = role
    }

    /// The role of a number in the log; nil for an unknown one.
    package init?(number: UInt8) {
        guard let role = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = role
    }

    /// Its number in the log.
    package var number: UInt8 {
        switch self {
        case .relay: 1
        case .read: 2
        case .write: 3
        case .admin: 4
        }
    }
}
