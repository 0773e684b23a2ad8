import EventLog
import Events
import ProjectionEngine
import Synchronization

/// Knows, inside a write, the state that it finds; and brings the views up to date after it.
///
/// The views show the log up to their checkpoint. What lies beyond, from another process or from commits that share
/// the transaction, is merged on top of them.
final class WriteCoordinator: AppendObserver {
    private let views: ProjectionGroup
    private let appViews: ProjectionGroup?
    // Used on the writer's thread alone; the locks are never contended.
    /// Nil until the transaction asks for the state of an entity.
    private let tail = Mutex<LogTail?>(nil)
    /// Whether somebody takes part in the transaction who is to see what he wrote.
    private let isAwaited = Mutex(false)

    init(_ views: ProjectionGroup, appViews: ProjectionGroup?) {
        self.views = views
        self.appViews = appViews
    }

    func transactionBegins(_ log: borrowing LogSnapshot) throws {
        tail.withLock { $0 = nil }
        isAwaited.withLock { $0 = false }
    }

    /// Somebody takes part in the transaction who is to see what he wrote when it is committed.
    func noteWriter() { isAwaited.withLock { $0 = true } }

    func committing(_ commits: CommitCopies, _ log: borrowing LogSnapshot) -> (any CommitStep)? {
        guard let step = views.applySpeculatively(commits, log) else { return nil }
        return Step(step, appViews)
    }

    /// What there is to do beside the group's own step.
    private struct Step: CommitStep {
        private let step: any CommitStep
        private let appViews: ProjectionGroup?

        init(_ step: any CommitStep, _ appViews: ProjectionGroup?) {
            self.step = step
            self.appViews = appViews
        }

        func conclude(isDurable: Bool, _ next: @escaping @Sendable () -> Void) -> Bool {
            guard step.conclude(isDurable: isDurable, next) else { return false }
            appViews?.wake()
            return true
        }
    }

    func committed(upTo position: Position) {
        // Also where views are held back: what one wrote one sees, unless it was loaded.
        let isAwaited = isAwaited.withLock { $0 }
        views.assumeIsolated { isAwaited ? $0.applyDeferred() : $0.applyPending() }
        appViews?.wake()
    }

    func received(upTo position: Position) {
        views.assumeIsolated { $0.applyPending() }
        appViews?.wake()
    }

    /// Runs `body` on the state as the transaction sees it.
    ///
    /// Throws `ProjectionError` if there are no views, and what `body` throws.
    func withState<T>(_ log: borrowing LogSnapshot, _ body: (borrowing StateInLog) throws -> T) throws -> T {
        while true {
            let tail = try currentTail(log)
            let result: T? = try views.read { views in
                // The successor of a retired generation may stand behind it: the tail must reach back to where it stands.
                guard tail.start <= views.position else { return nil }
                return try body(StateInLog(views.alias(), tail))
            }
            if let result { return result }
            self.tail.withLock { $0 = nil }
        }
    }

    /// What the log has beyond the views by now.
    private func currentTail(_ log: borrowing LogSnapshot) throws -> LogTail {
        try tail.withLock { tail in
            var current: LogTail
            if let tail {
                current = tail
            } else {
                // Much may have come in that the views were not to show yet; merged here it would have to lie in memory.
                if views.isDeferred { views.assumeIsolated { $0.applyDeferred() } }
                // Without servable views there is no state to check against, and appends wait for it before they come.
                current = LogTail(after: views.isServing ? try views.read { $0.position } : try log.lastPosition())
            }
            // What is extended in vain is not kept.
            tail = nil
            try current.extend(log)
            tail = current
            return current
        }
    }
}
