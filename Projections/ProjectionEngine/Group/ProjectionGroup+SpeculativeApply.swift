package import EventLog
import Foundation
import LMDB
import Metrics

extension ProjectionGroup {
    /// Begins to update the views with commits that a transaction of the log has written and not synced yet; nil if
    /// that has to wait until they are durable.
    ///
    /// Called on the group's thread, which is the writer's, and concluded there: so no other work of the group runs
    /// meanwhile.
    package nonisolated func applySpeculatively(_ copies: CommitCopies, _ log: borrowing LogSnapshot) -> (
        any CommitStep
    )? {
        guard self.worker === self.log.worker,
            let (generation, worker) = assumeIsolated({ $0.readyToApplySpeculatively() }),
            let checkpoint = try? generation.environment.read({ try generation.checkpoint($0) }),
            !checkpoint.isRetired, checkpoint.position == copies.start, (try? checkpoint.agrees(with: log)) == true,
            // The count after the current transaction: no other can come before it.
            let count = try? self.log.changeCount() + 1
        else { return nil }
        return SpeculativeApply(on: worker) { isDurable in
            let start = Date()
            let events = try? generation.apply(copies, after: checkpoint, isDurable)
            guard let events else { return false }
            self.noteSpeculativeApply(events, upTo: count, since: start)
            return true
        } told: { [signal] in
            signal.raise()
        }
    }

    /// The generation to apply commits to before they are durable, and the thread for it; nil in any unusual state,
    /// which the ordinary path handles.
    func readyToApplySpeculatively() -> (Generation, WorkerThread)? {
        guard !isDeferred, log.keepsViews, !isStopped, !isFaultKnown, let generation = slot.serving,
            generation.folder.path == marked, !attaching.isDue(generation, configuration.attached, at: now)
        else { return nil }
        let worker = speculativeWorker ?? WorkerThread(name: "tripstore.views")
        speculativeWorker = worker
        return (generation, worker)
    }

    /// Records a speculative apply of some events, after which the log has a certain change count.
    nonisolated func noteSpeculativeApply(_ events: Int, upTo count: Int, since start: Date) {
        applied.increment(by: events)
        others.noteApplied(upTo: count)
        duration.recordSeconds(Date().timeIntervalSince(start))
    }
}
