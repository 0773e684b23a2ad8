import EventLog
import Events
import Foundation
import Synchronization

/// Which commits of a log imports wrote, as their marks say; and what of these is undone.
///
/// What is undone of an import counts as never imported: importing the file again writes it again. The mark of an undoing names one
/// commit, and that of a whole import the newest of the run; so it counts for every commit of the run.
package final class ImportHistory: Sendable {
    private struct Commit {
        let stamp: Stamp
        let position: Position
        /// What the commits of a run have in common.
        let run: UUID?
        let isOfFile: Bool
    }

    /// What is undone.
    private struct Undone {
        let marks: UndoMarks
        /// Of each run the commits that marks lead to.
        var roots: [UUID?: [Digest]] = [:]

        init(_ marks: UndoMarks, of commits: [Digest: Commit]) {
            self.marks = marks
            for (hash, commit) in commits where marks.isRoot(hash) { roots[commit.run, default: []].append(hash) }
        }
    }

    private struct State {
        var commits: [Digest: Commit] = [:]
        /// Up to where the log was read.
        var position = Position.start
        var hasUndoings = false
        /// Nil if it was not asked for since a commit of an import, or an undoing, came.
        var undone: Undone?
    }

    private let state = Mutex(State())

    package init() {}

    /// Reads what came since. O(commits since, and their events).
    func extend(_ log: borrowing LogSnapshot) throws {
        try state.withLock { state in
            try log.forEachCommit(after: state.position) { commit in
                state.position = commit.position
                guard commit.counts, let authorship = try? commit.view.payload?.authorship() else { return true }
                // Days that follow others are an import's as well, but of no file.
                let mark = ImportMark(authorship.causation)
                let isImport = mark != nil
                let isUndoing = UndoMark(authorship.causation) != nil
                if isImport || isUndoing { state.undone = nil }
                if isUndoing { state.hasUndoings = true }
                if isImport {
                    state.commits[commit.hash] = Commit(
                        stamp: commit.stamp, position: commit.position, run: authorship.correlation,
                        isOfFile: mark?.part != .days)
                }
                return true
            }
        }
    }

    /// Whether an import wrote the commit of a hash.
    func contains(_ hash: Digest) -> Bool { state.withLock { $0.commits[hash] != nil } }

    /// Whether an import wrote the commit of a hash, and what its run did to an entity is not undone.
    func stands(_ hash: Digest, _ entity: EntityReference, _ log: borrowing LogSnapshot) throws -> Bool {
        try state.withLock { try Self.stands(hash, entity, &$0, log) }
    }

    /// When the file was exported of which the newest commit is, by the order of the merge, that is not wholly undone; nil if
    /// there is none, or its file does not say.
    func newestExportDate(_ log: borrowing LogSnapshot) throws -> Date? {
        try state.withLock { state in
            for (hash, commit) in state.commits.sorted(by: { $0.value.stamp > $1.value.stamp }) where commit.isOfFile {
                guard let stored = try log.commit(at: commit.position) else { continue }
                var entities: [EntityReference] = []
                stored.forEachEvent { event, _ in entities.append(event.entity) }
                if try entities.contains(where: { try Self.stands(hash, $0, &state, log) }) {
                    return ImportRun.exportDate(commit.run)
                }
            }
            return nil
        }
    }

    private static func stands(
        _ hash: Digest, _ entity: EntityReference, _ state: inout State, _ log: borrowing LogSnapshot
    ) throws -> Bool {
        guard let commit = state.commits[hash] else { return false }
        guard state.hasUndoings else { return true }
        let undone = try state.undone ?? Undone(UndoMarks(log), of: state.commits)
        state.undone = undone
        return !(undone.roots[commit.run] ?? []).contains { undone.marks.isUndone($0, entity) }
    }
}
