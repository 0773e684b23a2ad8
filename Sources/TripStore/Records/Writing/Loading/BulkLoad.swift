import EventLog
import ProjectionEngine
public import Trips

/// Writes many commits, while view updates are deferred: see `TripStore.load(by:_:)`.
///
/// Several commits are in flight at a time and share a sync. Each is planned on the earlier ones and on the views,
/// while the writer stores those before it and the caller makes the next. If another writer comes in between, or needed
/// data is not in memory any more, the views catch up, and the commit takes the path of every other.
public actor BulkLoad {
    /// The maximum number of commits that were added and are not known to be planned: the caller and the planner share
    /// the processors with the writer, and either may be ahead.
    private static let mostPlanning = 8
    /// The maximum number of commits in flight.
    private static let mostUnderWay = 16
    /// The maximum memory of commits that are being planned before another is accepted, and of those in flight before
    /// another is sent.
    private static let mostBytes = 16 << 20

    private let store: TripStore
    private let authorship: Authorship
    private let ground: LoadGround
    private let planner: LoadPlanning
    /// The position that queries showed when the load began, or after the last write of another writer.
    private var shown: Position
    /// In the order of the log.
    private var underWay: [(commit: LoadedCommit, planned: LoadPlanner.Planned)] = []
    /// Commits that are being planned, or wait for it, in order.
    private var planning: [(task: Task<Void, any Error>, byteCount: Int)] = []
    private var failure: (any Error)?
    private var isOver = false
    /// The kinds and fields in namespaces that commits use, whose names the log is to have.
    private(set) var used: Set<UsedPart> = []
    // Commits are stored in the order in which they were added, even by several tasks.
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// The number of durable commits so far.
    package private(set) var commitCount = 0
    /// The number of their events.
    package private(set) var eventCount = 0

    init(_ store: TripStore, _ authorship: Authorship) throws {
        (self.store, self.authorship) = (store, authorship)
        let position = try store.views.read { $0.position }
        (ground, shown) = (LoadGround(position), position)
        planner = try LoadPlanning(store, authorship, at: position)
    }

    /// Adds a commit, atomically. It is durable after `flush()`, and when the load returns.
    ///
    /// Throws like `TripStore.append(_:by:expecting:)`, except that a creation must be valid by itself. Faults of the
    /// events themselves are thrown at once; nothing of them is stored, and the load may continue. Faults that depend
    /// on the state of the store, or a commit that is too large, are thrown some commits later and end the load: the
    /// commits before the one at fault are stored, and none from there on.
    public nonisolated func append(_ events: [TripEvent]) async throws {
        guard !events.isEmpty else {
            throw TripStoreError(.nothingToWrite, "There are no events to append. Give at least one.")
        }
        try Task.checkCancellation()
        try await store.interceptor?.willWrite()
        // Validated outside the actor, while earlier ones are planned.
        try await TripStoreError.wrapAsync { try await add(try LoadedCommit(events, in: store.knownSchema)) }
    }

    /// Adds a commit whose events are computed again if another writer commits first; otherwise like `append`.
    package nonisolated func append(_ commit: any ComputedCommit) async throws {
        if let commit = try LoadedCommit(commit, commit.computed, in: store.knownSchema) { try await add(commit) }
    }

    private func add(_ commit: LoadedCommit) async throws {
        used.formUnion(commit.draft.used)
        try await inTurn {
            try await awaitPlanning(to: Self.mostPlanning - 1)
            let previous = planning.last?.task
            let task = Task {
                try await previous?.value
                while isFull { try await arrive() }
                try await begin(commit)
            }
            planning.append((task, commit.draft.memory))
        }
    }

    /// Waits until everything that was added is durable. Throws the first failure.
    public func flush() async throws {
        try await TripStoreError.wrapAsync {
            try await inTurn {
                try await awaitPlanning(to: 0)
                while !underWay.isEmpty { try await arrive() }
            }
        }
    }

    /// Ends the load. Throws the first failure to store a commit.
    func finish() async throws {
        try await inTurn {
            isOver = true
            try await awaitPlanning(to: 0)
            while !underWay.isEmpty { try await arrive() }
        }
    }

    /// Runs `body` after the callers before it.
    private func inTurn(_ body: () async throws -> Void) async throws {
        // The turn is passed directly to the next waiter, so that no other task comes in between.
        if isTaken { await withCheckedContinuation { waiting.append($0) } } else { isTaken = true }
        defer { if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() } }
        if let failure { throw failure }
        guard !isOver else {
            throw TripStoreError(.nothingToWrite, "The load is over. Append while the closure of 'load' runs.")
        }
        try await body()
    }

    // MARK: Commits

    /// Waits until at most `count` commits are being planned, and not too many bytes of them. The commits in flight
    /// belong to the planning tasks, one after the other: no other task may access them until there are none.
    private func awaitPlanning(to count: Int) async throws {
        while planning.count > count || planning.reduce(0, { $0 + $1.byteCount }) > Self.mostBytes {
            do { try await planning.removeFirst().task.value } catch { throw end(error) }
        }
    }

    private var isFull: Bool {
        underWay.count >= Self.mostUnderWay
            || underWay.reduce(0) { $0 + $1.commit.draft.memory + $1.planned.payload.count } > Self.mostBytes
    }

    /// Sends a commit to the writer.
    private func begin(_ commit: LoadedCommit) async throws {
        let current: LoadedCommit?
        do { current = try self.current(commit) } catch {
            // The load ends with this one: those before it are stored when it does.
            while !underWay.isEmpty { try await arrive() }
            throw end(error)
        }
        guard let commit = current else { return }
        let planned: LoadPlanner.Planned
        do {
            planned = try await planner.plan(commit)
        } catch {
            // Only the log can tell whether it is invalid, after all commits before it are stored.
            while !underWay.isEmpty { try await arrive() }
            do { try await appendAll([commit]) } catch { throw end(error) }
            return
        }
        underWay.append((commit, planned))
        store.log.enqueue { [ground, log = store.log] snapshot in
            try ground.prepare(planned, log, snapshot)
        } _: {
            commit.pending.finish($0)
        }
    }

    /// The commit as it is, or computed again if another writer has committed since; nil if nothing is left of it.
    private func current(_ commit: LoadedCommit) throws -> LoadedCommit? {
        guard let source = commit.source, commit.position < shown else { return commit }
        return try LoadedCommit(source, source.compute(without: nil), in: store.knownSchema)
    }

    /// Waits for the first commit in flight.
    private func arrive() async throws {
        guard let (commit, planned) = underWay.first else { return }
        do {
            // A planned commit has events.
            guard try await commit.pending.appended != nil else { throw LoadGround.Unprepared() }
            underWay.removeFirst()
            await planner.reuse(planned)
            noteDurable(commit.draft.events)
            commit.source?.stored()
        } catch {
            // Those after it have failed with it. Nothing is in flight when the failure is reported, or the commit is
            // retried.
            let failed = underWay.map(\.commit)
            underWay = []
            for commit in failed { _ = try? await commit.pending.appended }
            guard error is LoadGround.Unprepared || error is HashedPayload.TimestampPassed else { throw end(error) }
            do { try await appendAll(failed) } catch { throw end(error) }
        }
    }

    private func end(_ error: any Error) -> any Error {
        failure = error
        return error
    }

    /// Appends commits that were accepted, also if the caller's task is cancelled meanwhile: it is not inherited.
    private func appendAll(_ commits: [LoadedCommit]) async throws {
        try await Task { try await appendAlone(commits) }.value
    }

    /// Updates the views, and appends the commits one by one: other writers may continue beside the load.
    private func appendAlone(_ commits: [LoadedCommit]) async throws {
        // Its memory is of no more use, and would take tens of megabytes beside that of the views.
        try await planner.reset(at: shown)
        do {
            defer { store.views.deferUpdates() }
            try await store.views.resumeUpdates()
        }
        try await store.catchUp()
        for commit in commits {
            if let source = commit.source {
                try await appendAlone(source)
            } else {
                _ = try await store.append(commit.draft.events, by: authorship, .loaded)
                noteDurable(commit.draft.events)
            }
        }
        // If the views could not catch up, the next commit is not prepared.
        shown = try store.views.read { $0.position }
        ground.reset(shown)
        try await planner.reset(at: shown)
    }

    /// Computes events on the current state and appends them; repeats while other writers commit first.
    private func appendAlone(_ source: any ComputedCommit) async throws {
        var refusal: (any Error)?
        while true {
            let computed = try source.compute(without: refusal)
            if computed.events.isEmpty { return source.stored() }
            do {
                _ = try await store.append(
                    computed.events, by: authorship, expecting: computed.versions, .loaded)
                noteDurable(computed.events)
                return source.stored()
            } catch let error as TripStoreError where error.cause == nil || error.cause is ValidationError {
                // The state forbids it; what the log or the medium refuses ends the load.
                try await store.catchUp()
                refusal = try store.views.read { $0.position } > computed.position ? nil : error
            }
        }
    }

    private func noteDurable(_ events: [TripEvent]) {
        commitCount += 1
        eventCount += events.count
    }
}
