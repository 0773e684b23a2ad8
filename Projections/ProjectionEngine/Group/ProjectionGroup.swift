public import EventLog
import LMDB
public import Logging
import Metrics
import Synchronization

/// The projection actor of a group of projections: builds their views from the log, keeps them up to date, and serves
/// queries.
///
/// **Isolation.** Every change of the views begins and ends on the actor: applying commits, swapping rebuilds, recording
/// faults. Its mutable state is isolated; what queries need (`slot`, `feed`, `reader`) is immutable here and
/// guards itself, so that queries take no actor hop (see `read`). The actor's executor is a thread that may block:
///
/// - the log writer's thread, so that views are up to date when an append returns; or
/// - a thread of its own, so that appends do not wait for the views.
///
/// Work that takes long leaves that thread: commits are applied speculatively on another one while the log's writer
/// syncs them (`applySpeculatively`), and rebuilds run on a third, beside the serving generation.
///
/// **Changes, across tasks and processes.** Three parts work together:
///
/// 1. A batch of commits writes rows, checkpoint and the keys that it changed in one transaction of the views'
///    environment. The changed keys form a ring there (`Invalidation`; `ViewChanges` computes them), the same for every
///    process that has the environment open.
/// 2. Each process has one `ChangeFeed` per group. Before a cached result is returned or a live query is checked, it
///    compares the environment's newest transaction number with the last one that it has seen. If there are new batches,
///    it reads them from the ring, and drops exactly the cached results whose read sets (`ReadSet`) hold a changed key. If
///    the ring no longer reaches back far enough, or another generation serves, it begins a new epoch and drops all.
/// 3. `signal` wakes the tasks that wait for a change. This process raises it after each batch; changes by other
///    processes are found by polling transaction numbers while there are waiters (`OtherProcesses`). Each woken task asks
///    the feed whether its own read set was hit, and runs its query again only then.
///
/// So a result is never older than the views at the time of the call, in whichever process they were changed. Commits that
/// another process appended and left unapplied are applied here, by the same actor, when a query or the poll finds them.
public actor ProjectionGroup {
    public nonisolated var unownedExecutor: UnownedSerialExecutor { worker.asUnownedSerialExecutor() }

    nonisolated let configuration: GroupConfiguration
    nonisolated let log: Log
    nonisolated let slot: GenerationSlot
    nonisolated let logger: Logger
    nonisolated let worker: WorkerThread
    nonisolated let builder = WorkerThread(name: "tripstore.builder")
    /// The thread for speculative applies; created on first use.
    var speculativeWorker: WorkerThread?
    nonisolated let feed: ChangeFeed
    /// The reader through which queries read the group's views.
    public nonisolated let reader: ViewReader
    /// Raised when this process has changed the views, and when it detects that another has.
    package nonisolated let signal: ChangeSignal
    nonisolated let others: OtherProcesses
    nonisolated let wakes = Mutex(false)
    nonisolated let deferrals = Mutex(0)
    var rebuild: Task<Void, any Error>?
    /// Whether a projection's fault has stopped the group.
    var isStopped = false
    /// Whether a fault, perhaps of an earlier run, is recorded beside the log.
    nonisolated let hasNote = Atomic(false)
    /// The folder of the generation that is known to be marked as written to.
    var marked: String?
    /// What makes sure that generations have the views that the group wants beside its own.
    nonisolated let attaching = AttachingState()
    /// The delay before a failed rebuild is retried.
    var delay = RebuildDelay()
    var now: Int64 { log.ownDependencies.now() }
    nonisolated let applied = Counter(label: "tripstore.views.events")
    nonisolated let duration = Metrics.Timer(label: "tripstore.views.batch.duration")

    /// `worker` is the thread on which views are applied; nil for the log writer's.
    public init(_ configuration: GroupConfiguration, log: Log, logger: Logger, worker: WorkerThread? = nil) {
        self.configuration = configuration
        self.log = log
        self.logger = logger
        self.worker = worker ?? log.worker
        let group = WeakGroup()
        let slot = GenerationSlot(configuration, log, group)
        let feed = ChangeFeed(slot, cacheLimit: configuration.cacheLimit)
        self.slot = slot
        self.feed = feed
        let others = OtherProcesses(log, slot)
        self.others = others
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
            attaching.note(progress)
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
        if let error = recentFailure { return slot.report(GroupFault(error, delay, at: now)) }
        slot.report(BuildProgress(stage: .reading, done: 0, total: 0))
        beginRebuild(reason: slot.replacement ?? "there are none", progress)
    }

    /// Syncs the views, so that they need not be rebuilt after the machine restarts. The group is not used afterwards.
    ///
    /// Reads then throw `ProjectionError.closed`, and so does a rebuild in progress.
    public func close() {
        rebuild?.cancel()
        defer {
            slot.close()
            signal.raise()
        }
        if let generation = slot.serving { sync(generation) }
    }

    /// Makes sure that views need not be rebuilt after the machine restarts.
    func sync(_ generation: Generation) {
        // A suspension has synced them.
        guard log.keepsViews, !generation.environment.isSuspended else { return }
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
