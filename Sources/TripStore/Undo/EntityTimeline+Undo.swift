import EventLog
import Events

extension EntityTimeline {
    /// The place among a path's writes of the selected one whose value stands there; nil if somebody else's does.
    ///
    /// What an undoing wrote is the value of the write that it brought back, so that edits can be undone one after
    /// another. That is the last one of this value before what it undid: later ones may have it as well.
    func owner(of history: [Write], where isSelected: (Int) -> Bool) -> Int? {
        var place = history.count - 1
        while place >= 0 {
            let write = history[place]
            if isSelected(write.entry) { return place }
            guard let mark = UndoMark(entries[write.entry].commit.causation) else { return nil }
            let end = firstWrite(of: mark, in: history[..<place]) ?? place
            guard let origin = history[..<end].lastIndex(where: { $0.value == write.value }) else { return nil }
            place = origin
        }
        return nil
    }

    /// The place of the first write of the commit that a mark names; nil if that wrote nothing there: a mark names one of
    /// the commits that were undone.
    private func firstWrite(of mark: UndoMark, in history: ArraySlice<Write>) -> Int? {
        let isNamed = { (write: Write) in UndoMark.prefix(of: entries[write.entry].stamp.hash) == mark.subject }
        guard var place = history.lastIndex(where: isNamed) else { return nil }
        while place > history.startIndex, isNamed(history[place - 1]) { place -= 1 }
        return place
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
