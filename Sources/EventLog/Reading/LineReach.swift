import Events

/// What some commits of one replica reach: themselves, and all commits before them on their paths, through the lines
/// that branches leave.
///
/// Computed from lines that were loaded before, without look-ups. O(commits × branches on a path).
struct LineReach {
    /// By line number: the furthest of the commits on it.
    private var ends: [UInt32: CommitID] = [:]
    /// The last commit of a line that a branch of it follows.
    private var passed: [UInt32: SequenceNumber] = [:]

    init(of commits: some Sequence<(commit: CommitID, owner: LineFamily.Member)>, in family: LineFamily) {
        for (commit, owner) in commits {
            let line = owner.head.line
            if let end = ends[line], end.sequence >= commit.sequence { continue }
            ends[line] = commit
        }
        for (line, commit) in ends {
            guard let owner = family.member(numbered: line) else { continue }
            for (left, end) in family.way(to: commit.sequence, on: owner).dropFirst() {
                passed[left] = max(passed[left] ?? .start, end)
            }
        }
    }

    /// Whether a commit of a line's own is reached.
    func includes(_ sequence: SequenceNumber, on line: UInt32) -> Bool { sequence <= end(of: line) }

    /// The last commit of a line's own that is reached; `.start` if none is.
    func end(of line: UInt32) -> SequenceNumber {
        max(ends[line]?.sequence ?? .start, passed[line] ?? .start)
    }

    /// Those of the commits that come before none of the others.
    var heads: [CommitID] { ends.filter { $0.value.sequence > passed[$0.key] ?? .start }.map(\.value) }
}
