import EventLog
import Events

/// What a replica may do, as a log knows its members.
enum PeerStanding: Equatable {
    /// It is a member, succeeds one, or shows an invitation that holds; or every replica may write.
    case served
    /// It was revoked, or succeeds one that was.
    case revoked(by: ReplicaID)
    /// Its request is held, and neither granted nor backed by an invitation that holds.
    case waiting
    case unknown
}

extension Log {
    /// The standing of the replica that a greeting names, by its claims and by the members as the log knows them now.
    func standing(of greeting: Greeting) throws -> PeerStanding {
        let (membership, journal) = try read { (try $0.membership(), try $0.journal()) }
        guard let membership else { return .served }
        if serves(greeting.replica, greeting, membership, journal) { return .served }
        if let by = membership.members[greeting.replica]?.revokedBy { return .revoked(by: by) }
        // The nearest known predecessor decides: a revoked replica has no rights to pass on.
        for former in greeting.chain(in: journal).dropFirst() {
            if serves(former, greeting, membership, journal) { return .served }
            if let member = membership.members[former] {
                return member.revokedBy.map { .revoked(by: $0) } ?? .unknown
            }
        }
        return membership.claims[greeting.replica] != nil ? .waiting : .unknown
    }

    private func serves(
        _ replica: ReplicaID, _ greeting: Greeting, _ membership: Membership, _ journal: JournalID
    ) -> Bool {
        if let member = membership.members[replica] { return !member.isRevoked }
        if let request = membership.requests[replica], holds(request, membership) { return true }
        guard let request = greeting.request, holds(request, membership) else { return false }
        return request.isSigned(journal: journal, replica: replica)
    }

    private func holds(_ request: MembershipRequest, _ membership: Membership) -> Bool {
        guard let (invitation, _, used) = membership.invitations[request.invitation] else { return false }
        return used < invitation.uses && invitation.expiry.map { $0 >= wallClock } ?? true
    }
}
