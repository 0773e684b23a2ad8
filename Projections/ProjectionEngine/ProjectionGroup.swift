public import EventLog
import Events
import Foundation
import LMDB
public import Logging
import Metrics

/// A group of projections: builds their views from the log, keeps them up with it, and serves queries.
///
/// The actor runs on the thread of the log's writer, so that views are up to date when an append returns; rebuilds run
/// on a thread of their own, beside the serving generation. Queries take no actor hop: see `read`.
public actor ProjectionGroup {
    public nonisolated var unownedExecutor: UnownedSerialExecutor { log.worker.asUnownedSerialExecutor() }

    nonisolated let configuration: GroupConfiguration
    nonisolated let log: Log
    nonisolated let slot: GenerationSlot
    nonisolated let logger: Logger
    nonisolated let builder = WorkerThread(name: "tripstore.builder")
    private var observer: (@Sendable (Invalidation) -> Void)?
    private var rebuild: Task<Void, any Error>?
    private let applied = Counter(label: "tripstore.views.events")
    private let duration = Metrics.Timer(label: "tripstore.views.batch.duration")

    public init(_ configuration: GroupConfiguration, log: Log, logger: Logger) {
        self.configuration = configuration
        self.log = log
        self.logger = logger
        slot = GenerationSlot(configuration, log)
    }

    /// Is told of every batch that this process applies, on the group's thread, before those who appended go on.
    public func observe(_ observer: (@Sendable (Invalidation) -> Void)?) { self.observer = observer }

    /// Serves the generation that the log points to and brings it up to date; without one that is intact, begins to
    /// build one.
    ///
    /// `progress` is told how that goes on. Throws `LMDBError` and `EventLogError`.
    public func start(_ progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }) throws {
        if let generation = try slot.pointed() {
            if !log.isReadOnly { try generation.folder.markOpen() }
            slot.serve(generation)
            applyPending()
            if !log.isReadOnly { removeUnused(but: generation.folder.name) }
        } else if !log.isReadOnly {
            slot.report(BuildProgress(stage: .reading, done: 0, total: 0))
            beginRebuild(reason: "no intact generation", progress)
        }
    }

    /// Merges what the log has beyond the views. A failure is logged and leads to a rebuild: the log is the truth.
    ///
    /// Waits for the medium: it is called on the group's thread.
    public func applyPending() {
        guard !log.isReadOnly, slot.serving != nil else { return }
        let start = Date()
        do {
            // A look first: another process may have put a rebuilt generation in the place of this one.
            try slot.read { _ in }
            guard let generation = slot.serving else { return }
            try generation.applyPending(from: log, projections: configuration.projections) { invalidation, events in
                applied.increment(by: events)
                observer?(invalidation)
            }
            duration.recordSeconds(Date().timeIntervalSince(start))
        } catch {
            logger.error("views could not be brought up to date", metadata: ["error": "\(error)"])
            slot.report(fault: "\(error)")
            beginRebuild(reason: "applying failed")
        }
    }

    /// Waits until the views show everything up to a position, through a rebuild if one is going on.
    ///
    /// Throws what stops the views from getting there.
    public func settle(at position: Position) async throws {
        if let rebuild { try await rebuild.value }
        applyPending()
        if let rebuild { try await rebuild.value }
        let reached = try slot.read { $0.position }
        guard reached >= position else {
            throw ProjectionError(
                .failed,
                "The views stand at position \(reached) and did not reach \(position)."
                    + (slot.fault.map { " \($0)" } ?? ""))
        }
    }

    private func beginRebuild(
        reason: String, _ progress: @escaping @Sendable (BuildProgress) -> Void = { _ in }
    ) {
        guard rebuild == nil else { return }
        logger.debug("views are rebuilt", metadata: ["group": "\(configuration.name)", "reason": "\(reason)"])
        rebuild = Task {
            defer { rebuild = nil }
            do {
                _ = try await replace { [slot] in
                    if slot.serving == nil { slot.report($0) }
                    progress($0)
                }
            } catch {
                logger.error("the views could not be rebuilt", metadata: ["error": "\(error)"])
                slot.report(fault: "\(error)")
                slot.report(nil)
                throw error
            }
        }
    }

    /// Puts a finished generation in the place of the one that serves.
    func swap(to generation: Generation) throws {
        try generation.applyPending(from: log, projections: configuration.projections) { invalidation, _ in
            observer?(invalidation)
        }
        try generation.environment.sync()
        var previous = slot.serving
        try log.setNote(configuration.pointer, Array(generation.folder.name.utf8))
        slot.serve(generation)
        // Another process may have gone on with the old one a moment longer.
        applyPending()
        try? previous?.retire()
        previous = nil
        removeUnused(but: generation.folder.name)
    }

    /// Removes what earlier rebuilds, also those that were cut off, left behind and nobody uses.
    private func removeUnused(but serving: String) {
        builder.perform { [configuration] in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: configuration.folder)) ?? []
            for name in names where name.hasPrefix(configuration.fingerprint) && name != serving {
                GenerationFolder.removeIfUnused(configuration.path(name))
            }
        }
    }

    /// Syncs the views, so that they need not be rebuilt after the machine restarts. The group is not used afterwards.
    public func close() {
        guard let generation = slot.serving, !log.isReadOnly else { return }
        do {
            try generation.environment.sync()
            try generation.folder.markCleanIfAlone()
        } catch {
            logger.warning("the views could not be synced", metadata: ["error": "\(error)"])
        }
        slot.serve(nil)
    }
}
