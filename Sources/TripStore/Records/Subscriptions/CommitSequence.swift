public import EventLog
import ProjectionEngine

/// The commits of the log after a position, in the order of positions, and then new ones as they arrive.
///
/// A commit is yielded when queries show it, with the old and new values of each event; commits that do not count are
/// yielded too, with the current value of `counts`. Each is yielded once: if commits count later, or no longer, the
/// commit that decides this is yielded, with `hasStatements`. The sequence ends when its task is cancelled. A slow
/// consumer blocks nothing: the commits ahead of it stay in the log.
public struct CommitSequence: AsyncSequence, Sendable {
    private let store: TripStore
    private let start: Position
    private let filter: AuditFilter

    init(_ store: TripStore, after start: Position, _ filter: AuditFilter) {
        self.store = store
        self.start = start
        self.filter = filter
    }

    public func makeAsyncIterator() -> some AsyncIteratorProtocol<AuditedCommit, any Error> {
        Iterator(store, start, filter)
    }

    /// One consumer of the sequence.
    struct Iterator: AsyncIteratorProtocol {
        /// The maximum number of commits, and the approximate maximum of events, read ahead.
        private static let commitsAhead = 64
        private static let eventsAhead = 2048
        /// The maximum number of commits in one read: with a filter that few pass, pages are not held for long.
        private static let commitsLookedAt = 1024

        private let store: TripStore
        private let filter: AuditFilter
        private let watch: ChangeSignal.Watch
        private var position: Position
        private var ahead: ArraySlice<AuditedCommit> = []
        private var hasStarted = false
        /// Prevents others from running the same subscription while this one runs.
        private let lock: SubscriptionLock?
        /// The failure before the first step, or after the commits read ahead.
        private var failure: (any Error)?

        init(
            _ store: TripStore, _ start: Position, _ filter: AuditFilter, lock: SubscriptionLock? = nil,
            failure: (any Error)? = nil
        ) {
            self.store = store
            self.filter = filter
            self.lock = lock
            self.failure = failure
            position = start
            watch = store.views.signal.watch()
        }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> AuditedCommit? {
            if !hasStarted { try store.check(.position(position)) }
            hasStarted = true
            var tick = store.views.signal.tick
            while !Task.isCancelled {
                if let commit = try current() { return commit }
                guard let newer = await store.views.signal.wait(after: tick) else { return nil }
                tick = newer
            }
            return nil
        }

        /// The next available commit, without waiting; nil if there is none.
        mutating func current() throws -> AuditedCommit? {
            while ahead.isEmpty && !Task.isCancelled {
                if let failure { throw failure }
                do {
                    guard try readAhead() else { return nil }
                } catch let error as TripStoreError where error.isPassing {
                    return nil
                }
            }
            return ahead.popFirst()
        }

        /// Reads further; returns whether there was anything to read.
        private mutating func readAhead() throws -> Bool {
            var found: [AuditedCommit] = []
            var events = 0
            var looked = 0
            let start = position
            var reached = start
            do {
                // First, or a store that was closed while it was suspended would be waited for.
                try TripStoreError.wrap { try store.views.checkOpen() }
                if let lock { try TripStoreError.wrap { try lock.check() } }
                try store.withAuditor { auditor, log in
                    try log.forEachCommit(after: start, upTo: auditor.views.position) { stored in
                        let commit = RecordedCommit(stored)
                        if try auditor.passes(commit, filter) {
                            let audited = try auditor.audit(commit, filter)
                            events += audited.events.count
                            found.append(audited)
                        }
                        reached = commit.position
                        looked += 1
                        return found.count < Self.commitsAhead && events < Self.eventsAhead
                            && looked < Self.commitsLookedAt
                    }
                }
            } catch {
                // The commits before a damaged one are yielded first.
                if reached == start { throw error }
                failure = error
            }
            position = reached
            ahead = found[...]
            return reached > start
        }
    }
}

extension TripStore {
    /// The commits after a position, in order, and then new ones as they arrive, from any process or replica.
    ///
    /// Its iteration throws `TripStoreError.Code.unknownPosition` if the log does not reach that far.
    ///
    /// For side effects that must not be lost when the process ends, use `subscription`, which stores its cursor.
    public func commits(after position: Position = .start, _ filter: AuditFilter = AuditFilter()) -> CommitSequence {
        CommitSequence(self, after: position, filter)
    }
}
