import EventLog
import Foundation
import Synchronization

/// The connections of a hub to its database: opened when they are needed, at most so many, and lent to one thread at a time.
///
/// Calls block. Asynchronous code runs them on the pool's own threads, never on the cooperative pool.
final class DatabasePool: Sendable {
    private struct State {
        var idle: [DatabaseConnection] = []
        var isClosed = false
    }

    /// Prepares each new connection; throws if the database is of no use.
    typealias Greeting = @Sendable (DatabaseConnection) throws -> Void

    let address: DatabaseAddress
    private let library: ClientLibrary
    let patience: Duration
    private let greeting: Greeting
    private let state = Mutex(State())
    private let free: DispatchSemaphore
    /// Taken by those who store something, each of whom may wait for a standby: reads have connections all the same.
    private let writing: DispatchSemaphore
    /// The most connections.
    let most: Int
    private let lent = Atomic(0)
    private let threads: [WorkerThread]
    /// For what stores something, behind which reads do not wait.
    private let storingThreads: [WorkerThread]
    private let next = Atomic(0)

    /// `greeting` is called with each new connection, before its first use.
    init(
        _ address: DatabaseAddress, _ library: ClientLibrary, connections: Int, patience: Duration,
        greeting: @escaping Greeting
    ) {
        self.address = address
        self.library = library
        self.patience = patience
        self.greeting = greeting
        most = connections
        free = DispatchSemaphore(value: connections)
        writing = DispatchSemaphore(value: max(1, connections - Self.kept))
        threads = (0..<max(2, min(connections, 8))).map { _ in WorkerThread(name: "tripstore.database") }
        storingThreads = (0..<max(1, min(connections - Self.kept, 4))).map { _ in
            WorkerThread(name: "tripstore.database")
        }
    }

    /// How many connections those who store something leave to others.
    private static let kept = 4

    /// The connections that are lent now.
    var inUse: Int { lent.load(ordering: .relaxed) }

    /// Closes idle connections, and lends no further ones.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        // They close outside of the lock, when the last reference goes.
        _ = idle
    }

    /// Lends a connection to `body`, on this thread. Waits for one, for as long as the database may take to answer.
    ///
    /// Throws `DatabaseError` (`.busy` if all are in use), or what `body` throws.
    func with<T>(_ body: (DatabaseConnection) throws -> T) throws -> T {
        var isOld = false
        return try with(noting: &isOld, body)
    }

    /// Notes whether the connection was used before.
    private func with<T>(noting isOld: inout Bool, _ body: (DatabaseConnection) throws -> T) throws -> T {
        try awaitTurn(free)
        lent.add(1, ordering: .relaxed)
        defer {
            lent.subtract(1, ordering: .relaxed)
            free.signal()
        }
        let idle = try take()
        isOld = idle != nil
        let connection = try idle ?? open()
        let result = Result { try body(connection) }
        giveBack(connection)
        return try result.get()
    }

    private func awaitTurn(_ semaphore: DispatchSemaphore) throws {
        let time = DispatchTime.now() + .milliseconds(Int(patience.components.seconds) * 1000)
        guard semaphore.wait(timeout: time) == .success else {
            throw DatabaseError(
                .busy,
                "All connections to \(address) are in use, and none was returned within \(patience). Allow more connections."
            )
        }
    }

    /// Before something is stored by connections of the pool, so that not all of them wait for a standby; then `endStoring`. Throws
    /// `DatabaseError.busy` if as many store as may.
    func awaitStoring() throws { try awaitTurn(writing) }

    func endStoring() { writing.signal() }

    /// The same as `with` for what may be repeated, as reads may: once more, on a new connection, if the connection was an old one that
    /// turns out to be broken.
    func repeating<T>(_ body: (DatabaseConnection) throws -> T) throws -> T {
        var isOld = false
        do { return try with(noting: &isOld, body) } catch let error as DatabaseError
            where isOld && (error.code == .disconnected || error.isOfTheSession)
        {
            // The others are as old.
            discardIdle()
            return try with(body)
        }
    }

    /// `repeating` on a thread of the pool.
    func read<T: Sendable>(_ body: @escaping @Sendable (DatabaseConnection) throws -> T) async throws -> T {
        try await one(of: threads).run { [self] in try repeating(body) }
    }

    /// The same for what stores something, and may wait for a standby.
    func store<T: Sendable>(_ body: @escaping @Sendable (DatabaseConnection) throws -> T) async throws -> T {
        try await one(of: storingThreads).run { [self] in
            try awaitStoring()
            defer { endStoring() }
            return try repeating(body)
        }
    }

    private func one(of threads: [WorkerThread]) -> WorkerThread {
        threads[Int(next.add(1, ordering: .relaxed).oldValue.magnitude % UInt(threads.count))]
    }

    func discardIdle() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        _ = idle
    }

    /// A connection outside of the pool's count, for a listener.
    func open() throws -> DatabaseConnection {
        let connection = try DatabaseConnection(address, library, patience: patience)
        try greeting(connection)
        return connection
    }

    private func take() throws -> DatabaseConnection? {
        try state.withLock { state in
            guard !state.isClosed else { throw DatabaseError(.disconnected, "The hub's connections are closed.") }
            return state.idle.popLast()
        }
    }

    private func giveBack(_ connection: DatabaseConnection) {
        // A connection inside of a transaction, or of unknown state, is not used again.
        guard connection.isUsable, connection.isIdle else { return }
        state.withLock { state in if !state.isClosed { state.idle.append(connection) } }
    }
}
