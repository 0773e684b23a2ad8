public import Events
import LMDB

/// What replicas exchange about their logs, in names that mean the same on all of them.
extension LogSnapshot {
    /// Whether nothing of a journal is held.
    public func isEmpty(_ journal: JournalID) throws -> Bool {
        var cursor = try transaction.cursor(on: tables.heads)
        guard let row = try cursor.seek(atOrAfter: journal.bytes) else { return true }
        return !row.key.starts(with: journal.bytes)
    }

    /// How many lines are held, of all journals. O(1).
    package func lineCount() throws -> Int { try transaction.count(of: tables.heads) }

    /// The newest signed commits that are forwarded: of replicas that a grant, a handover or an invitation names, of revoked ones up to the
    /// cut, and this log's own. O(lines).
    public func listedHeads(of journal: JournalID) throws -> [CommitID] {
        var found: [CommitID] = []
        let verdicts = try verdicts()
        for family in try families(of: journal) { found += try listedReach(of: family, verdicts)?.heads ?? [] }
        return found.sorted()
    }

    /// What is forwarded of a replica's lines; nil for nothing.
    func listedReach(of family: LineFamily, _ verdicts: Verdicts) throws -> LineReach? {
        let signed = try signedReach(of: family, verdicts)
        let replaced = verdicts.replaced[family.replica]
        switch verdicts.listing(of: family.replica) {
        case .whole: return signed
        case .nothing: return nil
        case .start: return LineReach(of: try starts(of: family, within: signed, without: replaced), in: family)
        case .cut(let cuts):
            let reaches = try cuts.map { try reach(ofCut: $0, in: family, signed) } + [signed]
            var ends: [(commit: CommitID, owner: LineFamily.Member)] = []
            for member in family.members {
                var end = reaches.map { $0.end(of: member.head.line) }.min() ?? .start
                if let replaced { end = replaced.last(upTo: end, on: member.head.line) }
                guard end >= member.head.first, let hash = try family.hash(of: end, on: member, self) else { continue }
                ends.append((CommitID(replica: family.replica, sequence: end, hash: hash), member))
            }
            ends += try starts(of: family, within: signed, without: replaced)
            return LineReach(of: ends, in: family)
        }
    }

    /// The first commits of a replica's lines. Every replica must hold these for every replica that is or was a member:
    /// they name its predecessor.
    private func starts(
        of family: LineFamily, within signed: LineReach, without replaced: ReplacedCommits?
    ) throws -> [(commit: CommitID, owner: LineFamily.Member)] {
        let first = SequenceNumber(1)
        var found: [(commit: CommitID, owner: LineFamily.Member)] = []
        for member in family.members
        where member.head.first == first && signed.includes(first, on: member.head.line) {
            if replaced?.includes(first, on: member.head.line) == true { continue }
            guard let hash = try family.hash(of: first, on: member, self) else { continue }
            found.append((CommitID(replica: family.replica, sequence: first, hash: hash), member))
        }
        return found
    }

    /// What a cut leaves of a replica's lines: the commits that it names, and all before them.
    ///
    /// While one of them is not held, also what is signed on the lines that may lead there: an interrupted exchange
    /// continues from what the frontier lists.
    private func reach(
        ofCut cut: Set<CommitID>, in family: LineFamily, _ signed: LineReach
    ) throws -> LineReach {
        var ends = try family.held(cut, self)
        let held = Set(ends.map(\.commit))
        guard let wanting = cut.subtracting(held).map(\.sequence).max(), wanting > .start else {
            return LineReach(of: ends, in: family)
        }
        for member in family.members {
            let end = min(signed.end(of: member.head.line), SequenceNumber(wanting.rawValue - 1))
            guard end >= member.head.first, let hash = try family.hash(of: end, on: member, self) else { continue }
            ends.append((CommitID(replica: family.replica, sequence: end, hash: hash), member))
        }
        return LineReach(of: ends, in: family)
    }

    /// Returns the commits in `commits` that come before no other of these, as far as the log can tell: commits that
    /// are not held are included. O(commits × branches).
    public func withoutPredecessors(_ commits: Set<CommitID>, in journal: JournalID) throws -> [CommitID] {
        var found: [CommitID] = []
        for (replica, commits) in Dictionary(grouping: commits, by: \.replica) {
            let family = try family(of: replica, in: journal)
            var held: [(commit: CommitID, owner: LineFamily.Member)] = []
            for commit in commits {
                if let owner = try family.owner(of: commit, self) {
                    held.append((commit, owner))
                } else {
                    found.append(commit)
                }
            }
            found += LineReach(of: held, in: family).heads
        }
        return found
    }

    /// Whether a commit is held.
    public func holds(_ commit: CommitID, in journal: JournalID) throws -> Bool {
        try family(of: commit.replica, in: journal).owner(of: commit, self) != nil
    }

    /// The position of a commit, or nil if it is not held.
    public func position(of commit: CommitID, in journal: JournalID) throws -> Position? {
        guard let owner = try family(of: commit.replica, in: journal).owner(of: commit, self) else { return nil }
        return try run(of: commit.sequence, in: owner.head, commit.replica).position
    }

    /// Whether one commit is the other or comes before it on its line; false if either is not held.
    public func precedes(_ commit: CommitID, _ later: CommitID, in journal: JournalID) throws -> Bool {
        guard commit.replica == later.replica, commit.sequence <= later.sequence else { return false }
        let family = try family(of: later.replica, in: journal)
        guard let owner = try family.owner(of: later, self) else { return false }
        return try family.hash(of: commit.sequence, on: owner, self) == commit.hash
    }

    /// The next segment on the path to a commit: what follows a number on its line, up to the next signature there. Nil
    /// at its end, or if the commit is not held.
    ///
    /// It has at most `LineSegment.largestByteCount` bytes. O(commits of the segment). Throws `SegmentExceeds` if its commits have more
    /// bytes than `limit`; then none are copied beyond that.
    public func segment(
        towards head: CommitID, after sequence: SequenceNumber, in journal: JournalID, atMost limit: Int = .max
    ) throws -> LineSegment? {
        let family = try family(of: head.replica, in: journal)
        guard sequence < head.sequence, let member = try family.owner(of: head, self) else { return nil }
        let previous = sequence == .start ? .zero : try family.hash(of: sequence, on: member, self)
        guard let previous else { throw Self.damaged("commit \(sequence) of replica \(head.replica)") }
        var commits: [[UInt8]] = []
        var bytes = 0
        var erasures: [[UInt8]] = []
        let hasErasures = try hasErasures()
        var number = sequence
        var position = Position.start
        var runEnd = sequence
        var line: UInt32 = 0
        while number < head.sequence {
            number = number.next
            guard let owner = family.owner(of: number, on: member) else {
                throw Self.damaged("commit \(number) of replica \(head.replica)")
            }
            if number > runEnd || owner.head.line != line {
                (position, runEnd) = try run(of: number, in: owner.head, head.replica)
                line = owner.head.line
            } else {
                position = position.next
            }
            guard let commit = try storedCommit(at: position) else {
                throw Self.damaged("commit \(number) of replica \(head.replica)")
            }
            bytes += commit.view.bytes.count
            if bytes <= limit { commits.append([UInt8](commit.view.bytes)) }
            if hasErasures, bytes <= limit { erasures += try self.erasures(of: commit.hash).map(\.bytes) }
            let key = owner.head.line.bigEndianBytes + number.rawValue.bigEndianBytes
            // A cut may lie before the signature that vouches for it.
            if number == head.sequence, number < owner.head.sequence,
                try transaction.get(key, in: tables.signatures) == nil
            {
                return try segment(
                    towards: try signedHead(after: head, on: owner, of: family), after: sequence, in: journal,
                    atMost: limit)
            }
            if let signature = try transaction.get(key, in: tables.signatures) {
                guard bytes <= limit else { throw SegmentExceeds(bytes: bytes) }
                return LineSegment(
                    journal: journal, replica: head.replica, first: sequence.next, previous: previous,
                    commits: commits, signature: [UInt8](signature), erasures: erasures)
            }
        }
        // The head is not signed: nothing can be offered up to it.
        return nil
    }

    /// The next signed commit on a line; the commit itself if none is.
    private func signedHead(
        after commit: CommitID, on owner: LineFamily.Member, of family: LineFamily
    ) throws -> CommitID {
        var cursor = try transaction.cursor(on: tables.signatures)
        let key = owner.head.line.bigEndianBytes + commit.sequence.rawValue.bigEndianBytes
        guard let row = try cursor.seek(atOrAfter: key), row.key.count == 12,
            row.key.bigEndian(UInt32.self) == owner.head.line,
            case let sequence = SequenceNumber(row.key.bigEndian(UInt64.self, at: 4)),
            let hash = try family.hash(of: sequence, on: owner, self)
        else { return commit }
        return CommitID(replica: family.replica, sequence: sequence, hash: hash)
    }

    /// The key in a replica's first commit; nil if that is not held.
    func publicKey(of replica: ReplicaID, in journal: JournalID) throws -> [UInt8]? {
        try introduction(of: replica, in: journal)?.publicKey
    }

    /// The predecessors of a replica: those that signed for it, or, in an open journal, the one that its first commit
    /// names.
    public func predecessors(of replica: ReplicaID) throws -> Set<ReplicaID> {
        if let membership = try membership() { return membership.predecessors[replica] ?? [] }
        return Set([try introduction(of: replica, in: journal())?.previous].compactMap { $0 })
    }

    func introduction(of replica: ReplicaID, in journal: JournalID) throws -> Payload.Introduction? {
        let family = try family(of: replica, in: journal)
        guard let member = family.members.first,
            let position = try family.position(of: SequenceNumber(1), in: member.id, self),
            // Judging whether it counts would read introductions in turn.
            let commit = try bytes(at: position.rawValue)
        else { return nil }
        return try? commit.view.payload?.copy().introduction
    }
}

/// A segment has more bytes than there was room for.
public struct SegmentExceeds: Error {
    /// The bytes of the segment's commits.
    public let bytes: Int
}

extension Log {
    /// Every segment of every line, or of one replica, after signing this replica's own to its end: for tests, which
    /// hold them all in memory.
    package func allSegments(of replica: ReplicaID? = nil) async throws -> [LineSegment] {
        try await signHead()
        return try read { log in
            let journal = try log.journal()
            var found: [LineSegment] = []
            for head in try log.signedHeads(of: journal) where replica == nil || head.replica == replica {
                var sequence = SequenceNumber.start
                while let segment = try log.segment(towards: head, after: sequence, in: journal) {
                    found.append(segment)
                    sequence = segment.last
                }
            }
            return found
        }
    }
}
