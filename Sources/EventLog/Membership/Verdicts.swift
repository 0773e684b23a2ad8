import Events

/// Which commits of a log count, by the current members: for readers of many commits.
///
/// A class, because every append and every read of a commit takes one out of a cache.
final class Verdicts: Sendable {
    /// Which of a replica's commits count.
    indirect enum Allowance: Sendable {
        case all
        case none
        /// For a replica whose commits do not fork: up to a number.
        case upTo(SequenceNumber)
        /// What each of the cuts reaches.
        case within([LineReach], LineFamily)
        /// Those of another allowance that were not replaced.
        case except(ReplacedCommits, Allowance)
    }

    /// Every replica may write: an open journal.
    static let open = Verdicts(membership: nil, allowances: [:], replaced: [:], voided: [], waiting: [], refusal: nil)

    /// Nil if every replica may write.
    let membership: Membership?
    private let allowances: [ReplicaID: Allowance]
    /// By replica, what was replaced of its lines.
    let replaced: [ReplicaID: ReplacedCommits]
    private let voided: Set<Digest>
    /// This log's own replica and its predecessors, if it is no member. Their commits count here, and are offered.
    let waiting: Set<ReplicaID>

    private init(
        membership: Membership?, allowances: [ReplicaID: Allowance], replaced: [ReplicaID: ReplacedCommits],
        voided: Set<Digest>, waiting: Set<ReplicaID>, refusal: EventLogError?
    ) {
        self.replaced = replaced
        self.waiting = waiting
        self.refusal = refusal
        self.membership = membership
        isOpen = membership == nil
        self.allowances = allowances
        self.voided = voided
    }

    convenience init(_ membership: Membership, own: ReplicaID, _ log: borrowing LogSnapshot, in journal: JournalID)
        throws
    {
        var allowances: [ReplicaID: Allowance] = [:]
        for member in membership.members.values where member.role >= .write {
            allowances[member.replica] = try Self.allowance(of: member, log, in: journal)
        }
        // A device that waits for membership sees its own edits, also those made under former ids; no other device
        // does.
        var waiting: Set<ReplicaID> = []
        if membership.members[own] == nil {
            waiting = Set(
                try log.identityChanges().map(\.previous).filter {
                    membership.members[$0] == nil && !membership.revoked.contains($0)
                } + [own])
            for replica in waiting { allowances[replica] = .all }
        }
        var replaced: [ReplicaID: ReplacedCommits] = [:]
        for (replica, replacements) in membership.replacements {
            let found = try ReplacedCommits(replacements, in: log.family(of: replica, in: journal), log)
            replaced[replica] = found
            if let allowance = allowances[replica] { allowances[replica] = .except(found, allowance) }
        }
        self.init(
            membership: membership, allowances: allowances, replaced: replaced,
            voided: Set(membership.voids.keys.map(\.hash)),
            waiting: waiting, refusal: try log.ownMember(membership).flatMap(Self.refusal))
    }

    private static func allowance(
        of member: Member, _ log: borrowing LogSnapshot, in journal: JournalID
    ) throws -> Allowance {
        if member.cuts.isEmpty { return .all }
        let family = try log.family(of: member.replica, in: journal)
        let reaches = try member.cuts.map { cut in LineReach(of: try family.held(cut, log), in: family) }
        guard family.members.count <= 1 else { return .within(reaches, family) }
        let last = reaches.map { $0.heads.first?.sequence ?? .start }.min() ?? .start
        return last == .start ? .none : .upTo(last)
    }

    /// Whether every replica may write.
    let isOpen: Bool
    /// Why this log's own replica may not write; nil if it may, or requests membership. Every append reads it.
    let refusal: EventLogError?

    func allowance(of replica: ReplicaID) -> Allowance { isOpen ? .all : allowances[replica] ?? .none }

    /// Whether the events of a commit count.
    func counts(_ header: CommitHeader, _ hash: Digest, _ log: borrowing LogSnapshot) throws -> Bool {
        try isOpen || !isVoid(hash) && Self.counts(header, hash, within: allowance(of: header.replica), log)
    }

    /// Why a member may not write; nil if it may.
    private static func refusal(of member: Member) -> EventLogError? {
        let replica = member.replica
        if let by = member.revokedBy {
            return EventLogError(
                .notAMember,
                "Replica \(by) has revoked replica \(replica): what this one writes would not count anywhere. Nothing was written. "
                    + "Join again with an invitation, as a new replica, or adopt what is here into a journal of your own."
            )
        }
        guard member.role < .write else { return nil }
        return EventLogError(
            .notAMember,
            "Replica \(replica) is a member with the role \(member.role), which may not write. Nothing was written. Ask an admin for "
                + "the role write.")
    }

    func isVoid(_ hash: Digest) -> Bool { !voided.isEmpty && voided.contains(hash) }

    static func counts(
        _ header: CommitHeader, _ hash: Digest, within allowance: Allowance, _ log: borrowing LogSnapshot
    ) throws -> Bool {
        switch allowance {
        case .all: return true
        case .none: return false
        case .upTo(let last): return header.sequence <= last
        case .within(let reaches, let family):
            let name = CommitID(replica: header.replica, sequence: header.sequence, hash: hash)
            guard let owner = try family.owner(of: name, log) else { return false }
            return reaches.allSatisfy { $0.includes(header.sequence, on: owner.head.line) }
        case .except(let replaced, let allowance):
            let name = CommitID(replica: header.replica, sequence: header.sequence, hash: hash)
            return try counts(header, hash, within: allowance, log) && !replaced.includes(name, log)
        }
    }

    /// Whether a segment is to be stored. Of a revoked replica only its start, which may show with whom it is revoked,
    /// and what leads to a commit that its cut names.
    func mayBeTaken(_ segment: LineSegment, _ family: LineFamily, _ log: borrowing LogSnapshot) throws -> Bool {
        guard membership?.members[segment.replica]?.isRevoked == true else { return true }
        return try segment.first.rawValue == 1 || isWanted(segment, family, log)
    }

    /// Whether a segment may lead to a commit that a cut of its replica names and that is not held.
    func isWanted(_ segment: LineSegment, _ family: LineFamily, _ log: borrowing LogSnapshot) throws -> Bool {
        guard let member = membership?.members[segment.replica], member.isRevoked else { return false }
        return try isWanting(member, from: segment.first, family, log)
    }

    /// Whether commits are missing that the cuts of a revoked replica name.
    private func isWanting(
        _ member: Member, from first: SequenceNumber, _ family: LineFamily, _ log: borrowing LogSnapshot
    ) throws -> Bool {
        try member.cuts.contains { cut in
            try cut.contains { try $0.sequence >= first && family.owner(of: $0, log) == nil }
        }
    }

    /// Whether no more commits are wanted on the path to a commit: it was replaced, or its replica was revoked, and
    /// everything that counts of it is held.
    func isFinished(_ head: CommitID, _ log: borrowing LogSnapshot, in journal: JournalID) throws -> Bool {
        guard let membership else { return false }
        // Its author has written the content again.
        if membership.replacedNames.contains(head) { return true }
        if try replaced[head.replica]?.includes(head, log) == true { return true }
        guard let member = membership.members[head.replica], member.isRevoked else { return false }
        let family = try log.family(of: head.replica, in: journal)
        // Its first commit may name an admin as its predecessor: then the revocation may not hold. Once as many first
        // commits are held as are kept, no more are requested.
        let starts = family.members.count { $0.head.first.rawValue == 1 }
        if starts == 0 || head.sequence.rawValue == 1 && starts <= LineFamily.mostBranches { return false }
        return try !isWanting(member, from: .start, family, log)
    }

    /// Whether a line may be forwarded, and if only up to a cut, what of it.
    func listing(of replica: ReplicaID) -> Listing {
        guard let membership else { return .whole }
        var cuts: [Set<CommitID>] = []
        if !membership.waits(replica), !waiting.contains(replica) {
            guard let member = membership.members[replica] else {
                return membership.named.contains(replica) ? .start : .nothing
            }
            cuts = member.cuts
        }
        return cuts.isEmpty && replaced[replica] == nil ? .whole : .cut(cuts)
    }

    /// What frontiers list of a replica.
    enum Listing {
        case whole
        case nothing
        /// Its first commits, which name its predecessor.
        case start
        /// The commits that every cut leaves, without replaced ones.
        case cut([Set<CommitID>])
    }

    /// For each line of a family, up to which commit its commits count, among those up to an end, replaced ones or not.
    func ends(of family: LineFamily, upTo heads: [UInt32: SequenceNumber]) -> [UInt32: SequenceNumber] {
        var found: [UInt32: SequenceNumber] = [:]
        var allowance = allowance(of: family.replica)
        if case .except(_, let all) = allowance { allowance = all }
        for member in family.members {
            let line = member.head.line
            guard let head = heads[line] else { continue }
            found[line] =
                switch allowance {
                case .all: head
                case .none: .start
                case .upTo(let last): min(head, last)
                case .within(let reaches, _): min(head, reaches.map { $0.end(of: line) }.min() ?? .start)
                case .except: .start
                }
        }
        return found
    }
}

extension LineFamily {
    /// Those of some commits that are held, with their lines.
    func held(
        _ commits: some Collection<CommitID>, _ log: borrowing LogSnapshot
    ) throws -> [(commit: CommitID, owner: Member)] {
        var found: [(commit: CommitID, owner: Member)] = []
        for commit in commits { if let owner = try owner(of: commit, log) { found.append((commit, owner)) } }
        return found
    }
}
