public import EventLog
public import Events
import Foundation
import Logging
import ProjectionEngine
import Synchronization
public import Trips

extension TripStore {
    /// Appends events as one commit: all or nothing, here and on every replica.
    ///
    /// `expecting` names versions that entities must still have, of those written and of others. Nothing is written
    /// unless every event is valid on the state that it meets.
    ///
    /// If the outcome is not known, because the process was lost or an `StorageError` of the code `.outcomeUnknown` was
    /// thrown, try again with the same `appendID` in `authorship`: nothing is then written twice.
    ///
    /// Throws `TripStoreError` (`.versionConflict`, `.unknownEntity`, `.deleted`, `.alreadyExists`, `.notDeleted`,
    /// `.unknownTrip`, `.nothingToWrite`, `.appendIDReused`), `ValidationError`, or what the log and the medium refuse.
    @discardableResult
    public func append(
        _ events: [TripEvent], by authorship: Authorship = Authorship(),
        expecting versions: [EntityReference: EntityVersion] = [:]
    ) async throws -> Receipt {
        guard !events.isEmpty else {
            throw TripStoreError(.nothingToWrite, "There are no events to append. Give at least one.")
        }
        return try await append(plan(events, by: authorship, expecting: versions))
    }

    /// The same, where the expected versions are of one kind of entity.
    @discardableResult
    public func append<Entity: TripEntity>(
        _ events: [TripEvent], by authorship: Authorship = Authorship(),
        expecting versions: [Identifier<Entity>: EntityVersion]
    ) async throws -> Receipt {
        try await append(
            events, by: authorship,
            expecting: Dictionary(uniqueKeysWithValues: versions.map { ($0.key.reference, $0.value) }))
    }

    /// Prepares a commit, as far as that can be done before its turn: its events are checked on what the views show,
    /// encoded and hashed. Appending it then takes little, unless somebody writes to the same entities before.
    package func plan(
        _ events: [TripEvent], by authorship: Authorship = Authorship(),
        expecting versions: [EntityReference: EntityVersion] = [:], leavesOutUnchanged: Bool = false
    ) -> PlannedCommit {
        plan(
            events, leavesOutUnchanged ? .changes(events) : .events(events), by: authorship, expecting: versions,
            leavesOutUnchanged: leavesOutUnchanged)
    }

    private func plan(
        _ events: [TripEvent], _ proposal: AppendProposal, by authorship: Authorship,
        expecting versions: [EntityReference: EntityVersion], leavesOutUnchanged: Bool
    ) -> PlannedCommit {
        let plan = PlannedCommit(authorship, proposal, expecting: versions, leavesOutUnchanged: leavesOutUnchanged) {
            preparer, log in
            preparer.reserve(events.count)
            for event in events { try preparer.add(event, log) }
        }
        return prepared(plan)
    }

    /// Appends what was prepared. Throws like `append`.
    @discardableResult
    package func append(_ plan: PlannedCommit) async throws -> Receipt {
        guard let receipt = try await write(plan) else {
            throw TripStoreError(.nothingToWrite, "The events change nothing.")
        }
        return receipt
    }

    /// Appends events without those that change nothing. Nil if nothing is left to write.
    func write(
        _ proposed: [TripEvent], by authorship: Authorship, expecting versions: [EntityReference: EntityVersion] = [:]
    ) async throws -> Receipt? {
        try await write(plan(proposed, by: authorship, expecting: versions, leavesOutUnchanged: true))
    }

    /// Appends an edit that was computed from the state of its entity. Nil if it changes nothing.
    func write(
        edit proposed: TripEvent, by authorship: Authorship, expecting versions: [EntityReference: EntityVersion]
    ) async throws -> Receipt? {
        try await write(
            plan([proposed], .edit(proposed.entity), by: authorship, expecting: versions, leavesOutUnchanged: true))
    }

    /// Appends events as they are, if their entities still are as they were found: for what was computed from them.
    ///
    /// Trips that they empty must have no items but those that are named.
    ///
    /// Throws `TripStoreError.versionConflict` if something is otherwise, or what the log refuses.
    func write(
        _ events: [Event], by authorship: Authorship, expecting versions: [EntityReference: EntityVersion],
        emptied: [Trip.ID: Set<EntityReference>] = [:]
    ) async throws -> Receipt {
        let plan = PlannedCommit(authorship, nil, expecting: versions, leavesOutUnchanged: false) {
            preparer, log in
            for (trip, items) in emptied { try preparer.checkItems(of: trip, items, log) }
            for event in events { try preparer.addUnchecked(event, log) }
        }
        // Which items a trip has is known in the transaction alone.
        guard let receipt = try await write(emptied.isEmpty ? prepared(plan) : plan) else {
            throw TripStoreError(.nothingToWrite, "There are no events to append. Give at least one.")
        }
        return receipt
    }

    /// Appends the event that settles a conflict, if its entity still is as it was found, and the rules of its verb let it
    /// pass.
    ///
    /// Throws `TripStoreError` (`.versionConflict`, `.unknownEntity`, `.deleted`, `.unknownTrip`, `.appendIDReused`), or
    /// what the log refuses.
    func write(
        settling event: Event, by authorship: Authorship, expecting versions: [EntityReference: EntityVersion],
        _ proposal: AppendProposal
    ) async throws -> Receipt {
        let plan = PlannedCommit(authorship, proposal, expecting: versions, leavesOutUnchanged: false) {
            preparer, log in
            try preparer.addComputed(event, log)
        }
        return try await append(prepared(plan))
    }

    /// How many commits may lie between the views and the log where a commit is prepared on the views.
    private static let mostBehind = 64

    /// The commit with what could be done for it before its turn. What goes wrong on the way is left to the transaction,
    /// which alone can tell.
    private func prepared(_ plan: PlannedCommit) -> PlannedCommit {
        guard !isReadOnly else { return plan }
        var plan = plan
        let prepared = try? log.read { log in
            // The views may be a few commits behind the log: what those write to is asked in the transaction.
            let checkpoint = try views.read { $0.checkpoint }
            let position = checkpoint.position
            guard position + Self.mostBehind >= (try log.lastPosition()), try !checkpoint.isOutdated(by: log) else {
                throw CancellationError()
            }
            return (checkpoint, try plan.preparer(coordinator, .views(position), log))
        }
        if let (checkpoint, preparer) = prepared, let payload = try? plan.payload(preparer, log) {
            plan.ahead = PlannedCommit.Ahead(
                position: checkpoint.position, rewrites: checkpoint.rewrites, preparer: preparer, payload: payload)
        }
        return plan
    }

    /// What everything that writes goes through. Nil if nothing is left to write.
    private func write(_ plan: PlannedCommit) async throws -> Receipt? {
        try await interceptor?.willWrite()
        if !views.isServing && !isReadOnly { try await views.settle(at: .start) }
        let box = PreparedBox()
        let appended = try await log.appendHashed { [coordinator, log] snapshot in
            coordinator.noteWriter()
            // Before anything is checked: the state is already as the earlier attempt left it.
            if let earlier = try plan.earlierAttempt(snapshot) {
                box.set(.earlier(earlier))
                return nil
            }
            if let ahead = plan.ahead, try snapshot.rewriteCount() == ahead.rewrites,
                try coordinator.isUnchanged(ahead.preparer.basis, since: ahead.position, in: snapshot)
            {
                box.set(.prepared(ahead.preparer))
                return ahead.payload
            }
            let preparer = try plan.preparer(coordinator, .transaction, snapshot)
            box.set(.prepared(preparer))
            return try plan.payload(preparer, log)
        }
        switch box.get() {
        case .earlier(let earlier): return try receipt(of: earlier)
        case .prepared(let preparer): return appended.map { receipt(of: $0, preparer) }
        case nil: return nil
        }
    }

    private func receipt(of appended: Appended, _ preparer: Preparer) -> Receipt {
        let isVisible = (try? views.read { $0.position >= appended.position }) ?? false
        logger.debug(
            "commit appended",
            metadata: [
                "position": "\(appended.position)", "sequence": "\(appended.sequence)",
                "events": "\(preparer.events.count)", "visible": "\(isVisible)",
            ])
        return Receipt(
            position: appended.position, replica: appended.replica, sequence: appended.sequence,
            timestamp: appended.timestamp, hash: appended.hash, versions: preparer.versions(after: appended),
            entities: preparer.order, isVisible: isVisible, isRepeat: false)
    }

    /// Waits until queries show everything up to a position, or everything that the log has now.
    ///
    /// Throws what stops the views from getting there.
    public func settled(at position: Position? = nil) async throws {
        if let position { return try await views.settled(at: position) }
        // A commit of a process that was killed before it said so shows with the next turn of a writer.
        if !isReadOnly { try await log.worker.run { [log] in try log.awaitWriters() } }
        try await views.settled(at: log.read { try $0.lastPosition() })
    }
}

/// Carries what a preparation came to out of the writer's thread; each run of it replaces the one before.
private final class PreparedBox: Sendable {
    enum Outcome {
        case prepared(Preparer)
        /// There is nothing to write: it was written before.
        case earlier(EarlierAttempt)
    }

    private let value = Mutex<Outcome?>(nil)

    func set(_ outcome: Outcome) { value.withLock { $0 = outcome } }
    func get() -> Outcome? { value.withLock { $0 } }
}
