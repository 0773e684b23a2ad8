import EventLog
import Events
import Foundation
import ProjectionEngine
import Trips

/// Finds the commits of a target, and plans to revert them. Used within one read of log and views.
struct UndoFinder: ~Copyable {
    var auditor: Auditor
    /// This replica, in the name of the store's author: meant where no author is named.
    let own: UndoWriter

    private func writer(_ author: String?) -> UndoWriter { author.map { UndoWriter(author: $0) } ?? own }

    /// A plan for a target.
    ///
    /// Throws `TripStoreError` (`.unknownPosition`, `.unknownEntity`, `.nothingToUndo`).
    mutating func plan(_ target: UndoTarget) throws -> UndoPlan {
        var selection = UndoSelection()
        switch target {
        case .commit(let position): return try plan(commitsAt: [position])
        case .last(let author): return try last(by: writer(author), isWholeWork: false)
        case .lastWork(let author): return try last(by: writer(author), isWholeWork: true)
        case .entity(let entity, let since):
            try select(entity, since, &selection)
            return try plan(selection, ifAny: "The \(entity.words(in: nil)) was not edited after position \(since).")
        case .correlation(let correlation):
            try auditor.log.forEachCommit(after: .start) { commit in
                // What cannot be read has no events that could be undone.
                if commit.counts, let authorship = try? commit.view.payload?.authorship(),
                    authorship.correlation == correlation
                {
                    selection.add(commit)
                }
                return true
            }
            return try plan(selection, ifAny: "No commit has the correlation \(correlation.uuidString).")
        }
    }

    /// A plan for all that commits changed. Throws likewise.
    mutating func plan(commitsAt positions: [Position]) throws -> UndoPlan {
        var selection = UndoSelection()
        for position in positions { selection.add(try commit(at: position)) }
        let last = positions.last ?? .start
        return try plan(selection, ifAny: "The commit at position \(last) has no events that could be undone.")
    }

    private mutating func plan(_ selection: UndoSelection, ifAny message: String) throws -> UndoPlan {
        guard !selection.events.isEmpty else { throw TripStoreError(.nothingToUndo, message) }
        return try plan(selection)
    }

    /// A plan for events that were found before.
    mutating func plan(_ selection: UndoSelection) throws -> UndoPlan { try UndoPlan(selection, &auditor) }

    private func commit(at position: Position) throws -> StoredCommit {
        guard let commit = try auditor.log.commit(at: position) else {
            throw TripStoreError(
                .unknownPosition,
                "There is no commit at position \(position): the log goes from 1 to \(try auditor.log.lastPosition()).")
        }
        return commit
    }

    /// The entity's events, and those of what was in it, directly or not, at the position or was added later.
    private mutating func select(
        _ entity: EntityReference, _ since: Position, _ selection: inout UndoSelection
    ) throws {
        guard try !auditor.timeline(of: entity).entries.isEmpty else {
            throw TripStoreError.unknown(entity, in: auditor.known)
        }
        let last = try auditor.log.lastPosition()
        guard since <= last else {
            throw TripStoreError(
                .unknownPosition, "There is no commit at position \(since): the log ends at \(last).")
        }
        var parts: Set = [entity]
        var parents = [entity]
        while let parent = parents.popLast() {
            for child in try auditor.children(everOf: parent) where !parts.contains(child) {
                let timeline = try auditor.timeline(of: child)
                let path = FieldPath.parent
                let wasThere =
                    timeline.record(asOf: .position(since)).register(at: path)?.value == parent.fieldValue
                let came = timeline.writes[path]?.contains { write in
                    write.value == parent.fieldValue && timeline.entries[write.entry].commit.position > since
                }
                guard wasThere || came == true else { continue }
                parts.insert(child)
                parents.append(child)
            }
        }
        try auditor.log.forEachCommit(after: since) { commit in
            // What an erasure left was written before, as far as that can be known.
            let causation = (try? commit.view.payload?.authorship())?.causation
            if !RewriteMark.isOne(causation) { selection.add(commit) { parts.contains($0) } }
            return true
        }
    }

    // MARK: What was undone already

    /// A plan for the newest undo of an author, or of none, of which anything stands: for the part that does.
    mutating func lastUndoing(by author: String?) throws -> UndoPlan {
        let marks = try UndoMarks(auditor.log)
        let writer = writer(author)
        var first: (mark: UndoMark, correlation: UUID?)?
        var selection = UndoSelection()
        try auditor.log.forEachCommitBackwards(before: Position(.max)) { commit in
            guard let authorship = writer.authorship(of: commit), let mark = UndoMark(authorship.causation),
                mark.action == .undo
            else { return true }
            var standing: Set<EntityReference> = []
            commit.forEachEvent { event, _ in
                if marks.stands(commit.hash, event.entity) { standing.insert(event.entity) }
            }
            guard !standing.isEmpty else { return true }
            // A large undo has several commits with one correlation. Without one, what another replica reverted
            // concurrently of the same commit is included, and what another undo reverted of the rest is not.
            if let first {
                guard first.mark == mark, first.correlation == authorship.correlation else { return false }
                if first.correlation == nil { standing = standing.filter { selection.events[$0] != nil } }
            }
            first = (mark, authorship.correlation)
            selection.add(commit) { standing.contains($0) }
            return true
        }
        guard !selection.events.isEmpty else { throw writer.nothing("done again: none is an undoing that stands") }
        return try plan(selection)
    }
}
