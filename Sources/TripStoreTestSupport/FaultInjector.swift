import Synchronization
public import TripStore

/// Makes a store fail and wait on demand, for tests of how an app reacts.
///
/// ```swift
/// let faults = FaultInjector()
/// let store = try await TripStore.temporary(options: .init(interceptor: faults))
/// faults.failWrites(with: MyError(), times: 1)
/// ```
///
/// Nothing is done halfway: a failing write writes nothing, a waiting one has not begun.
public final class FaultInjector: StoreInterceptor {
    private struct State {
        var writeFaults: [any Error] = []
        var readFaults: [any Error] = []
        var delay: Duration?
        var isHolding = false
        var held: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var writes = 0
        var reads = 0
    }

    private let state = Mutex(State())
    private let clock: any Clock<Duration>

    /// Delays use a clock, which a test may pass.
    public init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

    /// The next writes throw an error.
    public func failWrites(with error: any Error, times: Int = 1) {
        state.withLock { $0.writeFaults += Array(repeating: error, count: times) }
    }

    /// The next queries throw an error. A live query that throws has ended; a `LiveModel` reads again.
    public func failReads(with error: any Error, times: Int = 1) {
        state.withLock { $0.readFaults += Array(repeating: error, count: times) }
    }

    /// Every write waits that long before it begins; nil ends that.
    public func delayWrites(by delay: Duration?) { state.withLock { $0.delay = delay } }

    /// Defers writes from now on until they are released.
    public func holdWrites() { state.withLock { $0.isHolding = true } }

    /// Releases deferred writes, and no longer defers new ones.
    public func releaseWrites() {
        let held = state.withLock { state in
            state.isHolding = false
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    /// Waits until that many writes are deferred: for the moment at which an app shows that it is saving.
    public func untilHeld(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.held.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// The number of attempted writes, failed ones included.
    public var writes: Int { state.withLock { $0.writes } }

    /// The number of attempted queries, failed ones included.
    public var reads: Int { state.withLock { $0.reads } }

    package func willWrite() async throws {
        let delay = state.withLock { state in
            state.writes += 1
            return state.delay
        }
        if let delay { try await Self.sleep(delay, clock) }
        await hold()
        if let fault = state.withLock({ $0.writeFaults.isEmpty ? nil : $0.writeFaults.removeFirst() }) { throw fault }
    }

    package func willRead() throws {
        let fault: (any Error)? = state.withLock { state in
            state.reads += 1
            return state.readFaults.isEmpty ? nil : state.readFaults.removeFirst()
        }
        if let fault { throw fault }
    }

    private func hold() async {
        await withCheckedContinuation { continuation in
            let (isHeld, reached) = state.withLock { state in
                guard state.isHolding else { return (false, [CheckedContinuation<Void, Never>]()) }
                state.held.append(continuation)
                let reached = state.watchers.filter { $0.count <= state.held.count }.map(\.continuation)
                state.watchers.removeAll { $0.count <= state.held.count }
                return (true, reached)
            }
            for watcher in reached { watcher.resume() }
            if !isHeld { continuation.resume() }
        }
    }

    private static func sleep<C: Clock>(_ delay: Duration, _ clock: C) async throws where C.Duration == Duration {
        try await clock.sleep(until: clock.now.advanced(by: delay), tolerance: nil)
    }
}

extension TripStore.Options {
    /// Options of a store that fails and waits as an injector says.
    public init(interceptor: FaultInjector) {
        self.init()
        self = intercepted(by: interceptor)
    }
}
