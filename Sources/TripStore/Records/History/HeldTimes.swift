import EventLog
import Events

/// What the authors of commits with deletions held, by their commits. It serves one read of the log.
///
/// A commit may delete tens of thousands of entities: its list is read once for all of them, and looked up branch by
/// branch.
struct HeldTimes {
    /// The list of one commit.
    private struct Held {
        let commit: CommitID
        let timestamp: Timestamp
        let times: VersionVector
        /// For replicas whose lines fork, read on demand.
        var branches: [ReplicaID: [ForkedLines.Branch: Timestamp]] = [:]
    }

    /// The maximum number of cached times, of all commits together.
    private static let limit = 1 << 18
    private var known: [Position: Held] = [:]
    private var cost = 0
    /// How often a commit was read.
    private(set) var reads = 0

    /// The time up to which the author of the commit at a position held a branch; zero if nothing of it. O(1) after the
    /// commit was read, O(log commits) for the first request for a replica whose line forks.
    mutating func newest(
        of branch: ForkedLines.Branch, at position: Position, _ forks: ForkedLines, _ log: borrowing LogSnapshot
    ) throws -> Timestamp {
        guard let held = try known[position] ?? read(position, log) else { return .zero }
        // Of its own replica the author held all earlier commits, whatever the commit's list has.
        let isOwn = branch.replica == held.commit.replica
        guard forks.isForked(branch.replica) else {
            return isOwn ? held.timestamp : held.times[branch.replica] ?? .zero
        }
        if let branches = held.branches[branch.replica] { return branches[branch] ?? .zero }
        let found =
            isOwn
            ? try forks.held(by: held.commit, at: held.timestamp, log)
            : try held.times.times(of: branch.replica).flatMap { try forks.held(of: branch.replica, upTo: $0, log) }
        let branches = Dictionary(found.map { ($0.branch, $0.newest) }, uniquingKeysWith: max)
        cost += branches.count
        known[position]?.branches[branch.replica] = branches
        return branches[branch] ?? .zero
    }

    private mutating func read(_ position: Position, _ log: borrowing LogSnapshot) throws -> Held? {
        guard let commit = try log.commit(at: position) else { return nil }
        reads += 1
        let held = Held(
            commit: CommitID(replica: commit.header.replica, sequence: commit.header.sequence, hash: commit.hash),
            timestamp: commit.header.timestamp, times: commit.seenReplicas.held)
        let size = held.times.times.count + 1
        if cost + size > Self.limit { (known, cost) = ([:], 0) }
        cost += size
        known[position] = held
        return held
    }
}
