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
    /// If the outcome is not known, because the process was lost or `TripStoreError.Code.outcomeUnknown` was
    /// thrown, try again with the same `appendID` in `authorship`: nothing is then written twice.
    ///
    /// Throws `TripStoreError` (`.versionConflict`, `.unknownEntity`, `.deleted`, `.alreadyExists`, `.notDeleted`,
    /// `.unknownParent`, `.invalidValue`, `.nothingToWrite`, `.appendIDReused`), or what the log and the medium refuse.
    @discardableResult
    public func append(
        _ events: [TripEvent], by authorship: Authorship = Authorship(),
        expecting versions: [EntityReference: EntityVersion] = [:]
    ) async throws -> Receipt {
        try await append(events, by: authorship, expecting: versions, .known)
    }

    /// The kinds and fields in namespaces that a write may use.
    enum NamespaceUse {
        /// The store must know them, and describes them first.
        case known
        /// A copy of what others wrote has any, which are described as far as they are known.
        case any
        /// A load has any, and describes them in the end.
        case loaded
    }

    func append(
        _ events: [TripEvent], by authorship: Authorship, expecting versions: [EntityReference: EntityVersion] = [:],
        _ use: NamespaceUse
    ) async throws -> Receipt {
        guard !events.isEmpty else {
            throw TripStoreError(.nothingToWrite, "There are no events to append. Give at least one.")
        }
        try await checkForms(events)
        return try await write(propose(events, .events(events), by: authorship, expecting: versions), use)
    }

    /// Appends events as one commit, if the expected versions are of one kind of entity.
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
        expecting versions: [EntityReference: EntityVersion], leavingOutUnchanged: Bool = false
    ) -> ProposedCommit {
        ProposedCommit(
            .events(DraftedEvents(events, in: knownSchema), leavingOutUnchanged: leavingOutUnchanged),
            by: authorship.named(author), proposal, expecting: versions, in: knownSchema)
    }

    /// Appends events without those that change nothing, if any are left. Those that were computed from the state of their entities name what
    /// another attempt is compared with.
    func write(
        _ events: [TripEvent], _ proposal: AppendProposal? = nil, by authorship: Authorship,
        expecting versions: [EntityReference: EntityVersion] = [:]
    ) async throws -> Receipt {
        try await write(
            propose(
                events, proposal ?? .changes(events), by: authorship, expecting: versions, leavingOutUnchanged: true))
    }

    /// Appends events that were computed from the log, if the entities that they are based on are unchanged.
    ///
    /// Parents that they empty must have no children except the named ones.
    ///
    /// Throws `TripStoreError.Code.versionConflict` if something has changed, the fault of an event, `.appendIDReused`, or
    /// what the log refuses.
    func write(
        computed events: [Event], _ rules: ComputedEventRules, by authorship: Authorship,
        expecting versions: [EntityReference: EntityVersion], emptied: [EntityReference: Set<EntityReference>] = [:],
        follows: Bool = true, _ proposal: AppendProposal? = nil
    ) async throws -> Receipt {
        try await write(
            ProposedCommit(
                .computed(events, rules, emptied: emptied), by: authorship.named(author), proposal,
                expecting: versions, in: knownSchema), follows: follows)
    }

    /// The path of all writes. Parents that follow what is written are written after it, but not after a part of a write.
    private func write(
        _ commit: ProposedCommit, _ use: NamespaceUse = .known, follows: Bool = true
    ) async throws -> Receipt {
        try await TripStoreError.wrapAsync {
            let parents = try await follows ? parentsThatFollow(commit) : []
            return await follow(parents, after: try await append(commit, use), by: commit.authorship)
        }
    }

    private func append(_ commit: ProposedCommit, _ use: NamespaceUse) async throws -> Receipt {
        try await interceptor?.willWrite()
        try await awaitServedViews()
        if let draft = commit.draft, !draft.used.isEmpty, use != .loaded {
            if use == .known { try checkKnown(draft) }
            // What is refused describes nothing.
            if draft.firstFault == nil { await describe(draft.used) }
        }
        let box = PlannedBox()
        let appended = try await log.appendHashed { [coordinator, log] snapshot in
            coordinator.noteWriter()
            // Before anything is checked: the state is already as the earlier attempt left it.
            if let earlier = try commit.earlierAttempt(snapshot) {
                box.set(.earlier(earlier))
                return nil
            }
            let planned = try commit.plan(coordinator, snapshot)
            box.set(.planned(planned.touched, at: try snapshot.lastPosition()))
            return try planned.payload.map { try log.hashed($0) }
        }
        if erasingUpkeep.withLock({ $0.begins(at: log.wallClock) }) { Task { await finishErasuresIfPossible() } }
        switch box.get() {
        case .earlier(let earlier): return try receipt(of: earlier)
        case .planned(let touched, let position):
            if let appended { return receipt(of: appended, touched) }
            return Receipt(
                unchangedAt: position, versions: touched.unchangedVersions, entities: touched.unchanged,
                isVisible: shows(position))
        case nil: throw TripStoreError(.nothingToWrite, "The commit was not planned. Nothing was written; try again.")
        }
    }

    /// Checks events as a write would, in a writer's turn, and says what would be written. Nothing is. Edits that change nothing are left
    /// out, as the verbs leave them out.
    ///
    /// ```swift
    /// let preview = try await store.preview(books.map { .deleted($0) })
    /// print("\(preview.entities.count) books would go, and \(preview.followers) notes with them")
    /// ```
    ///
    /// Throws what `append` throws. O(events, and what follows them).
    public func preview(
        _ events: [TripEvent], expecting versions: [EntityReference: EntityVersion] = [:]
    ) async throws -> WritePreview {
        let commit = propose(
            events, .changes(events), by: Authorship(), expecting: versions, leavingOutUnchanged: true)
        return try await TripStoreError.wrapAsync {
            try await awaitServedViews()
            if let draft = commit.draft { try checkKnown(draft) }
            let box = PlannedBox()
            _ = try await log.appendHashed { [coordinator] snapshot in
                coordinator.noteWriter()
                box.set(.planned(try commit.plan(coordinator, snapshot).touched, at: try snapshot.lastPosition()))
                return nil
            }
            guard case .planned(let touched, let position) = box.get() else {
                throw TripStoreError(.nothingToWrite, "The commit was not planned. Try again.")
            }
            let roots = events.filter { $0.verb == .deleted || $0.verb == .restored }.map(\.entity)
            let followers = try read { try $0.followers(of: roots) }
            return WritePreview(
                entities: touched.entities, unchanged: touched.unchanged, followers: followers, position: position)
        }
    }

    /// Waits for views to read, where there are none yet and this store builds them: writes are computed and checked on them.
    func awaitServedViews() async throws {
        if !views.isServing && !isReadOnly {
            try await TripStoreError.wrapAsync { try await views.catchUp(to: .start) }
        }
    }

    /// Writes what is computed from the views, and again from their new state where another write came first: so each attempt but the last means
    /// that another write succeeded. With an entity, only where that one was written.
    func writeComputed(
        from entity: EntityReference? = nil, isolation actor: isolated (any Actor)? = #isolation,
        _ attempt: () async throws -> Receipt
    ) async throws -> Receipt {
        try await awaitServedViews()
        while true {
            do { return try await attempt() } catch let error as TripStoreError
                where error.code == .versionConflict && (entity == nil || error.entity == entity)
            {
                try await catchUp()
                try Task.checkCancellation()
            }
        }
    }

    /// Whether queries show everything up to a position.
    func shows(_ position: Position) -> Bool { (try? views.read { $0.position >= position }) ?? false }

    private func receipt(of appended: Appended, _ touched: TouchedEntities) -> Receipt {
        let isVisible = shows(appended.position)
        logger.debug(
            "commit appended",
            metadata: [
                "position": "\(appended.position)", "sequence": "\(appended.sequence)",
                "events": "\(touched.eventCount)", "visible": "\(isVisible)",
            ])
        return Receipt(
            appended, versions: touched.versions(after: appended), entities: touched.entities, isVisible: isVisible,
            isRepeat: false)
    }

    /// Waits until queries show everything up to a position, or everything that the log has now. Without a position it
    /// also removes erased bytes whose time has come.
    ///
    /// Throws the reason if the views cannot get there.
    public func catchUp(to position: Position? = nil) async throws {
        try await TripStoreError.wrapAsync {
            if let position { return try await views.awaitPosition(position) }
            // A commit of a process that was killed before it published it becomes visible with the next turn of a
            // writer.
            if !isReadOnly { try await log.worker.run { [log] in try log.awaitWriters() } }
            try await views.awaitPosition(log.read { try $0.lastPosition() })
            guard !isReadOnly else { return }
            let stated = try log.erasingTokens()
            if erasingUpkeep.withLock({ $0.begins(at: log.wallClock, stated: stated) }) {
                await finishErasuresIfPossible()
            }
        }
    }
}

/// Carries the result of planning out of the writer's thread; each run replaces the one before.
private final class PlannedBox: Sendable {
    enum Outcome {
        /// At the log's position at that time.
        case planned(TouchedEntities, at: Position)
        /// There is nothing to write: it was written before.
        case earlier(EarlierAttempt)
    }

    private let value = Mutex<Outcome?>(nil)

    func set(_ outcome: Outcome) { value.withLock { $0 = outcome } }
    func get() -> Outcome? { value.withLock { $0 } }
}
