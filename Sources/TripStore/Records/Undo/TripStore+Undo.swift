package import EventLog
package import Events
import Foundation
import ProjectionEngine

extension TripStore {
    /// Reverts the changes of a receipt's commits, by a new commit.
    ///
    /// ```swift
    /// let receipt = try await store.delete(lisbon)
    /// try await store.undo(receipt)
    /// ```
    ///
    /// Throws like `undo(_:by:)`: `TripStoreError.Code.nothingToUndo` also for the receipt of a write that changed nothing.
    @discardableResult
    public func undo(_ receipt: Receipt, by authorship: Authorship = Authorship()) async throws -> UndoReport {
        guard !receipt.isUnchanged else {
            throw TripStoreError(
                .nothingToUndo, "The write changed nothing, and has no commit that could be undone.",
                entity: receipt.entities.first)
        }
        return try await carryOut(.undo, authorship, nil, nil) { try $0.plan(commitsAt: receipt.positions) }
    }

    /// Puts back what commits changed, by a new commit.
    ///
    /// A field goes back to its value before them only if nobody has written it since; what was created is deleted, what
    /// was deleted is restored. The rest stays, and the report names it. Undoing an undoing does it again.
    ///
    /// The commit is in the author's name; for `.last(by:)` and `.lastWork(by:)` that is the same author unless another is named. Its
    /// causation says what it undid, and cannot be given.
    ///
    /// What would take more than about 1 MiB in one commit goes back in several. **Each of them is all or nothing; together
    /// they are not.** If one is refused, those before it stay, and `IncompleteUndoError` says what was put back, what was
    /// not, and why. If another writes to what is still to be put back, the rest is planned anew on that, and nothing is
    /// thrown.
    ///
    /// Throws `TripStoreError` (`.unknownPosition`, `.unknownEntity`, `.nothingToUndo`, `.appendIDUnusable`, `.unusableOption`), or what the
    /// log refuses: then nothing was put back. Throws `IncompleteUndoError` if something was.
    @discardableResult
    public func undo(_ target: UndoTarget, by authorship: Authorship = Authorship()) async throws -> UndoReport {
        try await undo(target, by: authorship, progress: nil)
    }

    /// Undoes as the public function does; `partSize` is the approximate number of bytes of events in one commit, and `progress` takes how
    /// many commits of how many are written.
    package func undo(
        _ target: UndoTarget, by authorship: Authorship, partSize: Int? = nil, progress: (@Sendable (Int, Int) -> Void)?
    ) async throws -> UndoReport {
        var authorship = authorship
        switch target {
        case .last(let author?), .lastWork(let author?): authorship = authorship.named(author)
        default: break
        }
        return try await carryOut(.undo, authorship, partSize, progress) { try $0.plan(target) }
    }

    /// Redoes what an author's newest undo reverted, as far as it was not written since. Without an author: the newest undo that this
    /// replica wrote in the name of the author that the store was opened with.
    ///
    /// With several commits it is not atomic, as for `undo(_:by:)`; a further redo continues with the rest.
    ///
    /// Throws `TripStoreError.Code.nothingToUndo` if there is no undo that stands, or what the log refuses; and
    /// `IncompleteUndoError` if something was redone before that.
    @discardableResult
    public func redo(by authorship: Authorship = Authorship()) async throws -> UndoReport {
        try await redo(by: authorship, progress: nil)
    }

    /// Redoes as the public function does, with the parameters of the `undo` above.
    package func redo(
        by authorship: Authorship, partSize: Int? = nil, progress: (@Sendable (Int, Int) -> Void)?
    ) async throws -> UndoReport {
        try await carryOut(.redo, authorship, partSize, progress) { try $0.lastUndoing(by: authorship.author) }
    }

    /// The effect of an undo, without doing it. Throws like `undo(_:by:)`.
    public func undoPlan(_ target: UndoTarget) throws -> UndoReport {
        try plan { try $0.plan(target) }.report
    }

    /// The effect of a redo, without doing it. Throws like `redo(by:)`.
    public func redoPlan(by authorship: Authorship = Authorship()) throws -> UndoReport {
        try plan { try $0.lastUndoing(by: authorship.author) }.report
    }

    /// The newest redo in an author's name, if another replica wrote it: why nothing is left here to be done again. Nil without an author:
    /// what this replica alone undid, it alone does again. O(commits since).
    package func redoElsewhere(by authorship: Authorship) throws -> (position: Position, replica: ReplicaID)? {
        guard let writer = authorship.author.map({ UndoWriter(author: $0) }) else { return nil }
        return try readLog { log in
            var found: (mark: UndoMark, position: Position, replica: ReplicaID)?
            try log.forEachCommitBackwards(before: Position(.max)) { commit in
                guard let mark = UndoMark(writer.authorship(of: commit)?.causation) else { return true }
                found = (mark, commit.position, commit.header.replica)
                return false
            }
            guard let found, found.mark.action == .redo, found.replica != replica else { return nil }
            return (found.position, found.replica)
        }
    }

    private func plan(_ make: (inout UndoFinder) throws -> UndoPlan) throws -> UndoPlan {
        try readViewsAndLog { views, log in
            var finder = UndoFinder(
                auditor: try Auditor(views.alias(), log.alias(), in: knownSchema),
                own: UndoWriter(author: author, replica: replica))
            return try make(&finder)
        }
    }

    private func carryOut(
        _ action: UndoMark.Action, _ authorship: Authorship, _ partSize: Int?,
        _ progress: (@Sendable (Int, Int) -> Void)?,
        _ make: @Sendable (inout UndoFinder) throws -> UndoPlan
    ) async throws -> UndoReport {
        try refuseAppendID(authorship, "to undo or redo")
        guard authorship.causation == nil else {
            throw TripStoreError(
                .unusableOption,
                "The causation of an undoing says what it undoes, and none can be given. Name your own work by a correlation."
            )
        }
        // All earlier appends must be visible.
        try await catchUp()
        var run = UndoRun(try plan(make), partSize: partSize ?? UndoRun.fullSize)
        var authorship = authorship
        authorship.causation = UndoMark(action, of: run.plan.selection.newest).causation
        do {
            while true {
                if run.partsLeft > 1 && authorship.correlation == nil { authorship.correlation = UUID() }
                do {
                    while let part = run.next {
                        progress?(run.receipts.count, run.receipts.count + run.partsLeft)
                        run.add(
                            try await write(
                                computed: part.events, .undoing, by: authorship, expecting: part.expected,
                                emptied: part.emptied, follows: run.partsLeft == 1 && run.receipts.isEmpty))
                    }
                    return run.report
                } catch let error as TripStoreError where error.code == .versionConflict {
                    // Another write came first: try again on the new state. What was reverted so far stays.
                    try await catchUp()
                    try Task.checkCancellation()
                    let selection = run.plan.selection
                    run.replan(try plan { try $0.plan(selection) })
                }
            }
        } catch {
            guard !run.receipts.isEmpty else { throw error }
            throw IncompleteUndoError(report: run.report, remaining: run.remaining, cause: error)
        }
    }
}

extension UndoPlan {
    /// What it would change.
    fileprivate var report: UndoReport {
        UndoReport(commits: selection.commits, changes: changes, kept: kept, receipts: [])
    }
}
