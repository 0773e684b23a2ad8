import EventLog
public import LogExchange
import Synchronization

/// Keeps a store in sync with a server, as long as this or an iterator of it is retained, or until it is stopped.
///
/// ```swift
/// let sync = store.stayInSync(with: server)
/// for await state in sync { show(state) }
/// ```
///
/// It is a sequence of states: each iterator gets the present one at once, then the newest whenever it changes; states that pass while
/// its consumer is busy are skipped. It ends when the sync has stopped, or when the consumer's task is cancelled, which stops the
/// sync only if nothing else retains it.
public final class StoreSync: AsyncSequence, Sendable {
    private let engine: SyncEngine
    private let task: Task<Void, Never>

    init(_ engine: SyncEngine) {
        self.engine = engine
        // It retains the engine and not this object, so that it ends with it.
        task = Task { [engine] in await engine.run() }
    }

    deinit { task.cancel() }

    /// The present state.
    public var state: SyncState { engine.states.state }

    /// Tries at once to connect, whatever was waited for. A connection that stands is probed, and given up if the server does not respond
    /// within some seconds: call it when the network has changed, or an app comes to the foreground.
    public func retryNow() { engine.retries.raise() }

    /// Disconnects, and returns when nothing is under way any more.
    public func stop() async {
        task.cancel()
        await task.value
    }

    public func makeAsyncIterator() -> some AsyncIteratorProtocol<SyncState, Never> { Iterator(self) }

    /// One consumer of the states.
    struct Iterator: AsyncIteratorProtocol {
        private let sync: StoreSync
        private var last: SyncState?

        init(_ sync: StoreSync) { self.sync = sync }

        mutating func next(isolation actor: isolated (any Actor)?) async -> SyncState? {
            let states = sync.engine.states
            while !Task.isCancelled {
                let tick = states.signal.tick
                let state = states.state
                if state != last {
                    last = state
                    return state
                }
                if case .stopped = state { return nil }
                guard await states.signal.wait(after: tick) != nil else { return nil }
            }
            return nil
        }
    }
}

/// The present state, for any number of observers.
final class SyncStates: Sendable {
    /// Raised after each change.
    let signal = ChangeSignal { false }
    private let current = Mutex(SyncState.connecting)

    var state: SyncState { current.withLock { $0 } }

    func set(_ state: SyncState) {
        let isNew = current.withLock { current in
            // Nothing follows the end.
            if case .stopped = current { return false }
            defer { current = state }
            return current != state
        }
        if isNew { signal.raise() }
    }
}

extension TripStore {
    /// Stays in sync with a server: pushes each commit as it is written, takes those of others as they come, and connects again
    /// whenever the connection is lost. Live queries follow.
    ///
    /// It begins at once and goes on as long as the result, or an iterator of it, is retained. It holds the store. Nothing that happens
    /// to the connection puts at risk what is written here: see `SyncState`.
    public func stayInSync(with connector: any FrameConnector, options: SyncOptions = SyncOptions()) -> StoreSync {
        StoreSync(SyncEngine(self, connector, options))
    }
}
