public import EventLog
public import Events
public import Foundation

/// A member of a store's journal, for people.
public struct MemberStatus: Sendable, Hashable {
    package let member: Member
    /// The device's name, as in its introduction; empty if it is unknown.
    public let name: String
    /// Whether it is this replica.
    public let isOwn: Bool

    public var replica: ReplicaID { member.replica }
    public var role: MemberRole { member.role }
    public var isRevoked: Bool { member.isRevoked }
}

/// A valid invitation, for people.
public struct InvitationStatus: Sendable, Hashable {
    package let invitation: Invitation
    /// The admin's replica that made it.
    package let by: ReplicaID
    /// How many devices were granted membership with it.
    public let used: Int

    /// The key, by which it is withdrawn.
    public var key: [UInt8] { invitation.key }
    public var role: MemberRole { invitation.role }
    /// The time after which it is void; nil for none.
    public var expiry: Date? { invitation.expiry.map { Date(timeIntervalSince1970: Double($0) / 1000) } }
    /// How many devices may use it.
    public var uses: Int { invitation.uses }
}

/// A replica that requests membership.
public struct MembershipRequest: Sendable, Hashable {
    public let replica: ReplicaID
    /// The device's name, as in its introduction; empty if it is unknown.
    public let name: String
}

/// The standing of this replica in its journal.
public enum MembershipStanding: Sendable, Hashable {
    /// Every replica that has the journal's id may write: the journal is unfounded.
    case open
    case member(MemberRole)
    /// It has requested membership and no admin's replica has granted it yet, or it has not requested it: its commits
    /// count here alone.
    case waiting(hasAsked: Bool)
    /// An admin revoked its role: it may not write any more.
    case revoked(by: ReplicaID)
}

extension TripStore {
    /// The members and former members, in the order of roles; empty in an unfounded journal.
    ///
    /// O(1) while there are no statements about members. Throws what reading the log throws.
    public func members() throws -> Rows<MemberStatus> {
        try readLog { log in
            let own = try log.replica()
            let members = try (log.membership()?.members ?? [:]).values
                .sorted { a, b in a.role != b.role ? a.role > b.role : a.replica < b.replica }
                .map { MemberStatus(member: $0, name: try log.deviceName(of: $0.replica), isOwn: $0.replica == own) }
            return Rows(members, try log.lastPosition())
        }
    }

    /// The valid invitations, by their keys, and the number of uses of each.
    public func invitations() throws -> Rows<InvitationStatus> {
        try readLog { log in
            let invitations = try (log.membership()?.invitations ?? [:])
                .sorted { $0.key.lexicographicallyPrecedes($1.key) }
                .map { InvitationStatus(invitation: $0.value.invitation, by: $0.value.by, used: $0.value.used) }
            return Rows(invitations, try log.lastPosition())
        }
    }

    /// The replicas that request membership, by id.
    public func membershipRequests() throws -> Rows<MembershipRequest> {
        try readLog { log in
            let requests = try (log.membership()?.requests ?? [:]).keys.sorted()
                .map { MembershipRequest(replica: $0, name: try log.deviceName(of: $0)) }
            return Rows(requests, try log.lastPosition())
        }
    }

    /// The standing of this replica.
    public func standing() throws -> MembershipStanding {
        try readLog { log in
            guard let membership = try log.membership() else { return .open }
            let own = try log.replica()
            guard let member = try log.ownMember(membership) else {
                return .waiting(hasAsked: membership.claims[own] != nil)
            }
            if let by = member.revokedBy { return .revoked(by: by) }
            return .member(member.role)
        }
    }

    /// The replicas that wrote to this store before, the last one first.
    package func identityChanges() throws -> [IdentityChange] { try readLog { try $0.identityChanges() } }

    /// Whether this replica is no member because as many ids as may be succeed one of its former ones: another admin's store
    /// grants it in an exchange.
    package func isOutgrown() throws -> Bool { try readLog { try $0.isOutgrown() } }

    /// Makes a replica a member, or gives it a higher role: from then on what it wrote and writes counts everywhere.
    ///
    /// Throws `TripStoreError`: `.notAMember` if this replica is no admin, `.noEffect` if the other was revoked; or what the medium
    /// refuses.
    public func grant(_ role: MemberRole, to replica: ReplicaID) async throws {
        _ = try await changeMembers { try await $0.grant(role, to: replica) }
        try await catchUp()
    }

    /// Takes membership away from a replica for good, and from its successors. Of what they wrote that counts which is
    /// held here now, or, given a cut, what that names and what comes before it: the views are built anew where that changes them.
    ///
    /// Throws `TripStoreError`: `.notAMember` if this replica is no admin; `.noEffect` if the other is no member, is this one, or an
    /// admin of higher rank; or what the medium refuses.
    public func revoke(_ replica: ReplicaID, cut: Set<CommitID>? = nil) async throws {
        _ = try await changeMembers { try await $0.revoke(replica, cut: cut) }
        try await catchUp()
    }

    /// Revokes a replica and its successors; those of their commits count that had arrived here up to a position. Nil for all held ones.
    public func revoke(_ replica: ReplicaID, keepingUpTo position: Position?) async throws {
        guard let position else { return try await revoke(replica, cut: nil) }
        let cut = try readLog { log in
            let replicas = try log.membership()?.successors(of: replica) ?? [replica]
            var found: Set<CommitID> = []
            try log.forEachCommit(after: .start, upTo: position) { commit in
                let author = commit.header.replica
                let name = CommitID(replica: author, sequence: commit.header.sequence, hash: commit.hash)
                // Others do not hold replaced ones: a cut that names them would wait for them for ever.
                if try replicas.contains(author) && !log.isReplaced(name) { found.insert(name) }
                return true
            }
            return Set(try log.withoutPredecessors(found, in: log.journal()))
        }
        try await revoke(replica, cut: cut)
    }

    /// Makes an invitation, and returns the code for the person who is invited. Once an admin's replica hears of its use the
    /// device is a member.
    ///
    /// Throws `TripStoreError.Code.notAMember` if this replica is no admin; or what the medium refuses.
    public func invite(_ role: MemberRole = .write, until expiry: Date? = nil, uses: Int = 1) async throws
        -> InvitationCode
    {
        let milliseconds = expiry.map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
        return try await changeMembers { try await $0.invite(role, expiry: milliseconds, uses: uses) }
    }

    /// Takes an invitation back, by its key. Throws `TripStoreError`: `.notAMember`, `.noEffect` if there is none.
    public func withdraw(_ invitation: [UInt8]) async throws {
        _ = try await changeMembers { try await $0.withdraw(invitation) }
    }

    /// Asks to become a member with the code of an invitation. It takes an exchange with a member's replica, or a bundle there and one
    /// back, until an admin's has answered; what is written before counts here alone, and everywhere after.
    ///
    /// Throws `TripStoreError`: `.otherJournal` if the store has commits of another journal (adopt them instead), `.noEffect` if it is
    /// a member; or what the medium refuses.
    public func join(_ code: InvitationCode) async throws {
        _ = try await changeMembers { try await $0.join(code) }
        try await catchUp()
    }

    /// Says of a commit that its events do not count: for its author, and for admins. With `isVoid` false they count again.
    ///
    /// Throws `TripStoreError`: `.unknownPosition`, `.notAMember`, `.noEffect`; or what the medium refuses.
    public func void(_ position: Position, isVoid: Bool = true) async throws {
        let commit = try readLog { log in
            try log.commit(at: position).map {
                CommitID(replica: $0.header.replica, sequence: $0.header.sequence, hash: $0.hash)
            }
        }
        guard let commit else {
            throw TripStoreError(
                .unknownPosition,
                "There is no commit at position \(position). The audit log lists those that there are.")
        }
        _ = try await changeMembers { try await $0.void(commit, isVoid: isVoid) }
        try await catchUp()
    }

    /// Grants the requests with a valid invitation, if this replica is an admin: every exchange does this by itself.
    @discardableResult
    package func admitRequests() async throws -> [ReplicaID] {
        try await changeMembers { try await $0.admitRequests() }
    }

    /// What every call that says something of members goes through.
    private func changeMembers<T>(_ body: (Log) async throws -> T) async throws -> T {
        try await TripStoreError.wrapAsync {
            try views.checkOpen()
            try await interceptor?.willWrite()
            return try await body(log)
        }
    }
}
