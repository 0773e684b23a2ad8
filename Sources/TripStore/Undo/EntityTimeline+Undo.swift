import EventLog
import Events

extension EntityTimeline {
    /// The place among a path's writes of the selected one whose value stands there; nil if somebody else's does.
    ///
    /// What an undoing wrote is the value of the write that it brought back, so that edits can be undone one after
    /// another.
    func owner(of history: [Write], where isSelected: (Int) -> Bool) -> Int? {
        var place = history.count - 1
        while place >= 0 {
            let write = history[place]
            if isSelected(write.entry) { return place }
            guard UndoMark(entries[write.entry].commit.causation) != nil,
                let origin = history[..<place].lastIndex(where: { $0.value == write.value })
            else { return nil }
            place = origin
        }
        return nil
    }

    /// The newest commit besides the selected ones of which something stands; nil if none does. What was undone does not
    /// stand any more, and what an undoing brought back is its first author's.
    func contribution(besides isSelected: (Int) -> Bool) -> CommitInfo? {
        var newest: Int?
        for history in writes.values {
            guard let current = history.last, owner(of: history, where: isSelected) == nil else { continue }
            let commit = entries[current.entry].commit
            if current.value == nil && UndoMark(commit.causation) != nil { continue }
            newest = max(newest ?? current.entry, current.entry)
        }
        return newest.map { entries[$0].commit }
    }
}
