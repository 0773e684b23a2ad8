import EventLog
import Events
import Foundation
import LMDB
import Logging
import Metrics
import Platform
import Synchronization

/// Merging the log's commits into the serving views.
extension ProjectionGroup {
    /// Merges what the log has beyond the views.
    ///
    /// A fault of a projection stops the group: it stays at its position until `catchUp` retries, or a newer version of
    /// the projection is opened. Any other failure is logged and leads to a rebuild: the log is the truth.
    ///
    /// Blocks for the medium: it is called on the group's thread.
    public func applyPending() { applyPending(isDeferred: isDeferred) }

    /// As `applyPending`, also while updates are deferred.
    package func applyDeferred() { applyPending(isDeferred: false) }

    private func applyPending(isDeferred: Bool) {
        guard !isDeferred, log.keepsViews, !isStopped, slot.serving != nil else { return }
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
        } catch let error as StorageError where error.code == .suspended {
            // No failure: another user of this process has suspended the log.
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

    /// How often the successor of a generation is looked for that another process retires.
    static let mostAttempts = 8

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
                // The process that built it may not have known the views that this process wants.
                attach(to: generation)
            }
            do {
                try generation.applyPending(from: log, didApply: didApply)
                if attaching.isDue(generation, configuration.attached, at: now) { attach(to: generation) }
                return
            } catch is GenerationRetired {}
        }
        throw GenerationRetired()
    }

    /// Attaches the views that the group wants. Without them queries take longer, and those with a bound (`scanning(atMost:)`) are refused.
    private func attach(to generation: Generation) {
        guard !configuration.attached.isEmpty, !log.isReadOnly else { return }
        defer { attaching.end(at: now) }
        do {
            try generation.attach(configuration.attached) { [attaching] in attaching.report($0) }
        } catch {
            logger.error(
                "indexes could not be made", metadata: ["group": "\(configuration.name)", "error": "\(error)"])
        }
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
}
