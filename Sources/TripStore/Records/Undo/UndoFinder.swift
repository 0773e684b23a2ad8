import EventLog
import Events
import Foundation
import ProjectionEngine
import Trips

/// Finds the commits of a target, and plans to revert them. Used within one read of log and views.
struct UndoFinder: ~Copyable {
    var auditor: Auditor
    private let writer: (String?) -> UndoWriter

    /// `writer` returns whose commits are meant by an author, or by none.
    init(_ auditor: consuming Auditor, _ writer: @escaping (String?) -> UndoWriter) {
        self.auditor = auditor
        self.writer = writer
    }

    /// A plan for a target.
    ///
    /// Throws `TripStoreError` (`.unknownPosition`, `.unknownEntity`, `.nothingToUndo`).
    mutating func plan(_ target: UndoTarget) throws -> UndoPlan {
        var selection = UndoSelection()
        switch target {
        case .commit(let position): return try plan(commitsAt: [position])
        case .last(let author): return try lastUndoable(by: writer(author))
        case .lastWork(let author): return try lastWork(by: writer(author))
        case .entity(let entity, let since): try select(entity, since, &selection)
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
        }
        guard !selection.events.isEmpty else { throw nothing(target) }
        return try plan(selection)
    }

    /// A plan for all that commits changed. Throws likewise.
    mutating func plan(commitsAt positions: [Position]) throws -> UndoPlan {
        var selection = UndoSelection()
        for position in positions { selection.add(try commit(at: position)) }
        guard !selection.events.isEmpty else { throw nothing(.commit(positions.last ?? .start)) }
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
            selection.add(commit) { parts.contains($0) }
            return true
        }
    }

    // MARK: What was undone already

    /// A plan for a writer's newest commit of which anything can be reverted: for the part that is not undone.
    private mutating func lastUndoable(by writer: UndoWriter) throws -> UndoPlan {
        let marks = try UndoMarks(auditor.log)
        var end = Position(.max)
        while true {
            var found: UndoSelection?
            try auditor.log.forEachCommitBackwards(before: end) { commit in
                end = commit.position
                guard let authorship = writer.authorship(of: commit), isWork(authorship.causation) else { return true }
                var selection = UndoSelection()
                // What the log says of fields is no work of a person.
                selection.add(commit) { !marks.isUndone(commit.hash, $0) && $0.kind != .schema }
                if !selection.events.isEmpty { found = selection }
                return found == nil
            }
            guard let found else { throw writer.nothing("undone") }
            // Commits that others have overwritten since are skipped: an earlier one may still be effective.
            let plan = try plan(found)
            if !plan.events.isEmpty { return plan }
        }
    }

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
        guard !selection.events.isEmpty else {
            throw writer.nothing("done again: none is an undoing that stands")
        }
        return try plan(selection)
    }

    // MARK: Errors

    private func nothing(_ target: UndoTarget) -> TripStoreError {
        let message: String
        switch target {
        case .commit(let position): message = "The commit at position \(position) has no events that could be undone."
        case .last(let author), .lastWork(let author): return writer(author).nothing("undone")
        case .entity(let entity, let since):
            message = "The \(entity.words(in: nil)) was not edited after position \(since)."
        case .correlation(let correlation): message = "No commit has the correlation \(correlation.uuidString)."
        }
        return TripStoreError(.nothingToUndo, message)
    }
}
