import EventLog
public import Events
public import Foundation
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

/// The state of a store's continuous sync with a server.
///
/// In every state, local writes stay in the store, and are sent when that is possible.
public enum SyncState: Sendable, Hashable {
    /// The first attempt, or the first after a connection was lost.
    case connecting
    /// Connected, and both sides hold the same: what changes on one is on the other at once.
    case connected
    /// Many commits are under way: `done` of those known so far have been received or sent.
    case catchingUp(done: Int, of: Int)
    /// Connected, and not everything could be exchanged, for example because the clock of a replica is wrong, or the disk of the server full
    /// and attachments wait. The rest is tried again
    /// then, and with the next change.
    case impeded(reason: String, nextTry: Date)
    /// An admin must grant this replica membership; until then its commits count here alone. Commits of others are received if the
    /// server serves it already.
    case needsGrant
    /// There is no connection, since then and for that reason.
    case offline(since: Date, reason: String, nextTry: Date)
    /// That replica revoked this one's membership. Nothing is tried again until the store joins again or `StoreSync.retryNow()` is called.
    case revoked(by: ReplicaID)
    /// The server, or the address, is of another journal.
    case otherJournal(reason: String, nextTry: Date)
    /// The server does not prove to be the right one: a person must look at its address or certificate.
    case notTrusted(reason: String, nextTry: Date)
    /// It has ended: it was stopped, or the store was closed or is open for reading alone.
    case stopped(reason: String)

    /// Whether a connection stands and its requests are served.
    public var isConnected: Bool {
        switch self {
        case .connected, .catchingUp, .impeded: true
        case .connecting, .needsGrant, .offline, .revoked, .otherJournal, .notTrusted, .stopped: false
        }
    }
}

/// How a store stays in sync: the defaults suit an app.
public struct SyncOptions: Sendable {
    /// The delays between attempts to connect.
    public var backoff = Backoff()
    /// The bounds of its connection, and how soon a dead one is noticed.
    package var limits = SessionLimits()
    /// How long after the last change the store acknowledges to the server what it holds.
    package var acknowledgesAfter = Duration.seconds(1)
    /// Time and randomness.
    package var dependencies = SessionDependencies.system

    public init() {}

    /// Delays that grow exponentially, shortened at random so that devices that were cut off together come back one by one.
    public struct Backoff: Sendable, Hashable {
        /// The longest first delay.
        public var first: Duration
        /// The longest delay; also after refusals that a wait may end.
        public var longest: Duration
        /// The delay after a refusal that a person must look into.
        package var afterRefusal: Duration

        public init(
            first: Duration = .seconds(1), longest: Duration = .seconds(60), afterRefusal: Duration = .seconds(900)
        ) {
            self.first = first
            self.longest = longest
            self.afterRefusal = afterRefusal
        }

        /// The delay after a number of failures in a row, which is 1 or more: between half of `first` × 2^(n − 1) and all of it, with
        /// `longest` as the bound; `random` is from 0 to 1.
        func delay(after failures: Int, random: Double) -> Duration {
            let doublings = min(max(failures, 1) - 1, 30)
            return min(first * (1 << doublings), longest) * (0.5 + random / 2)
        }
    }
}

extension SessionDependencies {
    /// From 0 to 1.
    var random: Double {
        let bits = randomBytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Double(bits) / Double(UInt32.max)
    }
}
