import EventLog
import Events

/// The deletions of an entity, for finding those that did not know of an edit, or of which its author did not know.
///
/// Whoever writes a commit may write tens of thousands of deletions, so that each edit is looked up and not held against all of
/// them. O(deletions · log deletions) to make, O(log deletions) a look-up.
struct UnseenDeletions {
    /// A write of deletion or restoration.
    struct Write {
        let entry: Int
        let stamp: Stamp
        let isDeletion: Bool
        /// The time of the newest write to the entity that the author saw.
        let newestSeen: Timestamp?
        /// The deletion before this one that is of another commit, with no restoration between.
        fileprivate var other: Int?

        init(entry: Int, stamp: Stamp, isDeletion: Bool, newestSeen: Timestamp?) {
            self.entry = entry
            self.stamp = stamp
            self.isDeletion = isDeletion
            self.newestSeen = newestSeen
        }
    }

    /// In the order of the merge.
    private var writes: [Write] = []
    /// By the time of the newest write that the author of a deletion saw: of those up to here the last one, and the last one of
    /// another commit than that.
    private var byNewestSeen: [(newest: Timestamp, last: Int, other: Int?)] = []

    /// `writes` are in the order of the merge.
    init(_ writes: [Write]) {
        self.writes = writes
        for place in writes.indices.dropFirst() where writes[place - 1].isDeletion {
            let previous = self.writes[place - 1]
            self.writes[place].other = previous.stamp.hash == writes[place].stamp.hash ? previous.other : place - 1
        }
        let known = writes.indices.compactMap { place -> (Timestamp, Int)? in
            guard writes[place].isDeletion, let newest = writes[place].newestSeen else { return nil }
            return (newest, place)
        }
        for (newest, place) in known.sorted(by: { $0 < $1 }) { note(place, newest) }
    }

    private mutating func note(_ place: Int, _ newest: Timestamp) {
        guard let (_, last, other) = byNewestSeen.last else {
            byNewestSeen.append((newest, place, nil))
            return
        }
        let isOfAnother = writes[place].stamp.hash != writes[last].stamp.hash
        if place > last {
            byNewestSeen.append((newest, place, isOfAnother ? last : other))
        } else {
            byNewestSeen.append((newest, last, isOfAnother ? max(place, other ?? place) : other))
        }
    }

    /// The entry of the last deletion of another commit that did not know of an edit, or of which its author did not know; nil if there is
    /// none. The edit is an entry of the same entity.
    func last(unseenWith stamp: Stamp, entry: Int) -> Int? {
        lastLater(than: stamp) ?? lastStanding(at: writes.partitioned { $0.entry < entry }, for: stamp)
    }

    /// Of those before a write to another entity: who writes there has not seen a deletion that stands.
    func lastEarlier(than stamp: Stamp) -> Int? {
        lastStanding(at: writes.partitioned { $0.stamp <= stamp }, for: stamp)
    }

    /// The last deletion among the first so many writes, if it stands after them.
    private func lastStanding(at end: Int, for stamp: Stamp) -> Int? {
        guard end > 0, writes[end - 1].isDeletion else { return nil }
        let place = writes[end - 1].stamp.hash == stamp.hash ? writes[end - 1].other : end - 1
        return place.map { writes[$0].entry }
    }

    /// Of those after a write: who deletes names the newest write that they saw, and did not know of what is newer.
    private func lastLater(than stamp: Stamp) -> Int? {
        let end = byNewestSeen.partitioned { $0.newest < stamp.timestamp }
        guard end > 0 else { return nil }
        let (_, last, other) = byNewestSeen[end - 1]
        guard let place = writes[last].stamp.hash == stamp.hash ? other : last, writes[place].stamp > stamp else {
            return nil
        }
        return writes[place].entry
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
