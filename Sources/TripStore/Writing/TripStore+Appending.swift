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
        return try await append(propose(events, .events(events), by: authorship, expecting: versions))
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

    /// A commit of events that are checked when its turn comes.
    private func propose(
        _ events: [TripEvent], _ proposal: AppendProposal, by authorship: Authorship,
        expecting versions: [EntityReference: EntityVersion], leavesOutUnchanged: Bool = false
    ) -> ProposedCommit {
        ProposedCommit(authorship, proposal, expecting: versions, leavesOutUnchanged: leavesOutUnchanged) {
            preparer, log in
            preparer.reserve(events.count)
            for event in events { try preparer.add(event, log) }
        }
    }

    /// Appends a commit. Throws like `append`.
    private func append(_ commit: ProposedCommit) async throws -> Receipt {
        guard let receipt = try await write(commit) else {
            throw TripStoreError(.nothingToWrite, "The events change nothing.")
        }
        return receipt
    }

    /// Appends events without those that change nothing. Nil if nothing is left to write.
    func write(
        _ proposed: [TripEvent], by authorship: Authorship, expecting versions: [EntityReference: EntityVersion] = [:]
    ) async throws -> Receipt? {
        try await write(
            propose(proposed, .changes(proposed), by: authorship, expecting: versions, leavesOutUnchanged: true))
    }

    /// Appends an edit that was computed from the state of its entity. Nil if it changes nothing.
    func write(
        edit proposed: TripEvent, by authorship: Authorship, expecting versions: [EntityReference: EntityVersion]
    ) async throws -> Receipt? {
        try await write(
            propose([proposed], .edit(proposed.entity), by: authorship, expecting: versions, leavesOutUnchanged: true))
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
        let commit = ProposedCommit(authorship, nil, expecting: versions, leavesOutUnchanged: false) {
            preparer, log in
            for (trip, items) in emptied { try preparer.checkItems(of: trip, items, log) }
            for event in events { try preparer.addUnchecked(event, log) }
        }
        return try await append(commit)
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
        let commit = ProposedCommit(authorship, proposal, expecting: versions, leavesOutUnchanged: false) {
            preparer, log in
            try preparer.addComputed(event, log)
        }
        return try await append(commit)
    }

    /// What everything that writes goes through. Nil if nothing is left to write.
    private func write(_ commit: ProposedCommit) async throws -> Receipt? {
        try await interceptor?.willWrite()
        if !views.isServing && !isReadOnly { try await views.settle(at: .start) }
        let box = PreparedBox()
        let appended = try await log.appendHashed { [coordinator, log] snapshot in
            coordinator.noteWriter()
            // Before anything is checked: the state is already as the earlier attempt left it.
            if let earlier = try commit.earlierAttempt(snapshot) {
                box.set(.earlier(earlier))
                return nil
            }
            let preparer = try commit.preparer(coordinator, snapshot)
            box.set(.prepared(preparer))
            return try commit.payload(preparer, log)
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
