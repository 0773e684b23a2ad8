import EventLog
import Events

/// The recently read commits, with the offsets of their events: finding these takes a pass over the whole commit, which
/// may have thousands of events of as many entities. It serves one read of the log.
struct CommitInfoCache {
    struct Known {
        let info: CommitInfo
        let index: PayloadIndex

        /// Its approximate size, in marks of its index.
        fileprivate var cost: Int { index.cost + 32 }
    }

    /// The maximum number of marks of all cached commits, of 8 bytes each. A commit's index takes a hundredth of its
    /// bytes or less: so commits of some hundreds of megabytes fit, and are indexed once, however many entities they
    /// touch.
    private static let limit = 1 << 21
    private var known: [Position: Known] = [:]
    /// In the order of their first reads; the oldest are evicted first.
    private var met: [Position] = []
    private var firstMet = 0
    private var cost = 0
    /// How often a commit was indexed.
    private(set) var walks = 0
    /// The number of events read.
    private(set) var reads = 0
    private var forks: ForkedLines?

    mutating func commit(_ commit: StoredCommit, _ payload: PayloadView) throws -> Known {
        if let known = known[commit.position] { return known }
        let index = try PayloadIndex(payload)
        walks += 1
        let found = Known(
            info: CommitInfo(commit, (index.author, index.causation, index.correlation)), index: index)
        cost += found.cost
        while cost > Self.limit, firstMet < met.count { removeFirst() }
        known[commit.position] = found
        met.append(commit.position)
        return found
    }

    /// A copy of an event of an indexed commit; nil if there are fewer, or it was erased.
    mutating func event(at index: Int, of commit: Known, _ payload: PayloadView) throws -> Event? {
        reads += 1
        return try commit.index.event(at: index, of: payload)
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
