import EventLog
import ProjectionEngine
import Synchronization

/// Provides the current state inside a write, and updates the views after it.
///
/// The views show the log up to their checkpoint. Later commits, of another process or of the same transaction, are
/// merged on top of them.
final class WriteCoordinator: AppendObserver {
    private let views: ProjectionGroup
    /// Groups that follow by themselves, after commits were acknowledged.
    private let following: [ProjectionGroup]
    // Used on the writer's thread alone; the locks are never contended.
    /// Nil until the transaction needs the state of an entity.
    private let tail = Mutex<LogTail?>(nil)
    /// Whether a writer in the transaction waits to see its commit in the views.
    private let isAwaited = Mutex(false)

    init(_ views: ProjectionGroup, following: [ProjectionGroup]) {
        self.views = views
        self.following = following
    }

    func transactionBegins(_ log: borrowing LogSnapshot) throws {
        tail.withLock { $0 = nil }
        isAwaited.withLock { $0 = false }
    }

    /// Records that a writer in the transaction waits to see its commit in the views.
    func noteWriter() { isAwaited.withLock { $0 = true } }

    func committing(_ commits: CommitCopies, _ log: borrowing LogSnapshot) -> (any CommitStep)? {
        guard let step = views.applySpeculatively(commits, log) else { return nil }
        return Step(step, following)
    }

    /// The group's step, and what else there is to do at the commit.
    private struct Step: CommitStep {
        private let step: any CommitStep
        private let following: [ProjectionGroup]

        init(_ step: any CommitStep, _ following: [ProjectionGroup]) {
            self.step = step
            self.following = following
        }

        func conclude(isDurable: Bool, _ next: @escaping @Sendable () -> Void) -> Bool {
            guard step.conclude(isDurable: isDurable, next) else { return false }
            for group in following { group.wake() }
            return true
        }
    }

    func committed(upTo position: Position) {
        // Even if updates are deferred: a writer sees its own commit, unless it was loaded.
        let isAwaited = isAwaited.withLock { $0 }
        views.assumeIsolated { isAwaited ? $0.applyDeferred() : $0.applyPending() }
        for group in following { group.wake() }
    }

    func received(upTo position: Position) {
        views.assumeIsolated { $0.applyPending() }
        for group in following { group.wake() }
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

    /// The commits that the views lack now.
    private func currentTail(_ log: borrowing LogSnapshot) throws -> LogTail {
        try tail.withLock { tail in
            var current: LogTail
            if let tail {
                current = tail
            } else {
                // Many commits may have arrived while view updates are deferred; merging them here would take much
                // memory.
                if views.isDeferred { views.assumeIsolated { $0.applyDeferred() } }
                // Without servable views there is no state to check against; appends wait for it before they get here.
                current = LogTail(after: views.isServing ? try views.read { $0.position } : try log.lastPosition())
            }
            // A tail whose extension failed is not kept.
            tail = nil
            try current.extend(log)
            tail = current
            return current
        }
    }
}
