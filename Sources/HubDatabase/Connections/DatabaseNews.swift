import EventLog
import Events
import Foundation
import Logging
import Synchronization

/// Tells what other hubs stored, and tells them what this one did.
///
/// The database is asked at an interval, which is enough. Notifications make it faster: they are sent after what they are about was
/// committed, those of some milliseconds together, and it does no harm if one is lost.
final class DatabaseNews: Sendable {
    private static let channel = "tripstore_entry"
    /// How long notifications are gathered.
    private static let gathering = Duration.milliseconds(5)
    /// How long a listener waits before it connects again.
    private static let backoff = Duration.seconds(1)

    private struct State {
        var isStopped = false
        var pending: Set<JournalID> = []
        var isSending = false
        var poller: Task<Void, Never>?
        var listener: Task<Void, Never>?
    }

    private let pool: DatabasePool
    private let interval: Duration
    private let logger: Logger
    private let state = Mutex(State())
    /// Its thread waits on the socket of a connection.
    private let thread = WorkerThread(name: "tripstore.listener")

    init(_ pool: DatabasePool, every interval: Duration, _ logger: Logger) {
        self.pool = pool
        self.interval = interval
        self.logger = logger
    }

    /// Calls `body` with the journals of notifications, and at the interval with nil for all.
    func start(_ body: @escaping @Sendable (Set<JournalID>?) async -> Void) {
        let poller = Task { [interval] in
            while !Task.isCancelled {
                try? await Task.sleep(for: interval)
                if Task.isCancelled { return }
                await body(nil)
            }
        }
        let listener = Task { [weak self] in
            var connection: DatabaseConnection?
            while !Task.isCancelled {
                guard let self else { return }
                do {
                    let open = try await listen(on: connection)
                    connection = open
                    let journals = try await thread.run {
                        Set(try open.notifications(within: .milliseconds(500)).compactMap { JournalID($0) })
                    }
                    if !journals.isEmpty { await body(journals) }
                } catch {
                    connection = nil
                    logger.debug("nothing listens for notifications", metadata: ["error": "\(error)"])
                    try? await Task.sleep(for: Self.backoff)
                }
            }
        }
        state.withLock { ($0.poller, $0.listener) = (poller, listener) }
    }

    private func listen(on connection: DatabaseConnection?) async throws -> DatabaseConnection {
        if let connection { return connection }
        return try await thread.run { [pool] in
            let connection = try pool.open()
            try connection.runOnce("LISTEN \(Self.channel)")
            return connection
        }
    }

    func stop() {
        let (poller, listener) = state.withLock { state in
            state.isStopped = true
            return (state.poller, state.listener)
        }
        poller?.cancel()
        listener?.cancel()
    }

    /// Tells the other hubs that a journal has entries, soon.
    func announce(_ journal: JournalID) {
        let mustStart = state.withLock { state in
            state.pending.insert(journal)
            guard !state.isSending, !state.isStopped else { return false }
            state.isSending = true
            return true
        }
        guard mustStart else { return }
        Task { [weak self] in
            while let self {
                try? await Task.sleep(for: Self.gathering)
                guard await send() else { return }
            }
        }
    }

    /// Returns false once there is nothing to send.
    private func send() async -> Bool {
        let journals = state.withLock { state in
            defer { state.pending = [] }
            if state.pending.isEmpty { state.isSending = false }
            return state.pending.map(\.bytes)
        }
        guard !journals.isEmpty else { return false }
        _ = try? await pool.read { connection in
            try connection.run(
                "SELECT pg_notify('\(Self.channel)', journal::text) FROM unnest($1::uuid[]) AS journal",
                [.uuids(journals)])
        }
        return true
    }
}
