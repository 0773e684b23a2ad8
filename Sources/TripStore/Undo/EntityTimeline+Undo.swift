import EventLog
import Events

extension EntityTimeline {
    /// The index in a path's writes of the selected one whose value is current; nil if another write's is.
    ///
    /// An undo's value belongs to the write that it restored, so that edits can be undone one after another. That is
    /// the last write with this value before the undone one: later ones may have it as well.
    func owner(of history: [Write], where isSelected: (Int) -> Bool) -> Int? {
        var place = history.count - 1
        while place >= 0 {
            if isSelected(history[place].entry) { return place }
            guard let origin = restored(by: place, of: history[...], isSelected) else { return nil }
            place = origin
        }
        return nil
    }

    /// The index of the write that an undo's write restored; nil if it restored none, or if it is not an undo's.
    func restored(by place: Int, of history: ArraySlice<Write>, _ isSelected: (Int) -> Bool) -> Int? {
        let write = history[place]
        guard let mark = UndoMark(entries[write.entry].commit.causation) else { return nil }
        // A value that was only written again, so as to be the latest, belongs to the write that it repeats.
        if let repeated = history[..<place].lastIndex(where: { saw(write, $0) }), history[repeated].value == write.value
        {
            return lastInForce(with: write.value, in: history[..<place], before: write.entry + 1, isSelected)
        }
        // If several were undone, the mark names one, which need not have written here. If it created the entity,
        // this is the deletion that undid that, and restored nothing.
        let undone = firstWrite(of: mark, in: history[..<place])
        if undone == nil, creates(mark) { return nil }
        // Where the mark names another of several, what came back lies before the write that was replaced: an undoing brings
        // back nothing that its author had not seen. That write may have been erased since.
        guard undone != nil || write.seen != nil else { return nil }
        let end = undone ?? history[..<place].lastIndex { saw(write, $0) } ?? place
        if undone == nil,
            let last = lastInForce(with: write.value, in: history[..<end], before: write.entry + 1, isSelected)
        {
            return last
        }
        return history[..<end].lastIndex { $0.value == write.value }
    }

    /// The index of the last write with a value that was in force before an entry: neither it nor the write that it restored was undone.
    private func lastInForce(
        with value: [UInt8]?, in history: ArraySlice<Write>, before end: Int, _ isSelected: (Int) -> Bool
    ) -> Int? {
        history.indices.last { place in
            guard history[place].value == value else { return false }
            var origin = place
            while !isUndone(history[origin].entry, before: end, isSelected) {
                guard let restored = restored(by: origin, of: history, isSelected) else { return true }
                origin = restored
            }
            return false
        }
    }

    /// Whether a later entry, before an end, undid the commit of an entry and was not undone itself. Selected ones do not count.
    /// O(entries), times the depth of undos of undos.
    func isUndone(_ entry: Int, before end: Int, _ isSelected: (Int) -> Bool) -> Bool {
        let hash = entries[entry].stamp.hash
        return entries[..<end].indices.contains { later in
            guard later > entry, !isSelected(later), let mark = UndoMark(entries[later].commit.causation) else {
                return false
            }
            return mark.names(hash) && !isUndone(later, before: end, isSelected)
        }
    }

    /// The index of the first write of the commit that a mark names; nil if that wrote nothing there.
    private func firstWrite(of mark: UndoMark, in history: ArraySlice<Write>) -> Int? {
        let isNamed = { (write: Write) in mark.names(entries[write.entry].stamp.hash) }
        guard var place = history.lastIndex(where: isNamed) else { return nil }
        while place > history.startIndex, isNamed(history[place - 1]) { place -= 1 }
        return place
    }

    /// Whether the commit that a mark names created the entity.
    private func creates(_ mark: UndoMark) -> Bool {
        entries.contains { $0.event.verb == .created && mark.names($0.stamp.hash) }
    }

    /// The newest commit besides the selected ones that still has an effect; nil if there is none. Undone changes have
    /// no effect any more, and a restored value belongs to its first author.
    func contribution(besides isSelected: (Int) -> Bool) -> CommitInfo? {
        var newest = newestAddition(besides: isSelected)
        for (path, history) in writes where path.element?.isCounted != true {
            guard let current = history.last, owner(of: history, where: isSelected) == nil else { continue }
            let commit = entries[current.entry].commit
            if current.value == nil && UndoMark(commit.causation) != nil { continue }
            newest = max(newest ?? current.entry, current.entry)
        }
        return newest.map { entries[$0].commit }
    }
}
