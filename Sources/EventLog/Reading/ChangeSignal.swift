import Synchronization

/// Wakes waiting tasks when something changes; each goes at its own pace and none delays another.
///
/// Changes of this process raise it at once. Changes of other processes are found by polling a number in the map, at an
/// interval and only while there is a watcher.
package final class ChangeSignal: Sendable {
    private struct State {
        var tick: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<UInt64?, Never>] = [:]
        var nextWaiter: UInt64 = 0
        var watchers = 0
        var poller: Task<Void, Never>?
    }

    private let state = Mutex(State())
    private let interval: Duration
    private let hasChanged: @Sendable () async -> Bool

    /// `hasChanged` is called at the interval: whether another process changed something since the last call.
    package init(every interval: Duration = .milliseconds(40), _ hasChanged: @escaping @Sendable () async -> Bool) {
        self.interval = interval
        self.hasChanged = hasChanged
    }

    /// Grows with every change.
    package var tick: UInt64 { state.withLock { $0.tick } }

    /// Signals a change.
    package func raise() {
        let (waiters, tick) = state.withLock { state in
            state.tick += 1
            defer { state.waiters = [:] }
            return (state.waiters, state.tick)
        }
        for waiter in waiters.values { waiter.resume(returning: tick) }
    }

    /// Waits until something changes beyond a tick, and returns the newest; nil if the task is cancelled.
    package func wait(after tick: UInt64) async -> UInt64? {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Resumed outside the lock.
                let newer: UInt64?? = state.withLock { state in
                    if Task.isCancelled { return .some(nil) }
                    if state.tick > tick { return state.tick }
                    state.waiters[id] = continuation
                    return nil
                }
                if let newer { continuation.resume(returning: newer) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: nil)
        }
    }

    /// Polls for other processes' changes as long as the result is retained.
    package func watch() -> Watch { Watch(self) }

    /// Keeps the polling alive.
    package final class Watch: Sendable {
        private let signal: ChangeSignal

        init(_ signal: ChangeSignal) {
            self.signal = signal
            signal.beginWatching()
        }

        deinit { signal.endWatching() }
    }

    private func beginWatching() {
        state.withLock { state in
            state.watchers += 1
            guard state.poller == nil else { return }
            // Weak: a poller that is cancelled while it sleeps must not keep a log open that its owner has released.
            state.poller = Task.detached { [weak self, interval] in
                while !Task.isCancelled {
                    do { try await Task.sleep(for: interval, tolerance: interval / 4) } catch { return }
                    guard let self else { return }
                    if await hasChanged() { raise() }
                }
            }
        }
    }

    private func endWatching() {
        state.withLock { state in
            state.watchers -= 1
            guard state.watchers == 0 else { return }
            state.poller?.cancel()
            state.poller = nil
        }
    }
}
