import EventLog
import Events

/// The deletions of an entity, to find those whose author did not know of an edit, or of which the edit's author did
/// not know.
///
/// An author may write tens of thousands of deletions in one commit, and thousands of replicas an edit each. So only
/// the last deletion of each commit is kept, and what its author held is requested once for each branch that has an
/// edit. O(commits · log commits) for the first edit of a branch, O(log commits) for the others.
struct UnseenDeletions {
    /// A write of deletion or restoration.
    struct Write {
        let entry: Int
        let stamp: Stamp
        let isDeletion: Bool
        /// The position of the commit that tells what its author held; nil if it does not.
        let heldAt: Position?
        /// The previous deletion of another commit, with no restoration between.
        fileprivate(set) var other: Int?
    }

    /// A write that may have been deleted unseen.
    struct Edit {
        /// Its position in merge order.
        let stamp: Stamp
        /// The time of its commit.
        let timestamp: Timestamp
        /// The branch of its commit.
        let branch: ForkedLines.Branch
    }

    /// The time up to which the author of the commit at a position held a branch; zero if nothing of it.
    typealias Held = (Position, ForkedLines.Branch) throws -> Timestamp

    /// Of the deletions whose authors held a replica's writes up to a time, or less, the last one, and the last one of
    /// another commit than that.
    private struct Last {
        let newestHeld: Timestamp
        let last: Int
        let other: Int?
    }

    /// In merge order.
    private var writes: [Write]
    /// For each commit the last deletion that tells what its author held, in descending order.
    private let lastOfCommits: [Int]
    /// By `newestHeld`, for requested branches.
    private var lasts: [ForkedLines.Branch: [Last]] = [:]

    /// `writes` are in merge order.
    init(_ writes: [Write]) {
        self.writes = writes
        var commits: Set<Digest> = []
        lastOfCommits = writes.indices.reversed().filter { place in
            writes[place].isDeletion && writes[place].heldAt != nil && commits.insert(writes[place].stamp.hash).inserted
        }
        for place in writes.indices.dropFirst() where writes[place - 1].isDeletion {
            let previous = self.writes[place - 1]
            self.writes[place].other = previous.stamp.hash == writes[place].stamp.hash ? previous.other : place - 1
        }
    }

    /// The entry of the last deletion of another commit that did not know of an edit of the same entity, or of which
    /// its author did not know; nil if there is none. The edit is an entry of its own.
    mutating func last(unseenWith edit: Edit, entry: Int, _ held: Held) rethrows -> Int? {
        try lastLater(than: edit, held) ?? lastStanding(at: writes.partitioned { $0.entry < entry }, for: edit)
    }

    /// The same for a write to another entity.
    mutating func last(unseenWith edit: Edit, _ held: Held) rethrows -> Int? {
        try lastLater(than: edit, held) ?? lastStanding(at: writes.partitioned { $0.stamp <= edit.stamp }, for: edit)
    }

    /// The last deletion among the first `end` writes, if it is in effect after them: the edit's author has not seen
    /// it.
    private func lastStanding(at end: Int, for edit: Edit) -> Int? {
        guard end > 0, writes[end - 1].isDeletion else { return nil }
        let place = writes[end - 1].stamp.hash == edit.stamp.hash ? writes[end - 1].other : end - 1
        return place.map { writes[$0].entry }
    }

    /// The last of those after the edit whose author did not hold it.
    private mutating func lastLater(than edit: Edit, _ held: Held) rethrows -> Int? {
        let lasts = try lasts(for: edit.branch, held)
        let end = lasts.partitioned { $0.newestHeld < edit.timestamp }
        guard end > 0 else { return nil }
        let found = lasts[end - 1]
        let last = writes[found.last].stamp.hash == edit.stamp.hash ? found.other : found.last
        guard let place = last, writes[place].stamp > edit.stamp else { return nil }
        return writes[place].entry
    }

    private mutating func lasts(for branch: ForkedLines.Branch, _ held: Held) rethrows -> [Last] {
        if let known = lasts[branch] { return known }
        let ends = try lastOfCommits.map { place in
            (place: place, newest: try writes[place].heldAt.map { try held($0, branch) } ?? .zero)
        }
        var found: [Last] = []
        for (place, newest) in ends.sorted(by: { $0.newest < $1.newest }) {
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
