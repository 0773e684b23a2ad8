import EventLog
import LMDB

extension ProjectionGroup {
    /// Syncs the views and closes their files, until `resumeServing`. Reads throw `StorageError.suspended` meanwhile. A rebuild in progress has ended
    /// when this returns, and begins anew then: the log's flag, which is set, ends it.
    ///
    /// Throws `StorageError.timedOut` if a read does not end in time, and `CancellationError` if the task was cancelled: then nothing was closed.
    func suspend(by deadline: ContinuousClock.Instant) async throws {
        if let rebuild { _ = await rebuild.result }
        // Also one that is not the group's own.
        try? await builder.run {}
        // The store may have given it up, and resumed the group.
        try Task.checkCancellation()
        guard let generation = slot.suspend(log.path) else { return }
        marked = nil
        sync(generation)
        try generation.environment.suspend(by: deadline)
    }

    /// Serves again, all that the log has by now. Of a group that is not suspended only the files are opened, if another user of this process
    /// has closed them.
    func resumeServing() {
        // Wakes all waiters, which try again, also after a suspension that failed.
        defer { signal.raise() }
        guard slot.isSuspended else {
            try? slot.serving?.environment.resume()
            // A suspension that failed before it came to this group has ended a build all the same.
            guard slot.serving == nil, slot.fault == nil, log.keepsViews else { return wake() }
            return beginRebuild(reason: "none are served")
        }
        slot.beginResuming()
        // In the background, as it were: a failure is the group's fault, and throws nothing.
        try? start(inBackground: true)
        applyPending()
        slot.endSuspension()
    }
}
