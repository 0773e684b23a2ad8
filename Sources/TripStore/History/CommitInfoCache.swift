import EventLog
import Events

/// Who wrote the commits that were met lately, and where their events lie: finding that walks through the whole of a
/// commit, which may hold thousands of events of as many entities. It serves one read of the log.
struct CommitInfoCache {
    struct Known {
        let info: CommitInfo
        let seen: SeenReplicas
        let events: [Range<UInt32>]
        /// What the author held, once somebody asked.
        fileprivate var held: VersionVector?

        /// About how much it takes, in events.
        fileprivate var cost: Int { events.count + 4 * seen.replicas.count + 8 }
    }

    /// The most events of all commits that are kept.
    private static let limit = 1 << 18
    private var known: [Position: Known] = [:]
    /// In the order in which they were met: the first of them go first.
    private var met: [Position] = []
    private var firstMet = 0
    private var cost = 0
    private var forks: ForkedLines?

    mutating func commit(_ commit: StoredCommit, _ payload: PayloadView) throws -> Known {
        if let known = known[commit.position] { return known }
        let outline = try payload.outline()
        let found = Known(
            info: CommitInfo(commit, (outline.author, outline.causation, outline.correlation)), seen: outline.seen,
            events: outline.events)
        cost += found.cost
        while cost > Self.limit, firstMet < met.count { removeFirst() }
        known[commit.position] = found
        met.append(commit.position)
        return found
    }

    /// What the author of a commit that was met held of each replica: read for commits with deletions alone.
    mutating func held(at position: Position) -> VersionVector {
        guard let commit = known[position] else { return VersionVector() }
        if let held = commit.held { return held }
        let held = commit.seen.held
        known[position]?.held = held
        return held
    }

    /// The replicas whose lines fork.
    mutating func forks(_ log: borrowing LogSnapshot, _ journal: JournalID) throws -> ForkedLines {
        if let forks { return forks }
        let found = try ForkedLines(log, in: journal)
        forks = found
        return found
    }

    private mutating func removeFirst() {
        if let removed = known.removeValue(forKey: met[firstMet]) { cost -= removed.cost }
        firstMet += 1
        guard firstMet > 1024, firstMet > met.count / 2 else { return }
        met.removeFirst(firstMet)
        firstMet = 0
    }
}
