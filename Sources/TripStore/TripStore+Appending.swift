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
    /// Throws `TripStoreError` (`.versionConflict`, `.unknownEntity`, `.deleted`, `.alreadyExists`, `.notDeleted`,
    /// `.unknownTrip`, `.nothingToWrite`), `ValidationError`, or what the log and the medium refuse.
    @discardableResult
    public func append(
        _ events: [TripEvent], by authorship: Authorship = Authorship(),
        expecting versions: [EntityReference: EntityVersion] = [:]
    ) async throws -> Receipt {
        guard !events.isEmpty else {
            throw TripStoreError(.nothingToWrite, "There are no events to append. Give at least one.")
        }
        guard let receipt = try await write(events, by: authorship, expecting: versions, leavesOutUnchanged: false)
        else {
            throw TripStoreError(.nothingToWrite, "The events change nothing.")
        }
        return receipt
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

    /// What everything that writes goes through. Nil if nothing is left to write.
    func write(
        _ proposed: [TripEvent], by authorship: Authorship, expecting versions: [EntityReference: EntityVersion] = [:],
        leavesOutUnchanged: Bool = true
    ) async throws -> Receipt? {
        try await append(by: authorship, expecting: versions, leavesOutUnchanged: leavesOutUnchanged) {
            preparer, log in
            for event in proposed { try preparer.add(event, log) }
        }
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
        let receipt = try await append(by: authorship, expecting: versions, leavesOutUnchanged: false) {
            preparer, log in
            for (trip, items) in emptied { try preparer.checkItems(of: trip, items, log) }
            for event in events { try preparer.addUnchecked(event, log) }
        }
        guard let receipt else {
            throw TripStoreError(.nothingToWrite, "There are no events to append. Give at least one.")
        }
        return receipt
    }

    private func append(
        by authorship: Authorship, expecting versions: [EntityReference: EntityVersion], leavesOutUnchanged: Bool,
        _ prepare: @escaping @Sendable (inout Preparer, borrowing LogSnapshot) throws -> Void
    ) async throws -> Receipt? {
        try await interceptor?.willWrite()
        if !views.isServing && !isReadOnly { try await views.settle(at: .start) }
        let box = PreparedBox()
        let appended = try await log.append { [coordinator] log in
            var preparer = Preparer(coordinator, expected: versions, leavesOutUnchanged: leavesOutUnchanged)
            try preparer.checkExpectations(log)
            try prepare(&preparer, log)
            box.set(preparer)
            guard !preparer.events.isEmpty else { return nil }
            return Payload(
                author: authorship.author, causation: authorship.causation, correlation: authorship.correlation,
                events: preparer.events)
        }
        guard let appended, let preparer = box.get() else { return nil }
        return receipt(of: appended, preparer)
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
            entities: preparer.order, isVisible: isVisible)
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
    private let value = Mutex<Preparer?>(nil)

    func set(_ preparer: Preparer) { value.withLock { $0 = preparer } }
    func get() -> Preparer? { value.withLock { $0 } }
}
