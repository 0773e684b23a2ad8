import EventLog
import Events
import Foundation
import ProjectionEngine

extension TripStore {
    /// Puts back what the commit of a receipt changed, by a new commit.
    ///
    /// ```swift
    /// let receipt = try await store.delete(lisbon)
    /// try await store.undo(receipt)
    /// ```
    ///
    /// Throws like `undo(_:by:)`.
    @discardableResult
    public func undo(_ receipt: Receipt, by authorship: Authorship = Authorship()) async throws -> UndoReport {
        try await undo(.commit(receipt.position), by: authorship)
    }

    /// Puts back what commits changed, by a new commit.
    ///
    /// A field goes back to its value before them only if nobody has written it since; what was created is deleted, what
    /// was deleted is restored. The rest stays, and the report names it. Undoing an undoing does it again.
    ///
    /// The commit is in the author's name; for `.last(by:)` that is the same author unless another is named. Its
    /// causation says what it undid, in the place of one that is given.
    ///
    /// Throws `TripStoreError` (`.unknownPosition`, `.unknownEntity`, `.nothingToUndo`), or what the log refuses.
    @discardableResult
    public func undo(_ target: UndoTarget, by authorship: Authorship? = nil) async throws -> UndoReport {
        var ownAuthorship = Authorship()
        if case .last(let author) = target { ownAuthorship.author = author }
        return try await carryOut(.undo, authorship ?? ownAuthorship) { try $0.plan(target) }
    }

    /// Does again what the newest undoing in an author's name put back, as far as nobody has written it since.
    ///
    /// Throws `TripStoreError.nothingToUndo` if there is no undoing that stands, or what the log refuses.
    @discardableResult
    public func redo(by authorship: Authorship = Authorship()) async throws -> UndoReport {
        try await carryOut(.redo, authorship) { try $0.lastUndoing(by: authorship.author) }
    }

    /// What undoing would come to, without doing it. Throws like `undo(_:by:)`.
    public func undoPlan(_ target: UndoTarget) throws -> UndoReport { try plan { try $0.plan(target) }.report }

    /// What doing again would come to, without doing it. Throws like `redo(by:)`.
    public func redoPlan(by authorship: Authorship = Authorship()) throws -> UndoReport {
        try plan { try $0.lastUndoing(by: authorship.author) }.report
    }

    private func plan(_ make: (inout UndoFinder) throws -> UndoPlan) throws -> UndoPlan {
        try log.read { log in
            try views.read { views in
                var finder = UndoFinder(try Auditor(views.alias(), log.alias()))
                return try make(&finder)
            }
        }
    }

    private func carryOut(
        _ action: UndoMark.Action, _ authorship: Authorship,
        _ make: @Sendable (inout UndoFinder) throws -> UndoPlan
    ) async throws -> UndoReport {
        try refuseAppendID(authorship, "to undo or redo")
        // Everything that was appended before counts.
        try await settled()
        var plan = try plan(make)
        let selection = plan.selection
        var authorship = authorship
        authorship.causation = UndoMark(action, of: selection.newest).causation
        var receipts: [Receipt] = []
        var changes: [UndoneChange] = []
        while true {
            let parts = plan.parts
            if parts.count > 1 && authorship.correlation == nil { authorship.correlation = UUID() }
            do {
                for part in parts where !part.isEmpty {
                    let receipt = try await write(
                        part, by: authorship, expecting: plan.expected(for: part), emptied: plan.emptied(by: part))
                    receipts.append(receipt)
                    let entities = Set(part.map(\.entity))
                    changes += plan.changes.filter { entities.contains($0.entity) }
                }
                return plan.report(receipts, changes)
            } catch let error as TripStoreError where error.code == .versionConflict {
                // Somebody was quicker: the same once more, on what they left. What was put back by then stays so.
                try await settled()
                try Task.checkCancellation()
                plan = try self.plan { try $0.plan(selection) }
            }
        }
    }
}

extension UndoPlan {
    /// About how many bytes of events go into one commit: some thousand events, so that reading one of them later does not
    /// walk through many times as many.
    private static let fullBytes = 1 << 20

    /// The events of each commit: one, unless that would be too large. Those of an entity stay together, as they are
    /// neighbours.
    fileprivate var parts: [[Event]] {
        var parts: [[Event]] = [[]]
        var size = 0
        for event in events {
            let bytes = event.changes.reduce(64) { $0 + 32 + ($1.value?.count ?? 0) }
            if size + bytes > Self.fullBytes, parts.last?.last?.entity != event.entity {
                parts.append([])
                size = 0
            }
            parts[parts.count - 1].append(event)
            size += bytes
        }
        return parts
    }

    /// What a part rests on: the first all, the others what they write themselves.
    fileprivate func expected(for part: [Event]) -> [EntityReference: EntityVersion] {
        if part.count == events.count { return expected }
        let entities = Set(part.map(\.entity))
        return expected.filter { entities.contains($0.key) }
    }

    /// The trips that a part deletes, with the items that they have.
    fileprivate func emptied(by part: [Event]) -> [Trip.ID: Set<EntityReference>] {
        emptied.filter { trip, _ in part.contains { $0.entity == trip.reference && $0.verb == .deleted } }
    }

    fileprivate func report(_ receipts: [Receipt], _ changes: [UndoneChange]) -> UndoReport {
        // What an earlier part put back, or deleted, is no longer the commit's own.
        let done = Set(receipts.flatMap(\.entities))
        let kept = kept.filter { kept in
            switch kept.reason {
            case .changedSince(let commit): !receipts.contains { $0.position == commit.position }
            case .deleted: !done.contains(kept.entity)
            default: true
            }
        }
        return UndoReport(commits: selection.commits, changes: changes, kept: kept, receipts: receipts)
    }

    /// What it would come to.
    fileprivate var report: UndoReport { report([], changes) }
}
