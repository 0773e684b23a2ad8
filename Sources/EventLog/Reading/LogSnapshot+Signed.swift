public import Events
import LMDB

/// Commits that signatures vouch for.
extension LogSnapshot {
    /// The newest signed commit of every line of a journal, several for a replica whose commits fork, in order.
    ///
    /// It is the newest commit, except for the log's own line, where unsigned commits may follow. O(lines).
    public func signedHeads(of journal: JournalID) throws -> [CommitID] {
        var found: [CommitID] = []
        let verdicts = try verdicts()
        for family in try families(of: journal) { found += try signedReach(of: family, verdicts).heads }
        return found.sorted()
    }

    /// The newest signed commit of every line of one replica.
    func signedHeads(of replica: ReplicaID, in journal: JournalID) throws -> [CommitID] {
        try signedReach(of: try family(of: replica, in: journal), verdicts()).heads
    }

    /// How far the signatures of a replica's lines vouch for its commits, if they can be forwarded.
    ///
    /// If a line's signatures end below a branch that leaves it, its signed end is on the path to the branch's.
    func signedReach(of family: LineFamily, _ verdicts: Verdicts) throws -> LineReach {
        var ends: [(commit: CommitID, owner: LineFamily.Member)] = []
        for member in family.members {
            let sequence = try signedEnd(of: member, verdicts.replaced[family.replica])
            guard sequence > .start else { continue }
            guard let owner = family.owner(of: sequence, on: member),
                let hash = try family.hash(of: sequence, on: member, self)
            else { throw Self.damaged("commit \(sequence) of replica \(family.replica)") }
            ends.append((CommitID(replica: family.replica, sequence: sequence, hash: hash), owner))
        }
        return LineReach(of: ends, in: family)
    }

    /// The given commits that are held and that a signature vouches for: the commit, or a later one of its line, is signed. With
    /// `forForwarding`, a signature after which commits were replaced does not count: it is not forwarded.
    public func heldSigned(
        _ commits: [CommitID], in journal: JournalID, forForwarding: Bool = false
    ) throws -> Set<CommitID> {
        var found: Set<CommitID> = []
        let verdicts = try forForwarding ? verdicts() : .open
        for (replica, commits) in Dictionary(grouping: commits, by: \.replica) {
            let family = try family(of: replica, in: journal)
            let reach = try signedReach(of: family, verdicts)
            for commit in commits {
                guard let owner = try family.owner(of: commit, self) else { continue }
                if reach.includes(commit.sequence, on: owner.head.line) { found.insert(commit) }
            }
        }
        return found
    }

    /// The number of a line's newest signed commit; `.start` if there is none. After a replaced commit only a signature before it can be
    /// forwarded.
    private func signedEnd(of member: LineFamily.Member, _ replaced: ReplacedCommits?) throws -> SequenceNumber {
        let (line, signed) = (member.head.line, member.head.signed)
        guard let last = replaced?.last(upTo: signed, on: line), last < signed else {
            return signed
        }
        var cursor = try transaction.cursor(on: tables.signatures)
        guard let row = try cursor.seek(before: line.bigEndianBytes + last.next.rawValue.bigEndianBytes),
            row.key.count == 12, row.key.bigEndian(UInt32.self) == line
        else { return .start }
        return SequenceNumber(row.key.bigEndian(UInt64.self, at: 4))
    }

    /// Commits of a replica by which another finds the last one that both hold: of each line the newest, then one, two,
    /// four… before it, and the first. Commits that no signature vouches for are left out, so that their signatures are
    /// requested too. O(log commits) of each line.
    public func samples(of replica: ReplicaID, in journal: JournalID) throws -> [CommitID] {
        let family = try family(of: replica, in: journal)
        let replaced = try verdicts().replaced[replica]
        var found: Set<CommitID> = []
        for member in family.members {
            var sequence = try signedEnd(of: member, replaced).rawValue
            var step: UInt64 = 1
            while sequence > 0 {
                let number = SequenceNumber(sequence)
                if let hash = try family.hash(of: number, on: member, self) {
                    found.insert(CommitID(replica: replica, sequence: number, hash: hash))
                }
                if sequence == 1 { break }
                sequence = sequence > step ? sequence - step : 1
                step &*= 2
            }
        }
        return found.sorted()
    }
}
