import EventLog
import Events
import Foundation
import Trips

extension UndoFinder {
    /// A plan for a writer's newest commit, or piece of work, of which anything can be put back: for what of it is not undone. All
    /// commits with one correlation are one piece; a commit without one is a piece by itself.
    mutating func last(by writer: UndoWriter, isWholeWork: Bool) throws -> UndoPlan {
        let marks = try UndoMarks(auditor.log)
        var end = Position(.max)
        var passed: Set<UUID> = []
        while true {
            var found: (position: Position, correlation: UUID?)?
            try auditor.log.forEachCommitBackwards(before: end) { commit in
                end = commit.position
                guard let authorship = writer.authorship(of: commit), isWork(authorship.causation),
                    !isWholeWork || authorship.correlation.map({ passed.insert($0).inserted }) ?? true
                else { return true }
                found = (commit.position, isWholeWork ? authorship.correlation : nil)
                return false
            }
            guard let found else { throw writer.nothing("undone") }
            var positions = [found.position]
            if let correlation = found.correlation { positions = try work(correlation, by: writer) }
            let selection = try whatStands(of: positions, marks)
            if selection.events.isEmpty { continue }
            // Commits that others have overwritten since are skipped: an earlier one may still be effective.
            let plan = try plan(selection)
            if !plan.events.isEmpty { return plan }
        }
    }

    /// Whether a commit is what a person did: no undoing, nor what followed a write, and follows it back, nor what an
    /// erasure left.
    func isWork(_ causation: UUID?) -> Bool {
        UndoMark(causation) == nil && ImportMark(causation)?.part != .days && !RewriteMark.isOne(causation)
    }

    /// The commits of a writer's piece of work that are no undoings.
    private func work(_ correlation: UUID, by writer: UndoWriter) throws -> [Position] {
        var positions: [Position] = []
        try auditor.log.forEachCommit(after: .start) { commit in
            guard let authorship = writer.authorship(of: commit), authorship.correlation == correlation,
                UndoMark(authorship.causation) == nil
            else { return true }
            positions.append(commit.position)
            return true
        }
        return positions
    }

    /// What the commits of one piece of work did that is not undone.
    ///
    /// Where the whole is undone the mark names its newest commit alone. So what another commit did to an entity to
    /// which that one did nothing is undone with it; where both touched it the values tell.
    private func whatStands(of positions: [Position], _ marks: UndoMarks) throws -> UndoSelection {
        var touched: [Digest: Set<EntityReference>] = [:]
        for position in positions {
            guard let commit = try auditor.log.commit(at: position), marks.isRoot(commit.hash) else { continue }
            commit.forEachEvent { event, _ in touched[commit.hash, default: []].insert(event.entity) }
        }
        var selection = UndoSelection()
        for position in positions {
            guard let commit = try auditor.log.commit(at: position) else { continue }
            selection.add(commit) { entity in
                // What the log says of fields is no work of a person.
                entity.kind != .schema && !marks.isUndone(commit.hash, entity)
                    && !touched.contains { !$1.contains(entity) && marks.isUndone($0, entity) }
            }
        }
        return selection
    }
}
