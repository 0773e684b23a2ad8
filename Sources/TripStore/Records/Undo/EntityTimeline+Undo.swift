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
            guard let origin = restored(by: place, of: history) else { return nil }
            place = origin
        }
        return nil
    }

    /// The index of the write that an undo's write restored; nil if it restored none, or if it is not an undo's.
    func restored(by place: Int, of history: [Write]) -> Int? {
        let write = history[place]
        guard let mark = UndoMark(entries[write.entry].commit.causation) else { return nil }
        // If several were undone, the mark names one, which need not have written here. If it created the entity,
        // this is the deletion that undid that, and restored nothing.
        let undone = firstWrite(of: mark, in: history[..<place])
        if undone == nil, creates(mark) { return nil }
        // Where the mark names another of several, what came back lies before the write that was replaced: an undoing brings
        // back nothing that its author had not seen. That write may have been erased since.
        guard undone != nil || write.seen != nil else { return nil }
        let end = undone ?? history[..<place].lastIndex { saw(write, $0) } ?? place
        return history[..<end].lastIndex { $0.value == write.value }
    }

    /// As above, for any path. `evolved` covers fields that replace others.
    func owner(of path: FieldPath, _ evolved: EvolvedHistory?, where isSelected: (Int) -> Bool) -> Int? {
        if let evolved, evolved.covers(path) { return evolved.owner(of: path.field, where: isSelected) }
        return writes[path].flatMap { owner(of: $0, where: isSelected) }
    }

    /// Whether a write is that of an undoing of the commit that a selected one undid: two replicas did, neither knowing of the other.
    func undoesAsWell(_ write: Write, _ history: [Write], where isSelected: (Int) -> Bool) -> Bool {
        guard let mark = UndoMark(entries[write.entry].commit.causation), mark.action == .undo else { return false }
        return history.contains { isSelected($0.entry) && UndoMark(entries[$0.entry].commit.causation) == mark }
    }

    /// The index of the first write of the commit that a mark names; nil if that wrote nothing there.
    func firstWrite(of mark: UndoMark, in history: ArraySlice<Write>) -> Int? {
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
    func contribution(besides isSelected: (Int) -> Bool, _ evolved: EvolvedHistory?) -> CommitInfo? {
        var newest = newestAddition(besides: isSelected)
        for (path, history) in writes where path.element?.isCounted != true {
            guard let current = history.last, owner(of: path, evolved, where: isSelected) == nil else { continue }
            let commit = entries[current.entry].commit
            if current.value == nil && UndoMark(commit.causation) != nil || isRebalancing(current.entry) { continue }
            newest = max(newest ?? current.entry, current.entry)
        }
        return newest.map { entries[$0].commit }
    }
}
