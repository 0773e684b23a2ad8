import Events

/// The statements of erasers that the author of a commit held, as far as the commit shows it.
struct CommitAuthor {
    private let commit: CommitID
    private let position: Position
    private let timestamp: Timestamp
    private let seen: SeenReplicas
    /// By the eraser.
    private var known: [ReplicaID: [(branch: ForkedLines.Branch, newest: Timestamp)]] = [:]

    init(of commit: StoredCommit) {
        (self.commit, position, timestamp) = (commit.name, commit.position, commit.header.timestamp)
        seen = commit.seenReplicas
    }

    /// Whether the commit arrived after a statement that its author did not hold. Timestamps are later than all that
    /// their author had seen.
    mutating func isLate(
        for statement: SweepingStatement, _ forks: ForkedLines, _ log: borrowing LogSnapshot
    ) throws -> Bool {
        let fact = statement.fact
        guard position > statement.after else { return false }
        guard timestamp > fact.timestamp else { return true }
        let held = try branches(of: fact.author, forks, log)
        let branch = try forks.branch(of: fact.commit, log)
        return !held.contains { $0.branch == branch && $0.newest >= fact.timestamp }
    }

    private mutating func branches(
        of eraser: ReplicaID, _ forks: ForkedLines, _ log: borrowing LogSnapshot
    ) throws -> [(branch: ForkedLines.Branch, newest: Timestamp)] {
        if let branches = known[eraser] { return branches }
        let branches =
            eraser == commit.replica
            ? try forks.held(by: commit, at: timestamp, log)
            : try seen.held.times(of: eraser).flatMap { try forks.held(of: eraser, upTo: $0, log) }
        known[eraser] = branches
        return branches
    }
}
