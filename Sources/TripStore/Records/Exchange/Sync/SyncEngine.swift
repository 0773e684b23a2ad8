import EventLog
import Events
import Foundation
import LogExchange
import Platform
import Synchronization

/// Connects a store again and again, and waits between attempts.
final class SyncEngine: Sendable {
    /// What is done after an attempt, or a connection, has ended.
    private enum Next {
        case connect
        case wait(Duration?, SyncState)
        case stop(String)
    }

    let store: TripStore
    let connector: any FrameConnector
    let options: SyncOptions
    let states = SyncStates()
    /// Raised by `StoreSync.retryNow()`.
    let retries = ChangeSignal { false }
    /// What is exchanged over a connection, each on its own.
    enum Part: CaseIterable { case commits, attachments }

    /// Why a part waits, and when it is tried again.
    struct Impediment {
        let reason: String
        let nextTry: Date
    }

    /// Those of the present connection.
    let impediments = Mutex<[Part: Impediment]>([:])
    /// Whether an exchange over the present connection has succeeded.
    let hasExchanged = Atomic(false)

    init(_ store: TripStore, _ connector: any FrameConnector, _ options: SyncOptions) {
        self.store = store
        self.connector = connector
        self.options = options
    }

    var dependencies: SessionDependencies { options.dependencies }

    func run() async {
        var failures = 0
        var offlineSince: Date?
        while true {
            let tick = retries.tick
            let replica = store.replica
            let reason: any Error
            if offlineSince == nil { states.set(.connecting) }
            do {
                reason = await stay(try await connect())
            } catch { reason = error }
            guard !Task.isCancelled else { return states.set(.stopped(reason: "It was stopped.")) }
            if hasExchanged.exchange(false, ordering: .relaxed) { (failures, offlineSince) = (0, nil) }
            failures += 1
            let since = offlineSince ?? date()
            switch next(after: reason, failures, offline: since) {
            case .connect: offlineSince = nil
            case .stop(let reason): return states.set(.stopped(reason: reason))
            case .wait(let delay, let state):
                if case .offline = state { offlineSince = since } else { offlineSince = nil }
                states.set(state)
                if await waited(delay, unless: replica, tick) { failures = 0 }
            }
        }
    }

    private func connect() async throws -> SessionClient {
        try store.views.checkOpen()
        return try await SessionClient.connect(
            connector, as: store.log, limits: options.limits, dependencies: dependencies)
    }

    private func next(after error: any Error, _ failures: Int, offline since: Date) -> Next {
        let delay = options.backoff.delay(after: failures, random: dependencies.random)
        let slow = options.backoff.afterRefusal * (0.5 + dependencies.random / 2)
        let reason = error.systemText
        switch Self.code(of: error) {
        // The third time in a row it is not by chance.
        case .identityChanged where failures < 3: return .connect
        case .revoked:
            let cause = (error as? TripStoreError)?.cause ?? error
            guard let by = (cause as? ExchangeError)?.replica else { break }
            return .wait(nil, .revoked(by: by))
        case .needsGrant:
            if case .member = try? store.standing() {
                // The grant is here, and has not come there: another device may bring it.
                return .wait(
                    delay,
                    .offline(
                        since: since,
                        reason: "The server at \(connector.address) does not know yet that this device is a member.",
                        nextTry: date(in: delay)))
            }
            return .wait(delay, .needsGrant)
        case .unproven, .notAuthorized:
            // Its word alone: it is named.
            let named = reason.contains(connector.address) ? reason : "\(connector.address): \(reason)"
            return .wait(delay, .offline(since: since, reason: named, nextTry: date(in: delay)))
        case .otherJournal: return .wait(slow, .otherJournal(reason: reason, nextTry: date(in: slow)))
        case .notTrusted: return .wait(slow, .notTrusted(reason: reason, nextTry: date(in: slow)))
        case ExchangeError.Code(rawValue: "closed"), ExchangeError.Code(rawValue: "readOnly"): return .stop(reason)
        default: break
        }
        return .wait(delay, .offline(since: since, reason: reason, nextTry: date(in: delay)))
    }

    /// The code of an error, of whichever layer.
    static func code(of error: any Error) -> ExchangeError.Code? {
        switch error {
        case let error as ExchangeError: error.code
        // The store knows not every code of an app's transport: the cause keeps it.
        case let error as TripStoreError:
            error.cause.flatMap { code(of: $0) } ?? ExchangeError.Code(rawValue: error.code.rawValue)
        default: TripStoreError(error).map { ExchangeError.Code(rawValue: $0.code.rawValue) }
        }
    }

    // MARK: Waiting

    private func date(in delay: Duration = .zero) -> Date {
        Date(timeIntervalSince1970: Double(store.log.wallClock) / 1000 + delay / .seconds(1))
    }

    func nextTry(in delay: Duration) -> Date { date(in: delay) }

    /// Waits for a time. Returns true early after `retryNow()`, or once this replica goes on as another or the store is
    /// closed or resumed.
    private func waited(_ delay: Duration?, unless replica: ReplicaID, _ tick: UInt64) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            if let delay {
                group.addTask { [dependencies] in
                    try? await dependencies.sleep(delay)
                    return false
                }
            }
            group.addTask { [retries] in await retries.wait(after: tick) != nil }
            group.addTask { [store] in
                let changes = store.log.changes
                let watch = changes.watch()
                defer { withExtendedLifetime(watch) {} }
                var tick = changes.tick
                let isSuspended = store.log.suspension.isSet
                while store.replica == replica, (try? store.views.checkOpen()) != nil,
                    store.log.suspension.isSet == isSuspended
                {
                    guard let newer = await changes.wait(after: tick) else { return false }
                    tick = newer
                }
                return true
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}
