public import EventLog
import Foundation

/// Waiting until the views show a position.
extension ProjectionGroup {
    /// Waits until queries show everything up to a position. Beside a writer it waits for that writer; otherwise it
    /// updates the views itself, and retries what failed, unless nothing is served and the failure was a moment ago.
    ///
    /// Throws the failure that stops the views from getting there.
    public nonisolated func awaitPosition(_ position: Position) async throws {
        let watch = log.keepsViews ? nil : signal.watch()
        while true {
            let tick = signal.tick
            if (try? isCaughtUp(to: position)) == true {
                // The job that updated the views clears a fault right after it.
                if log.keepsViews && isFaultKnown { await awaitTurn() }
                return
            }
            guard !log.keepsViews else { return try await catchUp(to: position) }
            guard await signal.wait(after: tick) != nil else { throw CancellationError() }
            withExtendedLifetime(watch) {}
        }
    }

    /// Whether the views show everything up to a position, and nothing that was erased since.
    private nonisolated func isCaughtUp(to position: Position) throws -> Bool {
        let checkpoint = try read { $0.checkpoint }
        return try checkpoint.position >= position && log.read { try !checkpoint.isOutdated(by: $0) }
    }

    /// Waits until the views show everything up to a position, through a rebuild if one is in progress.
    ///
    /// If nothing is served, and building failed a moment ago, it is retried only if `isRequested`.
    ///
    /// Throws the failure that stops the views from getting there, or `CancellationError` if the task is cancelled; a rebuild goes
    /// on then, for others may wait for it.
    public func catchUp(to position: Position, isRequested: Bool = false) async throws {
        if let rebuild { try await rebuild.valueUnlessCancelled }
        if slot.isClosed { throw ProjectionError.closed }
        try slot.checkNotSuspended()
        isStopped = false
        if slot.serving == nil && log.keepsViews {
            if !isRequested, let error = recentFailure {
                throw ProjectionError.notBuilt(for: error, nextAttempt: GroupFault(error, delay, at: now).nextAttempt)
            }
            beginRebuild(reason: "nothing is served", isRequested: isRequested)
        }
        var reached = Position.start
        for _ in 0..<Self.mostAttempts {
            applyDeferred()
            if let rebuild { try await rebuild.valueUnlessCancelled }
            reached = try slot.read { $0.position }
            if reached >= position { return }
            // Another process may have replaced the updated generation by its own. A fault stays.
            if isFaultKnown || isStopped { break }
        }
        throw ProjectionError(
            slot.fault?.view == nil ? .failed : .projectionFailed,
            "The views stand at position \(reached) and did not reach \(position)."
                + (slot.fault.map { " \($0)" } ?? ""))
    }

    /// Waits for the group's current work.
    func awaitTurn() {}
}
