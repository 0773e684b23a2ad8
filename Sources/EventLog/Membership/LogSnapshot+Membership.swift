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

    /// The replicas that wrote here before, by the log's own record, the last one first, each with why it no longer does: no
    /// words for those that wrote nothing and are known by their keys alone. O(those).
    package func identityChanges() throws -> [IdentityChange] {
        let journal = try journal()
        var found: [IdentityChange] = []
        var seen: Set<ReplicaID> = []
        var next = try meta(MetaKey.former).flatMap { IdentityChange($0) }
        var unwritten = try FormerKeys(meta(MetaKey.formerKeys) ?? []).replicas
        while let change = next {
            // Introductions are claims, and could lead back.
            guard seen.insert(change.previous).inserted else { break }
            found.append(change)
            if unwritten.first == change.previous { unwritten.removeFirst() }
            if let former = unwritten.first {
                next = IdentityChange(previous: former, reason: "")
                continue
            }
            let introduction = try introduction(of: change.previous, in: journal)
            unwritten = FormerKeys(introduction?.formerKeys ?? []).replicas
            next = introduction.flatMap { introduction in
                introduction.previous.map { IdentityChange(previous: $0, reason: introduction.reason) }
            }
        }
        return found
    }

    /// Whether a commit was replaced (see `MembershipStatement.replacement`): it does not count, and is not forwarded.
    package func isReplaced(_ commit: CommitID) throws -> Bool {
        try verdicts().replaced[commit.replica]?.includes(commit, self) ?? false
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
        guard try isUnwrittenSuccessor(),
            let former = try meta(MetaKey.former).flatMap({ IdentityChange($0) })?.previous
        else { return try isFounding() ? .founder(own) : nil }
        // The replicas that it succeeds, nearest first, may have written nothing either.
        let unwritten = try FormerKeys(meta(MetaKey.formerKeys) ?? [])
        let chain = unwritten.replicas.isEmpty ? [former] : unwritten.replicas
        var next = chain.firstIndex { membership.members[$0] != nil } ?? chain.count - 1
        var member = membership.members[chain[next]]
        if member == nil, let nonce = try meta(MetaKey.nonce), let key = unwritten.keys.last,
            try JournalID(founder: key, nonce: nonce) == journal()
        {
            member = .founder(chain[next])
        }
        let isGranted = try meta(MetaKey.granted) != nil
        guard var member, membership.hasRoom(for: next + 1, after: member.replica, isGranted: isGranted) else {
            return nil
        }
        while next > 0 {
            next -= 1
            member = member.succeeded(by: chain[next], isGranted: isGranted)
        }
        return member.succeeded(by: own, isGranted: isGranted)
    }

    /// The replicas that this log's own replica succeeds with their signatures, also before its first commit; none if any of them was
    /// revoked.
    func succeeded() throws -> Set<ReplicaID> {
        guard let membership = try membership() else { return [] }
        let own = try replica()
        var waiting = Array(membership.predecessors[own] ?? [])
        if try isUnwrittenSuccessor(), let former = try meta(MetaKey.former).flatMap({ IdentityChange($0) })?.previous {
            waiting += try [former] + FormerKeys(meta(MetaKey.formerKeys) ?? []).replicas
        }
        var found: Set<ReplicaID> = []
        while let next = waiting.popLast() {
            if membership.revoked.contains(next) { return [] }
            if next != own, found.insert(next).inserted { waiting += membership.predecessors[next] ?? [] }
        }
        return found
    }

    /// Whether this log's own replica is no member because its predecessor, which is one, has as many successors as may be:
    /// another admin has to grant it.
    package func isOutgrown() throws -> Bool {
        guard let membership = try membership() else { return false }
        let own = try replica()
        guard try ownMember(membership) == nil else { return false }
        guard try isUnwrittenSuccessor() else { return membership.roleOfPredecessors(own) != nil }
        return try identityChanges().contains { membership.role(of: $0.previous) != nil }
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
