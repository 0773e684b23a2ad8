public import EventLog
import Events
import Foundation
import LMDB
public import Logging
import Metrics
import Platform
import Synchronization

/// A group of projections: builds their views from the log, keeps them up with it, and serves queries.
///
/// The actor runs on a thread that may wait: on that of the log's writer, so that views are up to date when an append
/// returns, or on one of its own, so that nobody waits for them. What the log's writer is about to sync is applied on
/// another thread meanwhile (`applyAhead`). Rebuilds run on a further one, beside the serving generation. Queries take no
/// actor hop: see `read`.
public actor ProjectionGroup {
    public nonisolated var unownedExecutor: UnownedSerialExecutor { worker.asUnownedSerialExecutor() }

    nonisolated let configuration: GroupConfiguration
    nonisolated let log: Log
    nonisolated let slot: GenerationSlot
    nonisolated let logger: Logger
    nonisolated let worker: WorkerThread
    nonisolated let builder = WorkerThread(name: "tripstore.builder")
    /// Where commits are applied beside the sync; made when it is needed first.
    private var aheadWorker: WorkerThread?
    nonisolated let feed: ChangeFeed
    /// What queries need of the group.
    public nonisolated let reader: ViewReader
    /// Raised when this process has changed the views, and when it detects that another has.
    package nonisolated let signal: ChangeSignal
    private nonisolated let others: OtherProcesses
    private nonisolated let wakes = Mutex(false)
    nonisolated let holds = Mutex(0)
    private var rebuild: Task<Void, any Error>?
    /// Whether a projection's fault has stopped the group.
    private var isStopped = false
    /// Whether a fault, perhaps of an earlier run, is recorded beside the log.
    private nonisolated let hasNote = Atomic(false)
    /// The folder of the generation that is known to be marked as written to.
    private var marked: String?
    /// The delay before a failed rebuild is retried.
    private var delay = RebuildDelay()
    private var now: Int64 { log.ownDependencies.now() }
    private nonisolated let applied = Counter(label: "tripstore.views.events")
    private nonisolated let duration = Metrics.Timer(label: "tripstore.views.batch.duration")

    /// `worker` is the thread on which views are applied; nil for the log writer's.
    public init(_ configuration: GroupConfiguration, log: Log, logger: Logger, worker: WorkerThread? = nil) {
        self.configuration = configuration
        self.log = log
        self.logger = logger
        self.worker = worker ?? log.worker
        let slot = GenerationSlot(configuration, log)
        let feed = ChangeFeed(slot, cacheLimit: configuration.cacheLimit)
        self.slot = slot
        self.feed = feed
        let others = OtherProcesses(log, slot)
        self.others = others
        let group = WeakGroup()
        reader = ViewReader(slot, feed, others, group)
        signal = ChangeSignal {
            // This process applies the commits that another process left to it; that raises the signal as well.
            if others.isBeyondViews { await group.value?.applyPending() }
            return others.hasMoved
        }
        group.value = self
    }

    /// Serves the generation that the log points to and updates it; without an intact one, begins to build one. In the
    /// background the caller does not wait, and a failure is reported as a fault.
    ///
    /// `progress` is called meanwhile. Throws `StorageError` and `EventLogError`, unless in the background.
    public func start(
        inBackground: Bool = false, _ progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
    ) throws {
        do {
            // A failure to build shared views does not prevent building private ones.
            if log.sharesViews, let note = try log.note(GroupFault.note(configuration.name)) {
                hasNote.store(true, ordering: .releasing)
                if let fault = try? GroupFault(note) { delay = RebuildDelay(resuming: fault) }
            }
            try serve(inBackground: inBackground, progress)
        } catch {
            guard inBackground else { throw error }
            report(error)
        }
    }

    private func serve(inBackground: Bool, _ progress: @escaping @Sendable (BuildProgress) -> Void) throws {
        if let generation = try slot.pointedAtStart() {
            slot.serve(generation)
            if inBackground { wake() } else { applyPending() }
            if !log.isReadOnly { removeUnused(but: generation.folder.name) }
            return
        }
        if let refusal = slot.replacement {
            logger.warning(
                "views are not served\(log.keepsViews ? ", but built anew" : "")",
                metadata: ["group": "\(configuration.name)", "reason": "\(refusal)"])
        }
        guard log.keepsViews else { return }
        // Another process has tried that a moment ago.
        if let error = delay.error(at: now) { return slot.report(GroupFault(error, delay, at: now)) }
        slot.report(BuildProgress(stage: .reading, done: 0, total: 0))
        beginRebuild(reason: slot.replacement ?? "there are none", progress)
    }

    /// Merges what the log has beyond the views.
    ///
    /// A fault of a projection stops the group: it stays at its position until `catchUp` retries, or a newer version of
    /// the projection is opened. Any other failure is logged and leads to a rebuild: the log is the truth.
    ///
    /// Blocks for the medium: it is called on the group's thread.
    public func applyPending() { applyPending(isHeld: isHeld) }

    /// As `applyPending`, also while updates are deferred.
    package func applyHeldBack() { applyPending(isHeld: false) }

    private func applyPending(isHeld: Bool) {
        guard !isHeld, log.keepsViews, !isStopped, slot.serving != nil else { return }
        // A read-only opener marks views as written to only if there is something to write.
        if log.isReadOnly, !isFaultKnown, !others.isBeyondViews { return }
        let start = Date()
        // Read before, so that later changes do not count as applied.
        let count = try? log.changeCount()
        var hasChanged = false
        defer { if hasChanged { signal.raise() } }
        do {
            try applyToServing { events in
                hasChanged = true
                applied.increment(by: events)
            }
            if isFaultKnown { clear() }
            others.noteApplied(upTo: count)
            duration.recordSeconds(Date().timeIntervalSince(start))
        } catch is GenerationRetired {
            // The process that retired it ended before it named a successor, or has removed that since.
            beginRebuild(reason: "they were retired, and none serve in their place")
        } catch let error as ProjectionError where error.code == .outdated {
            // No failure. The present views are served until the rebuilt ones are there.
            beginRebuild(reason: "what they were built from was erased in part, or counts otherwise")
        } catch {
            logger.error(
                "views could not be brought up to date",
                metadata: ["group": "\(configuration.name)", "error": "\(error)"])
            report(error)
            hasChanged = true
            // Also after a projection's fault, because it may have failed at a damaged view; but only once.
            beginRebuild(reason: "applying failed", mayBeDamaged: Self.speaksOfDamage(error))
            isStopped = error is ProjectionFault
        }
    }

    /// Merges what the log has beyond the views into the serving generation, or into its successor if another process
    /// retires it meanwhile. Throws `GenerationRetired` if that happens again and again, or if there is no successor.
    private func applyToServing(_ didApply: (_ events: Int) -> Void) throws {
        for _ in 0..<Self.mostAttempts {
            // Advances to the successor.
            try slot.read { _ in }
            guard let generation = slot.serving else { return }
            if generation.folder.path != marked {
                // Also a generation that another process built, and left as cleanly closed.
                try generation.folder.markOpen()
                marked = generation.folder.path
            }
            do {
                return try generation.applyPending(
                    from: log, projections: configuration.projections, didApply: didApply)
            } catch is GenerationRetired {}
        }
        throw GenerationRetired()
    }

    /// The generation to apply commits to before they are durable, and the thread for it; nil in any unusual state,
    /// which the ordinary path handles.
    func readyToApplyAhead() -> (Generation, WorkerThread)? {
        guard !isHeld, log.keepsViews, !isStopped, !isFaultKnown, let generation = slot.serving,
            generation.folder.path == marked
        else { return nil }
        let worker = aheadWorker ?? WorkerThread(name: "tripstore.views")
        aheadWorker = worker
        return (generation, worker)
    }

    /// Records a speculative apply of some events, after which the log has a certain change count.
    nonisolated func noteAppliedAhead(_ events: Int, upTo count: Int, since start: Date) {
        applied.increment(by: events)
        others.noteApplied(upTo: count)
        duration.recordSeconds(Date().timeIntervalSince(start))
    }

    /// Whether an error may come from views with a broken structure.
    private static func speaksOfDamage(_ error: any Error) -> Bool {
        switch error {
        case let error as StorageError: error.code == .damaged || error.code == .inputOutput
        case let error as ProjectionError: error.code == .damaged
        case is WireError: true
        default: false
        }
    }

    /// Waits until the views show everything up to a position, through a rebuild if one is in progress.
    ///
    /// If nothing is served, and building failed a moment ago, it is retried only if `isRequested`.
    ///
    /// Throws the failure that stops the views from getting there.
    public func settle(at position: Position, isRequested: Bool = false) async throws {
        if let rebuild { try await rebuild.value }
        if slot.isClosed { throw ProjectionError.closed }
        isStopped = false
        if slot.serving == nil && log.keepsViews {
            if !isRequested, let error = delay.error(at: now) {
                throw ProjectionError.notBuilt(for: error, nextAttempt: GroupFault(error, delay, at: now).nextAttempt)
            }
            beginRebuild(reason: "nothing is served", isRequested: isRequested)
        }
        var reached = Position.start
        for _ in 0..<Self.mostAttempts {
            applyHeldBack()
            if let rebuild { try await rebuild.value }
            reached = try slot.read { $0.position }
            if reached >= position { return }
            // Another process may have replaced the updated generation by its own, or something more was erased. A
            // fault stays.
            if isFaultKnown || isStopped { break }
        }
        throw ProjectionError(
            slot.fault?.view == nil ? .failed : .projectionFailed,
            "The views stand at position \(reached) and did not reach \(position)."
                + (slot.fault.map { " \($0)" } ?? ""))
    }

    /// Updates the views soon, on the group's thread, without waiting.
    public nonisolated func wake() {
        // A reader has nothing to apply, and the job would keep its store open for a moment after its owner released
        // it.
        guard log.keepsViews else { return }
        guard
            wakes.withLock({ isWaking in
                defer { isWaking = true }
                return !isWaking
            })
        else { return }
        worker.perform { [weak self] in
            guard let self else { return }
            wakes.withLock { $0 = false }
            assumeIsolated { $0.applyPending() }
        }
    }

    /// A fault is recorded beside the log, so that programs without the group's projections can show it.
    private func report(_ error: any Error) {
        let fault = GroupFault(error, delay, at: now)
        guard slot.fault != fault else { return }
        slot.report(fault)
        // A read-only opener keeps it to itself.
        guard !log.isReadOnly else { return }
        hasNote.store(true, ordering: .releasing)
        try? log.setViewNote(GroupFault.note(configuration.name), fault.encoded())
    }

    /// Clears the fault that stopped the group.
    func resume() {
        isStopped = false
        clear()
    }

    private func clear() {
        delay.reset()
        slot.clearFault()
        guard log.keepsViews, hasNote.load(ordering: .acquiring) else { return }
        try? log.setViewNote(GroupFault.note(configuration.name), nil)
        hasNote.store(false, ordering: .releasing)
    }

    /// Whether there is a fault: here, or beside the log.
    nonisolated var isFaultKnown: Bool { slot.fault != nil || hasNote.load(ordering: .acquiring) }

    /// Waits for the group's current work.
    func awaitTurn() {}

    /// Unless one is in progress, or one failed a moment ago and none was requested.
    private func beginRebuild(
        reason: String, isRequested: Bool = false, mayBeDamaged: Bool = false,
        _ progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
    ) {
        guard rebuild == nil, !slot.isClosed, isRequested || delay.next(at: now) == nil else { return }
        logger.debug("views are rebuilt", metadata: ["group": "\(configuration.name)", "reason": "\(reason)"])
        rebuild = Task {
            do {
                _ = try await replace(mayBeDamaged: mayBeDamaged) { [slot] in
                    if slot.serving == nil { slot.report($0) }
                    progress($0)
                }
                // For changes of another process right after the swap no rebuild was begun, because this one was in
                // progress.
                rebuild = nil
                applyPending()
            } catch let error as ProjectionError where error.code == .closed {
                rebuild = nil
                throw error
            } catch {
                logger.error(
                    "the views could not be rebuilt", metadata: ["group": "\(configuration.name)", "error": "\(error)"])
                rebuild = nil
                // A failing projection stops the group until a retry is requested.
                if !(error is ProjectionFault) { delay.note(error, at: now) }
                report(error)
                slot.report(nil)
                signal.raise()
                throw error
            }
        }
    }

    /// Syncs the views, so that they need not be rebuilt after the machine restarts. The group is not used afterwards.
    ///
    /// Reads then throw `ProjectionError.closed`, and so does a rebuild in progress.
    public func close() {
        defer {
            slot.close()
            signal.raise()
        }
        guard let generation = slot.serving, log.keepsViews else { return }
        do {
            try generation.environment.sync()
            try generation.folder.markCleanIfAlone()
        } catch {
            logger.warning("the views could not be synced", metadata: ["error": "\(error)"])
            // No later sync brings to the medium what this one did not.
            generation.folder.removeMark()
        }
    }
}
