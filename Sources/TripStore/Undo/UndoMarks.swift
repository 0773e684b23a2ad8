import EventLog
import Events

/// Which commits are undone, and stay so: an undoing that was itself undone leaves its commit as it was.
///
/// Marks count whatever the order in which commits came here.
struct UndoMarks {
    /// The first bytes of the hash of an undoing, by those of the commit that it names.
    private var undoings: [[UInt8]: [[UInt8]]] = [:]

    private mutating func add(_ mark: UndoMark, by commit: Digest) {
        undoings[mark.subject, default: []].append(UndoMark.prefix(of: commit))
    }

    /// Every mark of a log. O(commits), and their payloads are walked through.
    init(_ log: borrowing LogSnapshot) throws {
        try log.forEachCommit(after: .start) { commit in
            guard commit.counts else { return true }
            if let mark = UndoMark((try? commit.view.payload?.authorship())?.causation) { add(mark, by: commit.hash) }
            return true
        }
    }

    /// Whether an undoing of the commit stands.
    func isUndone(_ commit: Digest) -> Bool { isUndone(UndoMark.prefix(of: commit), depth: 0) }

    // An undoing names what was there before it, so the marks lead to an end; what a peer may write need not.
    private func isUndone(_ prefix: [UInt8], depth: Int) -> Bool {
        depth < 1000 && undoings[prefix]?.contains { !isUndone($0, depth: depth + 1) } ?? false
    }
}
