import Synchronization

extension WorkerThread {
    /// Runs a job that looks now and then whether the caller's task was cancelled: on its thread there is no task to ask. A job that reads a
    /// log for long ends when that is suspended, too.
    ///
    /// Throws what the job throws: of `CancellationFlag.check`, a `CancellationError` or `StorageError.suspended`.
    package func run<T: Sendable>(
        unless suspension: SuspensionFlag? = nil,
        cancellable job: @escaping @Sendable (_ flag: CancellationFlag) throws -> T
    ) async throws -> T {
        let flag = CancellationFlag(suspension)
        return try await withTaskCancellationHandler {
            try await run {
                // It may have waited for others.
                try flag.check()
                return try job(flag)
            }
        } onCancel: {
            flag.raise()
        }
    }
}

/// Says that a job is to be given up.
package final class CancellationFlag: Sendable {
    private let isRaised = Atomic(false)
    private let suspension: SuspensionFlag?

    package init(_ suspension: SuspensionFlag? = nil) { self.suspension = suspension }

    package func raise() { isRaised.store(true, ordering: .releasing) }

    /// Throws `CancellationError` once the flag was raised, and `StorageError.suspended` while a log is suspended. Takes no longer than two
    /// reads of memory.
    package func check() throws {
        if isRaised.load(ordering: .acquiring) { throw CancellationError() }
        try suspension?.check()
    }
}

extension Task where Failure == any Error {
    /// The task's value; or a `CancellationError` as soon as the task that waits is cancelled, and this one goes on.
    package var valueUnlessCancelled: Success {
        get async throws {
            let outcome = FirstOutcome<Success>()
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    guard outcome.register(continuation) else { return }
                    Task<Void, Never> { outcome.set(await self.result) }
                }
            } onCancel: {
                outcome.cancel()
            }
        }
    }
}

extension Task where Failure == any Error {
    /// The task's value; nil if it has none at a time, and goes on.
    package func value(by deadline: ContinuousClock.Instant) async throws -> Success? {
        try await withThrowingTaskGroup(of: Success?.self) { race in
            race.addTask { try await valueUnlessCancelled }
            race.addTask {
                try? await ContinuousClock().sleep(until: deadline)
                return nil
            }
            defer { race.cancelAll() }
            return try await race.next() ?? nil
        }
    }
}

/// The first of two outcomes, handed to the one who waits.
private final class FirstOutcome<Value: Sendable>: Sendable {
    private struct State {
        var waiting: CheckedContinuation<Value, any Error>?
        var isSet = false
    }

    private let state = Mutex(State())

    /// Returns whether an outcome is still to come; if one came before, the continuation was cancelled with it.
    func register(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
        let isSet = state.withLock { state in
            if !state.isSet { state.waiting = continuation }
            return state.isSet
        }
        // Nothing but a cancellation comes before anybody waits.
        if isSet { continuation.resume(throwing: CancellationError()) }
        return !isSet
    }

    func cancel() { set(.failure(CancellationError())) }

    func set(_ outcome: Result<Value, any Error>) {
        let waiting = state.withLock { state in
            state.isSet = true
            return state.waiting.take()
        }
        waiting?.resume(with: outcome)
    }
}
