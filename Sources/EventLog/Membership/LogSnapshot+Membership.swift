public import Events
import LMDB

/// A snapshot that a closure can capture.
private final class Unmoved {
    let snapshot: LogSnapshot

    init(_ snapshot: consuming LogSnapshot) { self.snapshot = snapshot }
}

extension LogSnapshot {
    /// The members, as the held commits decide; nil for an open journal, in which every replica may write.
    ///
    /// O(1) while no statement arrives, then O(statements).
    public func membership() throws -> Membership? { try verdicts().membership }

    /// Whether no more commits are wanted on the path to a commit: its replica was revoked, and everything that counts
    /// of it is held.
    public func isFinished(_ head: CommitID, in journal: JournalID) throws -> Bool {
        try verdicts().isFinished(head, self, in: journal)
    }

    /// Which commits count.
    func verdicts() throws -> Verdicts {
        guard let found = try transaction.get(MetaKey.membership, in: tables.meta) else { return .open }
        if let known = tables.membership.verdicts(for: found) { return known }
        let token = [UInt8](found)
        let (journal, replica) = try authorship()
        let facts = try facts(of: journal)
        // Used inside this call alone, in which the snapshot is valid.
        let log = Unmoved(alias())
        let membership = try MembershipResolver.resolve(facts, tables.membership.signatures) {
            try log.snapshot.precedes($0, $1, in: journal)
        }
        let verdicts = try Verdicts(membership, own: replica, self, in: journal)
        tables.membership.keep(verdicts, for: token)
        return verdicts
    }

    /// What the held commits say about members. O(commits with statements).
    private func facts(of journal: JournalID) throws -> MembershipFacts {
        var facts = MembershipFacts(journal: journal)
        try forEachStatement { facts.add($0, $1, $2) }
        facts.prove(tables.membership.signatures)
        return facts
    }

    /// Calls `body` with each commit that has, or may have, statements about members.
    func forEachStatement(_ body: (CommitHeader, Digest, PayloadView?) throws -> Void) throws {
        var cursor = try transaction.cursor(on: tables.members)
        var row = try cursor.first()
        while let current = row {
            guard current.key.count == 8, let commit = try bytes(at: current.key.bigEndian(UInt64.self)) else {
                throw Self.damaged("a row of members")
            }
            try body(commit.view.header, commit.hash, commit.view.payload)
            row = try cursor.next()
        }
    }

    /// The replicas that this log's replica succeeds, by the log's own record.
    func formerReplicas() throws -> Set<ReplicaID> {
        let journal = try journal()
        var found: Set<ReplicaID> = []
        var next = try meta(MetaKey.former).flatMap { IdentityChange($0) }?.previous
        while let replica = next, found.count < MembershipResolver.mostSuccessors, found.insert(replica).inserted {
            next = try introduction(of: replica, in: journal)?.previous
        }
        return found
    }

    /// Whether a held commit counts.
    func counts(_ header: CommitHeader, _ hash: Digest) throws -> Bool { try verdicts().counts(header, hash, self) }
}

extension LogSnapshot {
    /// Whether this log's replica founded the journal, and has not yet written its first commit, which says so.
    package func isFounding() throws -> Bool {
        guard try meta(MetaKey.nonce) != nil else { return false }
        let (journal, replica) = try authorship()
        return try head(of: LineID(journal: journal, replica: replica)) == nil
    }

    /// This log's own replica as a member, also before its first commit, which names it the founder or a successor; nil
    /// if it is none.
    package func ownMember(_ membership: Membership) throws -> Member? {
        let own = try replica()
        if let member = membership.members[own] { return member }
        if try isFounding() { return .founder(own) }
        guard try isUnwrittenSuccessor(),
            let former = try meta(MetaKey.former).flatMap({ IdentityChange($0) })?.previous,
            let member = membership.members[former], membership.hasRoom(after: former)
        else { return nil }
        return member.succeeded(by: own)
    }

    /// Whether this log's own replica is a successor, with its predecessor's signature, and has not yet written its
    /// first commit, which says so.
    func isUnwrittenSuccessor() throws -> Bool {
        guard try meta(MetaKey.handover) != nil else { return false }
        let (journal, own) = try authorship()
        return try head(of: LineID(journal: journal, replica: own)) == nil
    }

    /// The device name in a replica's introduction; empty if that is not held.
    public func deviceName(of replica: ReplicaID) throws -> String {
        try introduction(of: replica, in: journal())?.name ?? ""
    }
}
