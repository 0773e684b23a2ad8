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

    /// The places of entries that cancel each other out: those of undoings, and of what is undone.
    var undone: Set<Int> {
        var subjects: [[UInt8]] = []
        var found: Set<Int> = []
        for (place, entry) in entries.enumerated().reversed() {
            let isUndone = subjects.contains { entry.commit.hash.bytes.starts(with: $0) }
            let mark = UndoMark(entry.commit.causation)
            // An undoing that was itself undone leaves its commit as it was.
            if let mark, !isUndone { subjects.append(mark.subject) }
            if isUndone || mark != nil { found.insert(place) }
        }
        return found
    }
}
