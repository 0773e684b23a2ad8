import EventLog
import Events
import Foundation
import ProjectionEngine
import TripProjections
import Trips

/// All held events of one entity, in merge order: the basis of old and new values, and of conflicts.
struct EntityTimeline {
    /// An event and its commit.
    struct Entry {
        let commit: CommitInfo
        let index: Int
        let stamp: Stamp
        let event: Event
        /// Whether the commit says what its author held.
        let saysHeld: Bool
        /// The branch of its commit.
        let branch: ForkedLines.Branch
    }

    /// A value that an event wrote to a path.
    struct Write {
        let entry: Int
        let value: [UInt8]?
        let seen: Seen?
        /// Whether another branch of its replica's line has a write with the same time to the path: then a `seen`
        /// reference to it is ambiguous, and neither counts as seen.
        fileprivate(set) var isAmbiguous = false
    }

    let entity: EntityReference
    /// The kinds and fields that the store knows.
    let known: KnownSchema?
    let entries: [Entry]
    /// The writes to each path in merge order, including those of deletion.
    let writes: [FieldPath: [Write]]
    /// Nil if it was never deleted or restored.
    let deletions: UnseenDeletions?

    /// Reads the entity's history from the views, and its events from the log; `tail` has the events that the views
    /// lack.
    init(
        _ entity: EntityReference, views: borrowing ViewSnapshot, log: borrowing LogSnapshot, journal: JournalID,
        _ commits: inout CommitInfoCache, tail: [Entry] = [], in known: KnownSchema?
    ) throws {
        self.entity = entity
        self.known = known
        var entries: [Entry] = []
        for position in try EntityHistory.positions(of: entity, in: views) {
            // Only this one event is copied of a commit that may have a thousand.
            guard let entry = try Self.entry(at: position, log, journal, &commits) else { continue }
            entries.append(entry)
        }
        if !tail.isEmpty {
            entries += tail
            entries.sort { $0.stamp != $1.stamp ? $0.stamp < $1.stamp : $0.index < $1.index }
        }
        self.entries = entries
        var writes: [FieldPath: [Write]] = [:]
        for (number, entry) in entries.enumerated() {
            for change in entry.event.changes {
                writes[change.path, default: []].append(Write(entry: number, value: change.value, seen: change.seen))
            }
            if let value = entry.event.verb.deletion {
                writes[.deletion, default: []].append(
                    Write(entry: number, value: value, seen: entry.event.seen))
            }
        }
        self.writes = writes.mapValues { Self.markingAmbiguous($0, entries) }
        deletions = writes[.deletion].map { writes in
            UnseenDeletions(
                writes.map { write in
                    let entry = entries[write.entry]
                    return UnseenDeletions.Write(
                        entry: write.entry, stamp: entry.stamp, isDeletion: write.value != nil,
                        heldAt: entry.event.original == nil && entry.saysHeld ? entry.commit.position : nil)
                })
        }
    }

    /// An entry as an edit that may have been deleted unseen.
    func edit(_ entry: Int) -> UnseenDeletions.Edit {
        let entry = entries[entry]
        return UnseenDeletions.Edit(stamp: entry.stamp, timestamp: entry.commit.timestamp, branch: entry.branch)
    }

    /// Writes with one time and replica are adjacent, and each branch may have several.
    private static func markingAmbiguous(_ writes: [Write], _ entries: [Entry]) -> [Write] {
        var marked = writes
        var start = 0
        while start < writes.count {
            let first = entries[writes[start].entry].stamp
            var end = start
            var isOfSeveral = false
            while end < writes.count, Seen(entries[writes[end].entry].stamp) == Seen(first) {
                isOfSeveral = isOfSeveral || entries[writes[end].entry].stamp.hash != first.hash
                end += 1
            }
            if isOfSeveral { for place in start..<end { marked[place].isAmbiguous = true } }
            start = end
        }
        return marked
    }

    private static func entry(
        at eventPosition: EventPosition, _ log: borrowing LogSnapshot, _ journal: JournalID,
        _ commits: inout CommitInfoCache
    ) throws -> Entry? {
        guard let position = try log.position(of: eventPosition.sequence, with: eventPosition.stamp, in: journal),
            let commit = try log.commit(at: position), commit.counts, let payload = commit.view.payload
        else { return nil }
        let known = try commits.commit(commit, payload)
        guard let event = try commits.event(at: eventPosition.index, of: known, payload) else { return nil }
        return Entry(
            commit: known.info.of(event, eventPosition.stamp), index: eventPosition.index, stamp: eventPosition.stamp,
            event: event,
            saysHeld: known.index.saysHeld, branch: try commits.forks(log, journal).branch(of: known.info.id, log))
    }

    /// The entry of an event, by its stamp and its index in its commit; nil if it is missing. O(log events).
    func entry(of stamp: Stamp, index: Int) -> Int? {
        let place = entries.partitioned { $0.stamp != stamp ? $0.stamp < stamp : $0.index < index }
        guard place < entries.count, entries[place].stamp == stamp, entries[place].index == index else { return nil }
        return place
    }

    /// The last write to each path in an event counts: returns the write that it replaced and, if it lost, the one that
    /// won. O(log writes).
    func neighbours(of entry: Int, at path: FieldPath) -> (before: Write?, beatenBy: Write?) {
        guard let writes = writes[path] else { return (nil, nil) }
        let (first, end) = (writes.partitioned { $0.entry < entry }, writes.partitioned { $0.entry <= entry })
        guard first < end else { return (nil, nil) }
        let before = first > 0 ? writes[first - 1] : nil
        guard end < writes.count else { return (before, nil) }
        let (own, next) = (writes[end - 1], writes[end])
        return (before, isOfSameCommit(next, own) || saw(next, own) ? nil : next)
    }

    /// Within a commit only the order decides.
    func isOfSameCommit(_ a: Write, _ b: Write) -> Bool { entries[a.entry].stamp.hash == entries[b.entry].stamp.hash }

    /// Whether the author of a write had seen an earlier one.
    func saw(_ write: Write, _ earlier: Write) -> Bool {
        guard let seen = write.seen, !earlier.isAmbiguous else { return false }
        return seen.names(entries[earlier.entry].stamp)
    }

    /// The index of the effective creation, the least; nil if none is held.
    var creation: Int? { entries.firstIndex { $0.event.verb == .created } }

    /// What the commits that a horizon includes make of the entity: of each path its last write counts. Nothing is merged for
    /// that, for the writes are in the order of the merge.
    ///
    /// O(writes + paths · log paths), in whatever order the writes came: they are grouped by path already.
    func record(asOf horizon: Horizon) -> EntityRecord {
        var version = EntityVersion.none
        var creation: Stamp?
        let isIncluded = entries.map { horizon.includes($0.commit.position, $0.commit.timestamp) }
        for (entry, isIncluded) in zip(entries, isIncluded) where isIncluded {
            version = version.adding(entry.stamp, index: entry.index)
            // They ascend.
            if entry.event.verb == .created { creation = creation ?? entry.stamp }
        }
        let registers = writes.keys.sorted().compactMap { path -> EntityRecord.Register? in
            guard let last = writes[path]?.last(where: { isIncluded[$0.entry] }) else { return nil }
            return EntityRecord.Register(path: path, stamp: entries[last.entry].stamp, value: last.value)
        }
        return EntityRecord(version: version, creation: creation, registers: registers)
    }

    /// The current value of a path; nil if nothing was written there, or it was cleared.
    func current(at path: FieldPath) -> [UInt8]? { writes[path]?.last?.value }
}

extension CommitInfo {
    /// The commit's name, the same on every replica.
    var id: CommitID { CommitID(replica: replica, sequence: sequence, hash: hash) }
}

extension Verb {
    /// The value that a verb writes to the path of deletion; nil if it writes none.
    fileprivate var deletion: [UInt8]?? {
        switch self {
        case .deleted: .some([1])
        case .restored: .some(nil)
        default: nil
        }
    }
}

extension Array {
    /// The number of leading elements that fulfil a condition that the later ones do not. O(log n).
    func partitioned(by isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
