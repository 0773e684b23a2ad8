import EventLog
import Events
import ProjectionEngine
public import Trips

/// Writes much at once, commit after commit, while the views stay where they are: see `TripStore.load(by:_:)`.
///
/// Some commits are under way at a time and share a sync. Each is planned on what was planned before it and on the views,
/// while the writer stores those before and the next are being made. If another writes in between, or what is asked for is
/// in memory no longer, the views are brought up to date, and the commit goes the way of every other.
public actor BulkLoad {
    /// How many commits were handed over at most and are not known to be planned: whoever makes them and whoever plans them
    /// share the processors with the writer, and now the one is ahead and now the other.
    private static let mostPlanning = 8
    /// How many commits are under way at most.
    private static let mostUnderWay = 16
    /// How many bytes of memory those take that are being planned before another is handed over, and those under way before
    /// another is sent off.
    private static let mostBytes = 16 << 20

    private let store: TripStore
    private let authorship: Authorship
    private let ground: LoadGround
    private let planner: LoadPlanning
    /// What queries showed at least when the load began, or when somebody else had written last.
    private var shown: Position
    /// In the order of the log.
    private var underWay: [(commit: LoadedCommit, planned: LoadPlanner.Planned)] = []
    /// Commits that are being planned, or wait for it, in their order.
    private var planning: [(task: Task<Void, any Error>, byteCount: Int)] = []
    private var failure: (any Error)?
    private var isOver = false
    // Commits are stored in the order in which they were handed over, also by several tasks.
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// How many commits are durable so far.
    public private(set) var commitCount = 0
    /// How many events they have.
    public private(set) var eventCount = 0

    init(_ store: TripStore, _ authorship: Authorship) throws {
        self.store = store
        self.authorship = authorship
        let position = try store.views.read { $0.position }
        ground = LoadGround(position)
        shown = position
        let (clock, held) = (try store.log.lineClock(), try store.log.read { try $0.held() })
        planner = LoadPlanning(store.views, LoadPlanner(authorship, clock, holding: held, at: position))
    }

    /// Adds a commit: all of its events or none. It is durable after `flush()`, and when the load returns.
    ///
    /// Throws like `TripStore.append(_:by:expecting:)`, but that a creation must be valid by itself: at once what is wrong
    /// with the events themselves, of which nothing is then stored and after which the load may go on; and some commits
    /// later what the state of the store forbids, or that a commit is too large. That ends the load: the commits before the
    /// one at fault are stored, and none from there on.
    public nonisolated func append(_ events: [TripEvent]) async throws {
        guard !events.isEmpty else {
            throw TripStoreError(.nothingToWrite, "There are no events to append. Give at least one.")
        }
        try Task.checkCancellation()
        try await store.interceptor?.willWrite()
        // Checked outside the actor, beside the planning of those before.
        try await TripStoreError.wrapAsync { try await add(try LoadedCommit(events)) }
    }

    /// Adds a commit whose events are computed anew if somebody else writes before it is stored; else like `append`.
    package nonisolated func append(_ commit: any ComputedCommit) async throws {
        if let commit = try LoadedCommit(commit, commit.computed) { try await add(commit) }
    }

    private func add(_ commit: LoadedCommit) async throws {
        try await inTurn {
            try await settlePlanning(to: Self.mostPlanning - 1)
            let previous = planning.last?.task
            let task = Task {
                try await previous?.value
                while isFull { try await arrive() }
                try await begin(commit)
            }
            planning.append((task, commit.draft.memory))
        }
    }

    /// Waits until everything that was added is durable. Throws what kept it from that.
    public func flush() async throws {
        try await TripStoreError.wrapAsync {
            try await inTurn {
                try await settlePlanning(to: 0)
                while !underWay.isEmpty { try await arrive() }
            }
        }
    }

    /// Ends the load. Throws what kept a commit from being stored.
    func finish() async throws {
        try await inTurn {
            isOver = true
            try await settlePlanning(to: 0)
            while !underWay.isEmpty { try await arrive() }
        }
    }

    /// Runs `body` after those who came before.
    private func inTurn(_ body: () async throws -> Void) async throws {
        // Whoever leaves hands the turn on, so that nobody comes in between.
        if isTaken { await withCheckedContinuation { waiting.append($0) } } else { isTaken = true }
        defer { if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() } }
        if let failure { throw failure }
        guard !isOver else {
            throw TripStoreError(.nothingToWrite, "The load is over. Append while the closure of 'load' runs.")
        }
        try await body()
    }

    // MARK: Commits

    /// Waits until no more than so many commits are being planned, nor too many bytes of them. What is under way belongs to the
    /// planning tasks, one after the other: nobody else may look at it until there are none.
    private func settlePlanning(to count: Int) async throws {
        while planning.count > count || planning.reduce(0, { $0 + $1.byteCount }) > Self.mostBytes {
            do { try await planning.removeFirst().task.value } catch { throw end(error) }
        }
    }

    private var isFull: Bool {
        underWay.count >= Self.mostUnderWay
            || underWay.reduce(0) { $0 + $1.commit.draft.memory + $1.planned.payload.count } > Self.mostBytes
    }

    /// Sends a commit off.
    private func begin(_ commit: LoadedCommit) async throws {
        guard let commit = try current(commit) else { return }
        let planned: LoadPlanner.Planned
        do {
            planned = try await planner.plan(commit)
        } catch {
            // Whether something is wrong with it only the log can tell, once all before it is there.
            while !underWay.isEmpty { try await arrive() }
            do { try await appendAlone([commit]) } catch { throw end(error) }
            return
        }
        underWay.append((commit, planned))
        store.log.enqueue { [ground, log = store.log] snapshot in
            try ground.prepare(planned, log, snapshot)
        } _: { outcome in
            commit.finish(
                Result {
                    // What was planned has events.
                    guard let appended = try outcome.get() else { throw LoadGround.Unprepared() }
                    return appended
                })
        }
    }

    /// A commit as it is, or computed anew if somebody has written since it was; nil if nothing is left of it.
    private func current(_ commit: LoadedCommit) throws -> LoadedCommit? {
        guard let source = commit.source, commit.position < shown else { return commit }
        return try LoadedCommit(source, source.compute(without: nil))
    }

    /// Waits for the first commit that is under way.
    private func arrive() async throws {
        guard let (commit, planned) = underWay.first else { return }
        do {
            _ = try await commit.appended
            underWay.removeFirst()
            await planner.reuse(planned)
            noteDurable(commit.draft.events)
            commit.source?.stored()
        } catch {
            // Those after it have failed with it. Nothing is under way when it is told, or tried again.
            let failed = underWay.map(\.commit)
            underWay = []
            for commit in failed { _ = try? await commit.appended }
            guard error is LoadGround.Unprepared || error is HashedPayload.TimestampPassed else { throw end(error) }
            do { try await appendAlone(failed) } catch { throw end(error) }
        }
    }

    private func end(_ error: any Error) -> any Error {
        failure = error
        return error
    }

    /// Brings the views up to date, and appends commits as any others: whoever writes beside the load may go on doing so.
    private func appendAlone(_ commits: [LoadedCommit]) async throws {
        do {
            defer { store.views.deferUpdates() }
            try await store.views.resumeUpdates()
        }
        try await store.settled()
        for commit in commits {
            if let source = commit.source {
                try await appendAlone(source)
            } else {
                try await store.append(commit.draft.events, by: authorship)
                noteDurable(commit.draft.events)
            }
        }
        // If the views could not follow, the next commit finds that it is not prepared.
        shown = try store.views.read { $0.position }
        ground.reset(shown)
        await planner.reset(try store.log.lineClock(), holding: try store.log.read { try $0.held() }, at: shown)
    }

    /// Computes events on the store as it is and appends them, until nobody is quicker.
    private func appendAlone(_ source: any ComputedCommit) async throws {
        var refusal: (any Error)?
        while true {
            try Task.checkCancellation()
            let computed = try source.compute(without: refusal)
            if computed.events.isEmpty { return source.stored() }
            do {
                try await store.append(computed.events, by: authorship, expecting: computed.versions)
                noteDurable(computed.events)
                return source.stored()
            } catch let error as TripStoreError where error.cause == nil || error.cause is ValidationError {
                // The state forbids it; what the log or the medium refuses ends the load.
                try await store.settled()
                refusal = try store.views.read { $0.position } > computed.position ? nil : error
            }
        }
    }

    private func noteDurable(_ events: [TripEvent]) {
        commitCount += 1
        eventCount += events.count
    }
}
