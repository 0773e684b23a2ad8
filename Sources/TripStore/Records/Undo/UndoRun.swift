public import Events
import Foundation
import Trips

/// The progress of a plan, commit by commit.
struct UndoRun {
    /// The content of one commit.
    struct Part {
        let events: [Event]
        /// The required versions of the entities that the part is based on.
        let expected: [EntityReference: EntityVersion]
        /// The parents that it deletes, with their children.
        let emptied: [EntityReference: Set<EntityReference>]
    }

    /// The approximate number of bytes of events in one commit: some thousand events, so that reading one of them later
    /// does not read many times as many.
    static let fullSize = 1 << 20

    private(set) var plan: UndoPlan
    private let partSize: Int
    private(set) var receipts: [Receipt] = []
    /// What was reverted so far.
    private var changes: [UndoneChange] = []
    /// The parts of the plan, and how many of them were written.
    private var parts: [[Event]]
    private var written = 0
    /// The versions of the entities after the written parts of the plan.
    private var versions: [EntityReference: EntityVersion] = [:]

    init(_ plan: UndoPlan, partSize: Int) {
        (self.plan, self.partSize, parts) = (plan, partSize, plan.parts(of: partSize))
    }

    var partsLeft: Int { parts.count - written }

    /// The part to write next; nil if there is none.
    var next: Part? {
        guard written < parts.count else { return nil }
        let events = parts[written]
        return Part(events: events, expected: expected(for: events), emptied: plan.emptied(by: events))
    }

    /// Records that the next part was written.
    mutating func add(_ receipt: Receipt) {
        receipts.append(receipt)
        versions.merge(receipt.versions) { $1 }
        let entities = Set(parts[written].map(\.entity))
        changes += plan.changes.filter { entities.contains($0.entity) }
        written += 1
    }

    /// Continues with another plan, for the rest in the current state.
    mutating func replan(_ plan: UndoPlan) {
        self.plan = plan
        parts = plan.parts(of: partSize)
        written = 0
        versions = [:]
    }

    /// The versions that a part is based on: if it is the only one, all that were read; otherwise those of what it
    /// writes and of its parents, as earlier parts left them.
    private func expected(for part: [Event]) -> [EntityReference: EntityVersion] {
        if part.count == plan.events.count { return plan.expected }
        var entities = Set(part.map(\.entity))
        entities.formUnion(entities.compactMap { plan.parents[$0] })
        var expected = plan.expected.filter { entities.contains($0.key) }
        for entity in entities { if let version = versions[entity] { expected[entity] = version } }
        return expected
    }

    /// The result so far.
    var report: UndoReport {
        // Changes of an earlier part are no longer the commit's own.
        let done = Set(receipts.flatMap(\.entities))
        let kept = plan.kept.filter { kept in
            switch kept.reason {
            case .changedSince(let commit): !receipts.contains { $0.position == commit.position }
            case .deleted: !done.contains(kept.entity)
            default: true
            }
        }
        return UndoReport(commits: plan.selection.commits, changes: changes, kept: kept, receipts: receipts)
    }

    /// What the remaining parts would revert.
    var remaining: [UndoneChange] {
        let entities = Set(parts[written...].joined().map(\.entity))
        return plan.changes.filter { entities.contains($0.entity) }
    }
}

extension UndoPlan {
    /// The events of each commit: one, unless that would be too large, and none if there are no events. The events of
    /// an entity are adjacent and stay together.
    fileprivate func parts(of fullSize: Int) -> [[Event]] {
        var parts: [[Event]] = []
        var size = 0
        for event in events {
            let bytes = event.changes.reduce(64) { $0 + 32 + ($1.value?.count ?? 0) }
            if parts.isEmpty || (size + bytes > fullSize && parts.last?.last?.entity != event.entity) {
                parts.append([])
                size = 0
            }
            parts[parts.count - 1].append(event)
            size += bytes
        }
        return parts
    }

    /// The parents that a part deletes, with their children.
    fileprivate func emptied(by part: [Event]) -> [EntityReference: Set<EntityReference>] {
        let deleted = Set(part.filter { $0.verb == .deleted }.map(\.entity))
        return emptied.filter { deleted.contains($0.key) }
    }
}

/// An undo or redo of several commits was stopped after some: what was done, what remains, and why.
///
/// The reverted part stays. Repeat the call to do the rest; undo the receipts of the report to revert what was done.
public struct IncompleteUndoError: ExplainedError, Sendable {
    /// The changes that were reverted, with the receipts of their commits; there is at least one.
    public let report: UndoReport
    /// The changes that remain to be reverted. If the cause says that its outcome is unknown, the first of them may be reverted.
    public let remaining: [UndoneChange]
    /// The error that stopped it, unchanged: a `CancellationError` if the task was cancelled.
    public let cause: any Error

    /// The kind of failure: always `incompleteUndo`.
    public var code: TripStoreError.Code { .incompleteUndo }

    public var description: String {
        "\(explanation) It was stopped by this: \(cause)"
    }

    public var explanation: String {
        let done = report.receipts.map { "\($0.position)" }.joined(separator: ", ")
        let all = report.changes.count + remaining.count
        return
            "\(report.changes.count) of \(all.counted("change")) \(report.changes.count.agreeing("was", "were")) put back, at position \(done). "
            + "Undo or redo the same once more for the rest."
    }

    /// The message of the error that stopped the undo.
    public var failureReason: String? {
        if cause is CancellationError { return "The task was cancelled." }
        return (cause as? any LocalizedError)?.errorDescription ?? "\(cause)"
    }
}
