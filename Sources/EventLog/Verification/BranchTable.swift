import Events

/// A verifier's knowledge of branches before it reaches their commits: where the table of heads says that they begin,
/// and what was found there.
struct BranchTable {
    /// A commit that a branch may follow.
    struct Point {
        var sequence: UInt64
        var hash: Digest
        var timestamp: Timestamp
    }

    private var branches: [LineID: LineHead.BranchPoint] = [:]
    private var families: [LineID: [LineID]] = [:]
    /// By the number of the line that is left: the commits to remember, and those that came.
    private var awaited: [UInt32: Set<UInt64>] = [:]
    private var passed: [UInt32: [UInt64: Point]] = [:]

    mutating func add(_ line: LineID, _ point: LineHead.BranchPoint) {
        branches[line] = point
        families[Self.trunk(of: line), default: []].append(line)
        if point.parent > 0 { awaited[point.parent, default: []].insert(point.first.rawValue &- 1) }
    }

    private static func trunk(of line: LineID) -> LineID { LineID(journal: line.journal, replica: line.replica) }

    /// The branches of a replica's line.
    private func lines(of trunk: LineID) -> [LineID] { families[trunk] ?? [] }

    /// The number of a branch's first commit.
    private func first(of line: LineID) -> UInt64? { branches[line]?.first.rawValue }

    /// The commit that a branch follows; nil for other lines, and if it was not found.
    func point(before line: LineID) -> Point? {
        guard let branch = branches[line] else { return nil }
        return passed[branch.parent]?[branch.first.rawValue &- 1]
    }

    /// The line that a commit belongs to: one that it starts as a branch, or one of its replica's that it continues.
    ///
    /// `newest` returns number and hash of a line's last commit so far; nil before its first.
    func line(
        of commit: CommitView, _ stored: Digest, newest: (LineID) -> (sequence: UInt64, hash: Digest)?
    ) -> LineID {
        let trunk = LineID(journal: commit.header.journal, replica: commit.header.replica)
        let others = lines(of: trunk)
        guard !others.isEmpty else { return trunk }
        let sequence = commit.header.sequence.rawValue
        let branch = LineID(journal: trunk.journal, replica: trunk.replica, branch: stored)
        if first(of: branch) == sequence && newest(branch) == nil { return branch }
        let next = ([trunk] + others).filter { line in
            newest(line).map { $0.sequence + 1 == sequence } ?? (line == trunk && sequence == 1)
        }
        return next.first { commit.hash(after: newest($0)?.hash ?? .zero) == stored } ?? next.first ?? trunk
    }

    /// Records a commit, if a branch follows it.
    mutating func pass(_ line: LineID, _ point: Point, _ numbers: [UInt32: LineID]) {
        // Mostly there are no branches, and this does nothing.
        for (number, sequences) in awaited where sequences.contains(point.sequence) && numbers[number] == line {
            passed[number, default: [:]][point.sequence] = point
        }
    }
}
