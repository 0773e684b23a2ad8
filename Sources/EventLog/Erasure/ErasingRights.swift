import Events

/// The rights to erase and to take back, by the members of a journal; nil for one in which every replica may write.
struct ErasingRights {
    let membership: Membership?

    /// The part in which a replica erases a commit.
    enum Part: Sendable {
        /// It wrote the commit, or succeeds the replica that did.
        case author
        /// An admin, over what another replica wrote.
        case admin
    }

    /// Nil for a replica that may not erase what another wrote, if its statement stands.
    func part(of eraser: ReplicaID, over author: ReplicaID) -> Part? {
        if speaks(eraser, for: author) { return .author }
        return membership?.members[eraser]?.role == .admin ? .admin : nil
    }

    /// Whether what one replica takes back, another no longer erases, whichever of them stated it later.
    ///
    /// An admin whom an earlier path of grants made one overrules those after it, and replicas that are no admins. The
    /// author of the commit overrules admins, unless it was revoked.
    func overrules(_ replica: ReplicaID, _ eraser: ReplicaID, over author: ReplicaID) -> Bool {
        guard let membership, let member = membership.members[replica] else { return false }
        if member.role == .admin {
            guard let other = membership.members[eraser], other.role == .admin else { return true }
            if Member.outranks(member.path, other.path) { return true }
        }
        return !member.isRevoked && part(of: eraser, over: author) == .admin && speaks(replica, for: author)
    }

    /// Whether an admin, who did not write the commit, confirms what its author erases: not if the author, or the eraser
    /// that succeeds it, made it an admin. Otherwise the holder of one stolen key would confirm what it erases itself.
    func confirms(_ admin: ReplicaID, _ erasure: CountingErasure) -> Bool {
        guard let members = membership?.members, let path = members[admin]?.path else { return false }
        return [erasure.eraser, erasure.erasure.commit.replica].allSatisfy { replica in
            guard let member = members[replica], member.role == .admin else { return true }
            return !path.starts(with: member.path)
        }
    }

    /// Whether a replica is another one, or succeeds it.
    func speaks(_ replica: ReplicaID, for other: ReplicaID) -> Bool {
        replica == other || membership?.isSameOrSuccessor(replica, of: other) ?? false
    }
}
