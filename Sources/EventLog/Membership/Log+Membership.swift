public import Events
import LMDB
import Synchronization

/// Finds what a replica is to state of members, in the state that it meets.
private typealias Statements =
    @Sendable (
        _ membership: Membership, _ log: borrowing LogSnapshot, _ own: ReplicaID
    ) throws -> [MembershipStatement]

extension LogSnapshot {
    /// The members, among them this log's own replica also before its first commit, and that one's id.
    fileprivate func membershipWithOwn() throws -> (membership: Membership, own: ReplicaID) {
        guard var membership = try membership() else {
            throw EventLogError(
                .noEffect,
                "The journal \(try journal()) has no members: everybody may write who has its id. Adopt what is here into a new journal."
            )
        }
        let own = try replica()
        membership.members[own] = try ownMember(membership)
        return (membership, own)
    }
}

extension Log {
    /// Who may write, as the commits that are held decide it; nil if everybody may who has the journal's id, for nobody founded it.
    public func membership() throws -> Membership? { try read { try $0.membership() } }

    /// Makes a replica a member, or gives it a higher role. Answers nil if it was granted the role, or has a higher one, already; one that
    /// may write or read for it goes on in another's place is granted that for itself.
    ///
    /// Throws `EventLogError`: `.notAMember` if this replica is no admin, `.noEffect` if the other was revoked; or what the medium
    /// refuses.
    @discardableResult
    public func grant(_ role: MemberRole, to replica: ReplicaID) async throws -> Appended? {
        try await state { membership, _, own in
            try membership.checkAdmin(own)
            if let member = membership.members[replica], let by = member.revokedBy {
                throw EventLogError(
                    .noEffect,
                    "Replica \(by) has revoked replica \(replica), which is final. Let the device join again: it then has another id."
                )
            }
            // Not everybody need hold all who go on in the place of one, but everybody takes in who is granted. Of an admin that was
            // settled as a successor it does not show whether it was granted as well.
            if let held = membership.members[replica],
                held.role > role || held.role == role && (held.predecessor == nil || role == .admin)
            {
                return []
            }
            let invitation = membership.requests[replica]?.invitation
            return membership.grantees(with: replica).map { .grant($0, role, invitation: invitation) }
        }
    }

    /// Takes membership away from a replica, and from whoever writes in its place, for good. Of what they wrote only what is held here
    /// counts from now on, or, of `cut`, the commits that it names and those before them on their lines. What they erased stays erased as
    /// far as it is held here.
    ///
    /// Throws `EventLogError`: `.notAMember` if this replica is no admin; `.noEffect` if the other is none either and no member, is this
    /// one, or an admin of higher rank; or what the medium refuses.
    @discardableResult
    public func revoke(_ replica: ReplicaID, cut: Set<CommitID>? = nil) async throws -> Appended? {
        let statements: Statements = { membership, log, own in
            try membership.checkAdmin(own)
            guard let member = membership.members[replica], replica != own else {
                throw EventLogError(
                    .noEffect,
                    replica == own
                        ? "A replica cannot revoke itself: its word would not count. Let another admin do it."
                        : "Replica \(replica) is no member of the journal: nothing that it writes counts.")
            }
            if let rank = membership.members[own], member.role == .admin, !Member.outranks(rank.path, member.path) {
                throw EventLogError(
                    .noEffect,
                    "Replica \(replica) is an admin of higher rank: the way of grants from the founder to it is shorter, or older. Let an "
                        + "admin above it revoke it.")
            }
            let journal = try log.journal()
            let named = try cut ?? Self.held(of: replica, membership, log, in: journal)
            guard named.count <= MembershipStatement.mostCuts else {
                throw EventLogError(
                    .noEffect,
                    "The cut names \(named.count) commits, and \(MembershipStatement.mostCuts) are the most: name fewer branches, or "
                        + "those of fewer replicas that write in the place of \(replica).")
            }
            return [.revocation(replica, cut: named)]
        }
        // What is signed anew counts as an admin's, and so does the rank that decides, once the first commit is here.
        try await introduce(before: statements)
        try await confirmErasures(by: replica)
        return try await state(statements)
    }

    /// What a revocation names that is to keep all that is held: the newest commits of the replica and of those who write in its
    /// place. Of the replica also earlier ones, by which what is left counts if the newest are lost before anybody else has them.
    ///
    /// Of more than a cut may name the replica's own go first, then its nearest successors'.
    private static func held(
        of replica: ReplicaID, _ membership: Membership, _ log: borrowing LogSnapshot, in journal: JournalID
    ) throws -> Set<CommitID> {
        var named: Set<CommitID> = []
        func name(_ commits: [CommitID]) {
            for commit in commits where named.count < MembershipStatement.mostCuts { named.insert(commit) }
        }
        name(try log.signedHeads(of: replica, in: journal))
        // Who is no member may be granted yet, and shares the fall.
        let successors = membership.successors(of: replica).subtracting([replica]).sorted { a, b in
            let depths = [a, b].map { membership.members[$0]?.depth ?? .max }
            return depths[0] != depths[1] ? depths[0] < depths[1] : a < b
        }
        for successor in successors { name(try log.signedHeads(of: successor, in: journal)) }
        name(try log.samples(of: replica, in: journal).reversed())
        return named
    }

    /// Makes an invitation, and answers the code that is to be given to whoever is invited: who has it can use it.
    ///
    /// `expiry` is in milliseconds since 1970, as the clocks of admins go. Throws `EventLogError.notAMember` if this replica is no
    /// admin; or what the medium refuses.
    public func invite(_ role: MemberRole, expiry: Int64? = nil, uses: Int = 1) async throws -> InvitationCode {
        let code = InvitationCode(journal: journal, secret: surroundings.salt())
        let invitation = Invitation(key: code.key, role: role, expiry: expiry, uses: uses)
        try await state { membership, log, own in
            try membership.checkAdmin(own)
            guard try log.journal() == code.journal else { throw Self.hasMoved }
            return [.invitation(invitation)]
        }
        return code
    }

    /// Takes an invitation back, by its key: who has not been granted for it will not be.
    ///
    /// Throws `EventLogError`: `.notAMember` if this replica is no admin, `.noEffect` if there is no such invitation; or what the
    /// medium refuses.
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

    /// Asks to become a member, with the code of an invitation. An empty log takes on the code's journal; a replica that was revoked
    /// goes on under a new id. What is written until an admin's replica has granted counts here alone, and everywhere after.
    ///
    /// Throws `EventLogError`: `.otherJournal` if the log has commits of another journal; `.noEffect` if this replica is a member; or
    /// what the medium refuses.
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

    /// Grants whoever asks with an invitation that has not expired and is not used up, if this replica is an admin. Answers whom.
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
    ) -> [(replica: ReplicaID, role: MemberRole, invitation: [UInt8])] {
        guard let own, own.role == .admin, !own.isRevoked else { return [] }
        var used: [[UInt8]: Int] = [:]
        var found: [(replica: ReplicaID, role: MemberRole, invitation: [UInt8])] = []
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
        return found
    }

    /// Says of a commit that its events do not count, or, if it was voided, that they count again.
    ///
    /// Throws `EventLogError`: `.notAMember` if this replica neither wrote it nor is an admin, `.noEffect` if the commit is not held,
    /// says who may write, or is as it is to be; or what the medium refuses.
    @discardableResult
    public func void(_ commit: CommitID, isVoid: Bool = true) async throws -> Appended? {
        try await state { membership, log, own in
            guard let role = membership.role(of: own), role == .admin || role == .write && commit.replica == own else {
                throw EventLogError(
                    .notAMember,
                    "Replica \(own) may not void commit \(commit.sequence) of replica \(commit.replica): its author may, and an admin."
                )
            }
            let journal = try log.journal()
            guard let position = try log.position(of: commit, in: journal), let held = try log.commit(at: position)
            else {
                throw EventLogError(
                    .noEffect,
                    "Commit \(commit.sequence) of replica \(commit.replica) with the hash \(commit.hash) is not held here."
                )
            }
            guard !held.header.isMembership, commit.sequence.rawValue > 1 else {
                throw EventLogError(
                    .noEffect,
                    "Commit \(commit.sequence) of replica \(commit.replica) says who may write: that is revoked, and not voided."
                )
            }
            guard (membership.voids[commit] != nil) != isVoid else {
                throw EventLogError(
                    .noEffect,
                    "Commit \(commit.sequence) of replica \(commit.replica) \(isVoid ? "is void already" : "is not void")."
                )
            }
            return [.void(commit, isVoid: isVoid)]
        }
    }

    /// Appends statements that are found inside the transaction; nil if there are none.
    @discardableResult
    private func state(_ find: @escaping Statements) async throws -> Appended? {
        try await introduce(before: find)
        return try await append { log in
            let (membership, own) = try log.membershipWithOwn()
            let statements = try find(membership, log, own)
            let most = ReceivingQuotas.strangerStatements
            if !statements.isEmpty, membership.members[own] == nil,
                try log.statementCounts()[own, default: 0] >= most
            {
                throw EventLogError(
                    .quotaExceeded,
                    "Replica \(own) has said \(most) times something about members, and nobody takes in more of one that is no member. "
                        + "Let an admin grant it.", quota: .strangerStatements)
            }
            return statements.isEmpty ? nil : Payload(membership: statements.map { $0.encoded() })
        }
    }

    /// Writes the first commit of a replica that goes on in a member's place, if there is something that it may state: its rank, and
    /// whether what it says counts, follow from that commit.
    private func introduce(before find: Statements) async throws {
        guard !isReadOnly else { return }
        let mayState = try read { log in
            guard let membership = try log.membership(), try log.isUnwrittenSuccessor(),
                try log.ownMember(membership) != nil
            else { return false }
            let (all, own) = try log.membershipWithOwn()
            return try !find(all, log, own).isEmpty
        }
        guard mayState else { return }
        _ = try await append { log in try log.isUnwrittenSuccessor() ? Payload() : nil }
    }

    private static var hasMoved: EventLogError {
        EventLogError(.otherJournal, "The log took on another journal meanwhile. Try again.")
    }
}

/// Whom a transaction granted.
private final class Admitted: Sendable {
    private let held = Mutex<[ReplicaID]>([])

    var replicas: [ReplicaID] { held.withLock { $0 } }

    func set(_ replicas: [ReplicaID]) { held.withLock { $0 = replicas } }
}

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

    /// Those who may decide, in order.
    public var admins: [ReplicaID] {
        members.values.filter { $0.role == .admin && !$0.isRevoked }.map(\.replica).sorted()
    }

    /// A replica, and all who write in its place, members or not. O(handovers).
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

extension LogWriter {
    /// A replica that was revoked writes no more: the log goes on as another, which has nothing of the former one's role.
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
