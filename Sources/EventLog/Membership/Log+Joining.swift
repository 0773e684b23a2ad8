public import Events
import LMDB
import Synchronization

/// Invitations, and the requests that redeem them.
extension Log {
    /// Creates an invitation, and returns its code: every holder of the code can use it.
    ///
    /// `expiry` is in milliseconds since 1970, by the clocks of admins. Throws `EventLogError.notAMember` if this
    /// replica is no admin; or what the medium refuses.
    public func invite(_ role: MemberRole, expiry: Int64? = nil, uses: Int = 1) async throws -> InvitationCode {
        let code = InvitationCode(journal: journal, secret: dependencies.salt())
        let invitation = Invitation(key: code.key, role: role, expiry: expiry, uses: uses)
        try await state { membership, log, own in
            try membership.checkAdmin(own)
            guard try log.journal() == code.journal else { throw Self.hasMoved }
            return [.invitation(invitation)]
        }
        return code
    }

    /// Withdraws an invitation, by its key: replicas that have not been granted for it will not be.
    ///
    /// Throws `EventLogError`: `.notAMember` if this replica is no admin, `.noEffect` if there is no such invitation;
    /// or what the medium refuses.
    public func withdraw(_ key: [UInt8]) async throws {
        try await state { membership, _, own in
            try membership.checkAdmin(own)
            guard membership.invitations[key] != nil else {
                throw EventLogError(
                    .noEffect, "There is no invitation with the key \(key.hexadecimal) to be taken back.")
            }
            return [.withdrawal(key)]
        }
    }

    /// Requests membership, with the code of an invitation. An empty log joins the code's journal; a revoked replica
    /// continues under a new id. Until an admin's replica has granted it, what is written counts here alone, and
    /// everywhere after.
    ///
    /// Throws `EventLogError`: `.otherJournal` if the log has commits of another journal; `.noEffect` if this replica
    /// is a member; or what the medium refuses.
    public func join(_ code: InvitationCode) async throws {
        guard let writer else { throw Self.readOnlyError }
        if journal != code.journal { try await join(code.journal) }
        try await writer.renewIfRevoked()
        try await state { membership, log, own in
            guard try log.journal() == code.journal else { throw Self.hasMoved }
            if let role = membership.role(of: own) {
                throw EventLogError(.noEffect, "Replica \(own) is a member already, with the role \(role).")
            }
            if membership.claims[own]?.invitation == code.key { return [] }
            return [.request(try code.request(of: own))]
        }
    }

    /// Grants every request whose invitation has not expired and is not used up, if this replica is an admin, and the successors of
    /// replicas that have many. Returns the granted replicas.
    ///
    /// Throws what the medium refuses.
    @discardableResult
    public func admitRequests() async throws -> [ReplicaID] {
        let areSome = try read { log in
            guard let membership = try log.membership() else { return false }
            return try !admissible(membership, log.ownMember(membership)).isEmpty
        }
        guard !isReadOnly, areSome else { return [] }
        let admitted = Admitted()
        try await state { [self] membership, _, own in
            let grants = admissible(membership, membership.members[own])
            admitted.set(grants.map(\.replica))
            return grants.map { .grant($0.replica, $0.role, invitation: $0.invitation) }
        }
        return admitted.replicas
    }

    private func admissible(
        _ membership: Membership, _ own: Member?
    ) -> [(replica: ReplicaID, role: MemberRole, invitation: [UInt8]?)] {
        guard let own, own.role == .admin, !own.isRevoked else { return [] }
        var used: [[UInt8]: Int] = [:]
        var found: [(replica: ReplicaID, role: MemberRole, invitation: [UInt8]?)] = []
        for (replica, request) in membership.requests.sorted(by: { $0.key < $1.key }) {
            guard let held = membership.invitations[request.invitation] else { continue }
            if let expiry = held.invitation.expiry, expiry < wallClock { continue }
            let grantees = membership.grantees(with: replica)
            guard held.used + used[request.invitation, default: 0] < held.invitation.uses,
                found.count + grantees.count <= Payload.mostStatements
            else { continue }
            used[request.invitation, default: 0] += 1
            found += grantees.map { ($0, held.invitation.role, request.invitation) }
        }
        for (replica, role) in membership.outgrown() {
            // A grant on a longer path would not count.
            guard role < .admin || own.path.count < MembershipResolver.longestPath else { continue }
            let grantees = membership.grantees(with: replica)
            if found.count + grantees.count <= Payload.mostStatements { found += grantees.map { ($0, role, nil) } }
        }
        return found
    }

    private static var hasMoved: EventLogError {
        EventLogError(.otherJournal, "The log took on another journal meanwhile. Try again.")
    }
}

/// The replicas that a transaction granted.
private final class Admitted: Sendable {
    private let held = Mutex<[ReplicaID]>([])

    var replicas: [ReplicaID] { held.withLock { $0 } }

    func set(_ replicas: [ReplicaID]) { held.withLock { $0 = replicas } }
}

extension LogWriter {
    /// A revoked replica writes no more: the log continues as another, without the former one's role.
    func renewIfRevoked() async throws {
        try await worker.run { [self] in
            let renewed = try environment.write { transaction -> LogAuthor? in
                let log = LogSnapshot(transaction.reading.alias(), tables)
                let former = try author.author(in: log)
                guard try log.verdicts().membership.flatMap({ try log.ownMember($0) })?.isRevoked == true else {
                    return nil
                }
                return try author.renew(
                    "it was revoked", former, former.identity.id, former.journal, transaction, tables, handsOver: false
                ).0
            }
            if let renewed { goOn(as: renewed) }
        }
    }
}
