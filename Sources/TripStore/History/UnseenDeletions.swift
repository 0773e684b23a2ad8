import EventLog
import Events

/// The deletions of an entity, for finding those that did not know of an edit, or of which its author did not know.
///
/// An author may write tens of thousands of deletions in one commit, and thousands of replicas an edit each. So of each commit
/// the last deletion alone is kept, and for each replica only those that name it. Memory is linear in the deletions and the replicas
/// that they name, O(deletions · log deletions) to make; O(log deletions) a look-up.
struct UnseenDeletions {
    /// A write of deletion or restoration.
    struct Write {
        let entry: Int
        let stamp: Stamp
        let isDeletion: Bool
        /// What its author held; nil if nothing is said of that.
        let held: VersionVector?
        /// The deletion before this one that is of another commit, with no restoration between.
        fileprivate var other: Int?

        init(entry: Int, stamp: Stamp, isDeletion: Bool, held: VersionVector?) {
            self.entry = entry
            self.stamp = stamp
            self.isDeletion = isDeletion
            self.held = held
        }

    }

    /// A write that may have been deleted unseen.
    struct Edit {
        /// Its place in the order of the merge.
        let stamp: Stamp
        /// When its commit was written.
        let timestamp: Timestamp
        /// The branch on which that lies.
        let branch: ForkedLines.Branch
    }

    /// Up to which time the author of a deletion held each branch of a replica, given the time that is named.
    typealias HeldBranches = (ReplicaID, Timestamp) throws -> [(branch: ForkedLines.Branch, newest: Timestamp)]

    /// Of the deletions whose authors held what a replica wrote up to a time, or less, the last one, and the last one of another
    /// commit than that.
    private struct Last {
        let newestHeld: Timestamp
        let last: Int
        let other: Int?
    }

    /// In the order of the merge.
    private var writes: [Write]
    /// Of each commit the last deletion that says what its author held, in descending order.
    private let lastOfCommits: [Int]
    /// Those of them that name a branch, or are on it, with the time up to which their authors held what it wrote. Of all others
    /// that time is 0.
    private var naming: [ForkedLines.Branch: [(newest: Timestamp, place: Int)]] = [:]
    /// By `newestHeld`, for branches that were asked for.
    private var lasts: [ForkedLines.Branch: [Last]] = [:]

    /// `writes` are in the order of the merge. `own` tells what the author of one had written of its own before it.
    init(
        _ writes: [Write],
        own: (Write) throws -> [(branch: ForkedLines.Branch, newest: Timestamp)], branches: HeldBranches
    ) rethrows {
        self.writes = writes
        var commits: Set<Digest> = []
        lastOfCommits = writes.indices.reversed().filter { place in
            writes[place].isDeletion && writes[place].held != nil && commits.insert(writes[place].stamp.hash).inserted
        }
        for place in lastOfCommits {
            let write = writes[place]
            var held: [ForkedLines.Branch: Timestamp] = [:]
            // Of its own replica its author held what comes before this commit.
            let others = (write.held?.times ?? []).filter { $0.replica != write.stamp.replica }
            for (branch, newest) in try others.flatMap({ try branches($0.replica, $0.newest) }) + own(write) {
                held[branch] = max(newest, held[branch] ?? .zero)
            }
            for (branch, newest) in held { naming[branch, default: []].append((newest, place)) }
        }
        for place in writes.indices.dropFirst() where writes[place - 1].isDeletion {
            let previous = self.writes[place - 1]
            self.writes[place].other = previous.stamp.hash == writes[place].stamp.hash ? previous.other : place - 1
        }
    }

    /// The entry of the last deletion of another commit that did not know of an edit of the same entity, or of which its author did
    /// not know; nil if there is none. The edit is an entry of its own.
    mutating func last(unseenWith edit: Edit, entry: Int) -> Int? {
        lastLater(than: edit) ?? lastStanding(at: writes.partitioned { $0.entry < entry }, for: edit)
    }

    /// The same of a write to another entity.
    mutating func last(unseenWith edit: Edit) -> Int? {
        lastLater(than: edit) ?? lastStanding(at: writes.partitioned { $0.stamp <= edit.stamp }, for: edit)
    }

    /// The last deletion among the first so many writes, if it stands after them: who edits has not seen it.
    private func lastStanding(at end: Int, for edit: Edit) -> Int? {
        guard end > 0, writes[end - 1].isDeletion else { return nil }
        let place = writes[end - 1].stamp.hash == edit.stamp.hash ? writes[end - 1].other : end - 1
        return place.map { writes[$0].entry }
    }

    /// Of those after the edit the last whose author did not hold it.
    private mutating func lastLater(than edit: Edit) -> Int? {
        let lasts = lasts(for: edit.branch)
        let end = lasts.partitioned { $0.newestHeld < edit.timestamp }
        guard end > 0 else { return nil }
        let found = lasts[end - 1]
        let last = writes[found.last].stamp.hash == edit.stamp.hash ? found.other : found.last
        guard let place = last, writes[place].stamp > edit.stamp else { return nil }
        return writes[place].entry
    }

    private mutating func lasts(for branch: ForkedLines.Branch) -> [Last] {
        if let known = lasts[branch] { return known }
        let named = naming[branch] ?? []
        let places = Set(named.map(\.place))
        var found: [Last] = []
        for place in lastOfCommits.lazy.filter({ !places.contains($0) }).prefix(2) {
            found = [following(found.last, place, .zero)]
        }
        for (newest, place) in named.sorted(by: { $0.newest < $1.newest }) {
            found.append(following(found.last, place, newest))
        }
        lasts[branch] = found
        return found
    }

    private func following(_ previous: Last?, _ place: Int, _ newest: Timestamp) -> Last {
        guard let previous else { return Last(newestHeld: newest, last: place, other: nil) }
        let isOfAnother = writes[place].stamp.hash != writes[previous.last].stamp.hash
        if place > previous.last {
            return Last(newestHeld: newest, last: place, other: isOfAnother ? previous.last : previous.other)
        }
        return Last(
            newestHeld: newest, last: previous.last,
            other: isOfAnother ? max(place, previous.other ?? place) : previous.other)
    }
}

extension Array {
    /// How many of the first elements fulfil a condition that those after them do not. O(log n).
    fileprivate func partitioned(by isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
