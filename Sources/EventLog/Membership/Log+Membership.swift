public import Events

/// Returns the statements that a replica is to write, from the state inside the transaction.
typealias StatementFinder =
    @Sendable (
        _ membership: Membership, _ log: borrowing LogSnapshot, _ own: ReplicaID
    ) throws -> [MembershipStatement]

extension LogSnapshot {
    /// The members, among them this log's own replica also before its first commit, and that replica's id.
    func membershipWithOwn() throws -> (membership: Membership, own: ReplicaID) {
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
    /// The members, as the held commits decide; nil for an open journal, in which every replica may write.
    public func membership() throws -> Membership? { try read { try $0.membership() } }

    /// Makes a replica a member, or gives it a higher role. Returns nil if it was already granted the role or a higher
    /// one. A replica that has its role as a successor is granted it for itself.
    ///
    /// Throws `EventLogError`: `.notAMember` if this replica is no admin, `.noEffect` if the other was revoked; or what
    /// the medium refuses.
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
            // Not every replica must hold all successors of one, but every replica accepts commits of granted ones. For
            // an admin that was resolved as a successor, the result does not show whether it was granted as well.
            if let held = membership.members[replica],
                held.role > role || held.role == role && (held.predecessor == nil || role == .admin)
            {
                return []
            }
            let invitation = membership.requests[replica]?.invitation
            return membership.grantees(with: replica).map { .grant($0, role, invitation: invitation) }
        }
    }

    /// Revokes a replica's membership, and that of its successors, permanently. Of their commits, only those held here
    /// count from now on; or, with `cut`, the commits that it names and those before them on their lines. What these
    /// say about erasing goes on counting; but what they erased of others' data is taken back as far as the bytes are
    /// still here, in the same commit: see `LogSnapshot.takenBack(byRevoking:)`.
    ///
    /// Throws `EventLogError`: `.notAMember` if this replica is no admin; `.noEffect` if the other is none either and
    /// no member, is this one, or an admin of higher rank; or what the medium refuses.
    @discardableResult
    public func revoke(_ replica: ReplicaID, cut: Set<CommitID>? = nil) async throws -> Appended? {
        let statements: StatementFinder = { membership, log, own in
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
        // The deciding rank counts only once the first commit is here.
        try await introduce(before: statements)
        let takenBack = try read { log in
            let (membership, own) = try log.membershipWithOwn()
            _ = try statements(membership, log, own)
            return TakeBacks.batches(try log.takenBack(byRevoking: replica))
        }
        // One commit may not have room for all of it.
        for batch in takenBack.dropLast() { _ = try await append(Payload(erasing: TakeBacks.statements(batch))) }
        // A revoked device is shown whole segments: this one ends with the revocation.
        signWithNext()
        return try await state(statements) { log in
            TakeBacks.statements(TakeBacks.batches(try log.takenBack(byRevoking: replica)).first ?? [:])
        }
    }

    /// The commits that a revocation names to keep everything held: the newest commits of the replica and of its
    /// successors. Of the replica also earlier ones, by which the rest still counts if the newest are lost before
    /// another replica has them.
    ///
    /// If there are more than a cut may name, the replica's own come first, then its nearest successors'.
    private static func held(
        of replica: ReplicaID, _ membership: Membership, _ log: borrowing LogSnapshot, in journal: JournalID
    ) throws -> Set<CommitID> {
        var named: Set<CommitID> = []
        func name(_ commits: [CommitID]) {
            for commit in commits where named.count < MembershipStatement.mostCuts { named.insert(commit) }
        }
        name(try log.signedHeads(of: replica, in: journal))
        // A successor that is no member may yet be granted, and is revoked with it.
        let successors = membership.successors(of: replica).subtracting([replica]).sorted { a, b in
            let depths = [a, b].map { membership.members[$0]?.depth ?? .max }
            return depths[0] != depths[1] ? depths[0] < depths[1] : a < b
        }
        for successor in successors { name(try log.signedHeads(of: successor, in: journal)) }
        name(try log.samples(of: replica, in: journal).reversed())
        return named
    }

    /// Voids a commit, so that its events do not count, or, with `isVoid` false, lifts that.
    ///
    /// Throws `EventLogError`: `.notAMember` if this replica neither wrote it nor is an admin, `.noEffect` if the
    /// commit is not held, holds statements about members, or is in that state already; or what the medium refuses.
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
            guard held.header.isErasable else {
                throw EventLogError(
                    .noEffect,
                    "Commit \(commit.sequence) of replica \(commit.replica) says who may write, or what is erased: that is revoked or taken "
                        + "back, and not voided."
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

    /// Appends statements that `find` returns inside the transaction, and with them others about erasing; nil if there
    /// are none.
    @discardableResult
    func state(
        _ find: @escaping StatementFinder,
        erasing: @escaping @Sendable (borrowing LogSnapshot) throws -> [ErasingStatement] = { _ in [] }
    ) async throws -> Appended? {
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
            guard !statements.isEmpty else { return nil }
            return Payload(membership: statements.map { $0.encoded() }, erasing: try erasing(log))
        }
    }

    /// Writes the first commit of a replica that succeeds a member, if there are statements to write: its rank, and
    /// whether its statements count, follow from that commit.
    private func introduce(before find: StatementFinder) async throws {
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
}
