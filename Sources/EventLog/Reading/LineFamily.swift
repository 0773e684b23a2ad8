public import Events
import LMDB

/// The lines of one replica in one journal: usually one, and one more for each fork.
///
/// A branch shares its commits below its first with the line that it leaves, which may be a branch itself.
struct LineFamily {
    /// The most branches of a replica that are kept. Each copy or restore of a store makes one; more than a handful is
    /// malice, and each makes every exchange longer.
    static let mostBranches = 64

    struct Member {
        let id: LineID
        let head: LineHead
    }

    let replica: ReplicaID
    let journal: JournalID
    private(set) var members: [Member]

    init(replica: ReplicaID, journal: JournalID, members: [Member] = []) {
        self.replica = replica
        self.journal = journal
        self.members = members
    }

    subscript(line: LineID) -> Member? { members.first { $0.id == line } }

    func member(numbered number: UInt32) -> Member? { members.first { $0.head.line == number } }

    /// The line that a commit on a line belongs to: itself, or one that it leaves. Nil if the line ends before.
    func owner(of sequence: SequenceNumber, on member: Member) -> Member? {
        guard sequence > .start, sequence <= member.head.sequence else { return nil }
        var owner = member
        // Each step leads to a lower number of shared commits, so that a damaged row cannot make it loop.
        while sequence < owner.head.first {
            guard let branch = owner.head.branch, let parent = self.member(numbered: branch.parent),
                parent.head.first < branch.first, sequence <= parent.head.sequence
            else { return nil }
            owner = parent
        }
        return owner
    }

    func position(of sequence: SequenceNumber, in line: LineID, _ log: borrowing LogSnapshot) throws -> Position? {
        guard let member = self[line], let owner = owner(of: sequence, on: member) else { return nil }
        return try log.run(of: sequence, in: owner.head, replica).position
    }

    /// The hash of a commit on a line, or nil if it is not held.
    func hash(of sequence: SequenceNumber, on member: Member, _ log: borrowing LogSnapshot) throws -> Digest? {
        if sequence == member.head.sequence { return member.head.hash }
        guard let owner = owner(of: sequence, on: member) else { return nil }
        return try log.hash(at: log.run(of: sequence, in: owner.head, replica).position)
    }

    /// The line to which a commit belongs, or nil if it is not held.
    func owner(of commit: CommitID, _ log: borrowing LogSnapshot) throws -> Member? {
        try members.first { member in
            guard member.head.first <= commit.sequence, commit.sequence <= member.head.sequence else { return false }
            return try hash(of: commit.sequence, on: member, log) == commit.hash
        }
    }

    /// The line that leaves another, or starts, with a commit.
    func branch(with commit: CommitID, leaving parent: UInt32) -> Member? {
        members.first {
            $0.id.branch == commit.hash
                && $0.head.branch == LineHead.BranchPoint(parent: parent, first: commit.sequence)
        }
    }

    /// Replaces a line's head, or adds the line.
    mutating func set(_ head: LineHead, for line: LineID) {
        members.removeAll { $0.id == line }
        members.append(Member(id: line, head: head))
    }

    /// The forks of the lines, by number.
    func forks(_ log: borrowing LogSnapshot) throws -> [Fork] {
        var branches: [LineHead.BranchPoint: Set<Digest>] = [:]
        for member in members {
            guard let point = member.head.branch, let hash = member.id.branch else { continue }
            branches[point, default: [hash]].insert(hash)
            // The line that is left continues with another commit; of those that start apart one is the line.
            let other = point.parent == 0 ? members.first { $0.id.branch == nil } : self.member(numbered: point.parent)
            if let other, let hash = try self.hash(of: point.first, on: other, log) {
                branches[point, default: []].insert(hash)
            }
        }
        let forks = branches.map { Fork(replica: replica, sequence: $0.key.first, branches: $0.value.sorted()) }
        return forks.sorted { $0.isBefore($1) }
    }
}

/// Two or more different commits that a replica wrote with one number: it was copied or restored, and both copies went
/// on.
///
/// All of them are kept, and merged like any others.
public struct Fork: Hashable, Sendable {
    public let replica: ReplicaID
    /// The number that each of them has.
    public let sequence: SequenceNumber
    /// Their hashes, in byte order: so the fork has the same description on every replica.
    public let branches: [Digest]

    package init(replica: ReplicaID, sequence: SequenceNumber, branches: [Digest]) {
        self.replica = replica
        self.sequence = sequence
        self.branches = branches
    }

    /// By replica, number and hashes.
    package func isBefore(_ other: Fork) -> Bool {
        if replica != other.replica { return replica < other.replica }
        if sequence != other.sequence { return sequence < other.sequence }
        return branches.lexicographicallyPrecedes(other.branches)
    }
}

extension LogSnapshot {
    /// The lines of a replica. O(branches).
    func family(of replica: ReplicaID, in journal: JournalID) throws -> LineFamily {
        let prefix = LineID(journal: journal, replica: replica).bytes
        return try families(whoseLinesBeginWith: prefix).first ?? LineFamily(replica: replica, journal: journal)
    }

    /// The lines of each replica of a journal. O(lines).
    func families(of journal: JournalID) throws -> [LineFamily] { try families(whoseLinesBeginWith: journal.bytes) }

    /// The lines of each replica whose keys in the table of heads begin with some bytes, journal before replica. O(those lines).
    func families(whoseLinesBeginWith prefix: [UInt8]) throws -> [LineFamily] {
        var families: [LineFamily] = []
        var members: [LineFamily.Member] = []
        func finish() {
            guard let line = members.first?.id else { return }
            families.append(LineFamily(replica: line.replica, journal: line.journal, members: members))
            members = []
        }
        var cursor = try transaction.cursor(on: tables.heads)
        // The database refuses an empty key.
        var row = try prefix.isEmpty ? cursor.first() : cursor.seek(atOrAfter: prefix)
        while let current = row, current.key.starts(with: prefix) {
            guard let line = LineID(current.key), let head = LineHead(current.value) else {
                throw Self.damaged("the head of a line")
            }
            if let known = members.first?.id, known.replica != line.replica || known.journal != line.journal {
                finish()
            }
            members.append(LineFamily.Member(id: line, head: head))
            row = try cursor.next()
        }
        finish()
        return families
    }

    /// The forks of all replicas' commits. O(lines).
    public func forks(in journal: JournalID) throws -> [Fork] {
        try families(of: journal).filter { $0.members.count > 1 }.flatMap { try $0.forks(self) }.sorted {
            $0.isBefore($1)
        }
    }
}

extension LineFamily {
    /// The timestamp of a line's own commit. Does not ask whether the commit counts, which may depend on it.
    func timestamp(
        of sequence: SequenceNumber, on member: Member, _ log: borrowing LogSnapshot
    ) throws -> Timestamp {
        let position = try log.run(of: sequence, in: member.head, replica).position
        guard let commit = try log.bytes(at: position.rawValue) else {
            throw LogSnapshot.damaged("commit \(sequence) of replica \(replica)")
        }
        return commit.view.header.timestamp
    }

    /// The last of a line's own commits, up to a number, that is not later than a time; the number before the line's first if all are
    /// later. Timestamps increase along a line: O(log commits).
    func last(
        notAfter time: Timestamp, upTo end: SequenceNumber, on member: Member, _ log: borrowing LogSnapshot
    ) throws -> SequenceNumber {
        var (low, high) = (max(member.head.first.rawValue, 1) - 1, end.rawValue)
        while low < high {
            let middle = SequenceNumber(high - (high - low) / 2)
            if try timestamp(of: middle, on: member, log) <= time {
                low = middle.rawValue
            } else {
                high = middle.rawValue - 1
            }
        }
        return SequenceNumber(low)
    }
}
