public import Events

/// The commits of a line that a peer lacks: those after a number, up to another commit.
public struct LineRange: Hashable, Sendable {
    public let head: CommitID
    public let after: SequenceNumber

    public init(head: CommitID, after: SequenceNumber) {
        self.head = head
        self.after = after
    }

    /// The number of commits.
    public var count: Int {
        head.sequence > after ? Int(clamping: head.sequence.rawValue - after.rawValue) : 0
    }
}

extension LogSnapshot {
    /// The newest commit of every line of a journal, signed or not, in order. O(lines).
    public func newestCommits(of journal: JournalID) throws -> [CommitID] {
        try heads().filter { $0.key.journal == journal }
            .map { CommitID(replica: $0.key.replica, sequence: $0.value.sequence, hash: $0.value.hash) }.sorted()
    }

    /// The commits between those that a peer has and those that it wants, in an order in which they can be stored:
    /// commits that branches share come once, and before them; a replica that made others members comes before these.
    /// Commits that are not held here, or not forwarded, are left out.
    public func ranges(
        towards wanted: [CommitID], lackedBy held: [CommitID], in journal: JournalID
    ) throws -> [LineRange] {
        var found: [LineRange] = []
        let held = Dictionary(grouping: held, by: \.replica)
        let membership = try membership()
        let ordered = Dictionary(grouping: wanted, by: \.replica).sorted { a, b in
            guard let membership else { return a.key < b.key }
            return membership.order(of: a.key) < membership.order(of: b.key)
        }
        for (replica, wanted) in ordered {
            let family = try family(of: replica, in: journal)
            let known = try family.furthest(held[replica] ?? [], self)
            // A line that is left has the lower number.
            let reach = membership == nil ? nil : try listedReach(of: family, verdicts())
            if membership != nil && reach == nil { continue }
            let heads = try family.furthest(wanted, self).filter { head, owner in
                reach?.includes(head.sequence, on: owner.head.line) ?? true
            }
            for (index, (head, owner)) in heads.enumerated() {
                var after = SequenceNumber.start
                for (other, member) in known + heads[..<index] {
                    let shared = family.shared(head, on: owner, other, on: member)
                    after = max(after, shared)
                }
                if after < head.sequence { found.append(LineRange(head: head, after: after)) }
            }
        }
        return found
    }

    /// The bytes of a range's commits. O(commits).
    public func byteCount(of range: LineRange, in journal: JournalID) throws -> Int {
        let family = try family(of: range.head.replica, in: journal)
        guard let owner = try family.owner(of: range.head, self) else { return 0 }
        var bytes = 0
        var number = range.after
        while number < range.head.sequence {
            number = number.next
            guard let position = try family.position(of: number, in: owner.id, self),
                let commit = try storedCommit(at: position)
            else { break }
            bytes += commit.view.bytes.count
        }
        return bytes
    }
}

extension LineFamily {
    /// The furthest of some commits on each line, which covers those before it; by line number. However many are named,
    /// there is at most one a line.
    func furthest(
        _ commits: [CommitID], _ log: borrowing LogSnapshot
    ) throws -> [(commit: CommitID, owner: Member)] {
        var furthest: [UInt32: (commit: CommitID, owner: Member)] = [:]
        for commit in commits {
            guard let owner = try owner(of: commit, log) else { continue }
            if let found = furthest[owner.head.line], found.commit.sequence >= commit.sequence { continue }
            furthest[owner.head.line] = (commit, owner)
        }
        return furthest.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The number of the last commit that the paths to two commits share; `.start` if there is none.
    func shared(_ one: CommitID, on first: Member, _ other: CommitID, on second: Member) -> SequenceNumber {
        let ends = Dictionary(way(to: other.sequence, on: second), uniquingKeysWith: max)
        var shared = SequenceNumber.start
        for (line, end) in way(to: one.sequence, on: first) {
            if let otherEnd = ends[line] { shared = max(shared, min(end, otherEnd)) }
        }
        return shared
    }

    /// The lines on which the commits up to a number lie, each with the last of them there.
    func way(to sequence: SequenceNumber, on member: Member) -> [(line: UInt32, end: SequenceNumber)] {
        var way: [(line: UInt32, end: SequenceNumber)] = []
        var member = member
        var end = sequence
        while way.count < members.count {
            way.append((member.head.line, end))
            guard let branch = member.head.branch, branch.first.rawValue > 1,
                let parent = self.member(numbered: branch.parent)
            else { break }
            end = SequenceNumber(branch.first.rawValue - 1)
            member = parent
        }
        return way
    }
}
