import EventLog
import Events
import Foundation
import ProjectionEngine
import Synchronization
import TripProjections
import Trips

/// Knows, inside a write, the state of every entity as that write finds it; and brings the views up to date after it.
///
/// The views show the log up to their checkpoint. What lies beyond, from another process or from commits that share
/// the transaction, is merged on top of them here.
final class WriteCoordinator: AppendObserver {
    /// An event that the views may not show yet.
    private struct TailEvent {
        let position: Position
        let event: Event
        let index: Int
        let stamp: Stamp
    }

    private struct Tail {
        var events: [EntityReference: [TailEvent]] = [:]
        var end = Position.start
    }

    private let views: ProjectionGroup
    private let appViews: ProjectionGroup?
    // Used on the writer's thread alone; the locks are never contended.
    /// Nil until the transaction asks for the state of an entity.
    private let tail = Mutex<Tail?>(nil)
    /// Whether somebody takes part in the transaction who is to see what he wrote.
    private let isAwaited = Mutex(false)

    init(_ views: ProjectionGroup, appViews: ProjectionGroup?) {
        self.views = views
        self.appViews = appViews
    }

    func transactionBegins(_ log: borrowing LogSnapshot) throws {
        tail.withLock { $0 = nil }
        isAwaited.withLock { $0 = false }
    }

    /// Somebody takes part in the transaction who is to see what he wrote when it is committed.
    func noteWriter() { isAwaited.withLock { $0 = true } }

    func committing(_ commits: CommitCopies, _ log: borrowing LogSnapshot) -> (any CommitStep)? {
        guard let step = views.applyAhead(commits, log) else { return nil }
        return Step(step, appViews)
    }

    /// What there is to do beside the group's own step.
    private struct Step: CommitStep {
        private let step: any CommitStep
        private let appViews: ProjectionGroup?

        init(_ step: any CommitStep, _ appViews: ProjectionGroup?) {
            self.step = step
            self.appViews = appViews
        }

        func conclude(isDurable: Bool, _ next: @escaping @Sendable () -> Void) -> Bool {
            guard step.conclude(isDurable: isDurable, next) else { return false }
            appViews?.wake()
            return true
        }
    }

    func committed(upTo position: Position) {
        // Also where views are held back: what one wrote one sees, unless it was loaded.
        let isAwaited = isAwaited.withLock { $0 }
        views.assumeIsolated { isAwaited ? $0.applyHeldBack() : $0.applyPending() }
        appViews?.wake()
    }

    func received(upTo position: Position) {
        views.assumeIsolated { $0.applyPending() }
        appViews?.wake()
    }

    /// The record of an entity as the transaction sees it, or nil if nothing is held of it.
    func record(of entity: EntityReference, in log: borrowing LogSnapshot) throws -> EntityRecord? {
        var found: EntityRecord?
        return try withTail(log) { tail in
            let position = try views.read { views in
                found = try views.withRecord(of: entity) { try EntityRecord($0) }
                return views.position
            }
            for event in tail.events[entity] ?? [] where event.position > position {
                found = found ?? EntityRecord()
                found?.apply(event.event, index: event.index, stamp: event.stamp)
            }
            return found
        }
    }

    /// The items that a trip has as the transaction sees it, and perhaps some that left it a moment ago.
    func items(of trip: Trip.ID, in log: borrowing LogSnapshot) throws -> Set<EntityReference> {
        let path = Path(field: ItemField.trip.rawValue)
        return try withTail(log) { tail in
            var found = Set(try views.read { try ItemsByTrip.items(of: trip, in: $0) })
            for (entity, events) in tail.events where EntityKind.itemKinds.contains(entity.kind) {
                let isFiled = events.contains { event in
                    event.event.changes.contains { $0.path == path && $0.value == trip.reference.fieldValue }
                }
                if isFiled { found.insert(entity) }
            }
            return found
        }
    }

    /// Runs `body` on what the log has beyond the views.
    private func withTail<T>(_ log: borrowing LogSnapshot, _ body: (Tail) throws -> T) throws -> T {
        try tail.withLock { tail in
            var current: Tail
            if let tail {
                current = tail
            } else {
                // Much may have come in that the views were not to show yet; merged here it would have to lie in memory.
                if views.isHeld { views.assumeIsolated { $0.applyHeldBack() } }
                // Without servable views there is no state to check against, and appends wait for it before they come.
                current = Tail(end: views.isServing ? try views.read { $0.position } : try log.lastPosition())
            }
            // What is extended in vain is not kept.
            tail = nil
            try Self.extend(&current, log)
            tail = current
            return try body(current)
        }
    }

    private static func extend(_ tail: inout Tail, _ log: borrowing LogSnapshot) throws {
        guard try log.lastPosition() > tail.end else { return }
        try log.forEachCommit(after: tail.end) { commit in
            let replicas = commit.seenReplicas
            try commit.forEachEvent { event, index in
                tail.events[event.entity, default: []].append(
                    TailEvent(
                        position: commit.position, event: try event.copy(replicas), index: index, stamp: commit.stamp))
            }
            tail.end = commit.position
            return true
        }
    }
}
