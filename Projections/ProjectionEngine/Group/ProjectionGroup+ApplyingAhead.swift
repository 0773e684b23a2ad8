package import EventLog
import Foundation
import LMDB

extension ProjectionGroup {
    /// Begins to update the views with commits that a transaction of the log has written and not synced yet; nil if
    /// that has to wait until they are durable.
    ///
    /// Called on the group's thread, which is the writer's, and concluded there: so no other work of the group runs
    /// meanwhile.
    package nonisolated func applyAhead(_ copies: CommitCopies, _ log: borrowing LogSnapshot) -> (any CommitStep)? {
        guard worker === self.log.worker, let (generation, ahead) = assumeIsolated({ $0.readyToApplyAhead() }),
            let checkpoint = try? generation.environment.read({ try generation.checkpoint($0) }),
            !checkpoint.isRetired, checkpoint.position == copies.start, (try? checkpoint.agrees(with: log)) == true,
            // The count after the current transaction: no other can come before it.
            let count = try? self.log.changeCount() + 1
        else { return nil }
        return ApplyingAhead(on: ahead) { [configuration] isDurable in
            let start = Date()
            let events = try? generation.apply(copies, configuration.projections, after: checkpoint, isDurable)
            guard let events else { return false }
            self.noteAppliedAhead(events, upTo: count, since: start)
            return true
        } told: { [signal] in
            signal.raise()
        }
    }
}
