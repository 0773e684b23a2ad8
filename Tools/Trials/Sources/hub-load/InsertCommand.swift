import ArgumentParser
import FaultTesting
import Foundation

@testable import EventLog
@testable import HubDatabase

/// The least that a database does for the same bytes: rows of a number and a body, and nothing that is read or checked.
struct InsertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insert", abstract: "Insert rows of random bytes into a table of a PostgreSQL database.")

    @Option(name: .long, help: "The database: postgresql://USER@HOST:PORT/NAME. It gets a table, bare.")
    var database: String

    @Option(name: .long, help: "How many connections insert at the same time.")
    var connections = 20

    @Option(name: .long, help: "The bytes of a row.")
    var bytes = 400

    @Option(name: .long, help: "The rows of a transaction.")
    var rows = 1

    @Flag(
        name: .long,
        help: "All begin a transaction at the same time, and the next once each is done, as bulk writers of fleet.")
    var rounds = false

    @Option(name: .long, help: "For how long.")
    var seconds = 10.0

    func run() async throws {
        guard let address = DatabaseAddress(database) else {
            throw ValidationError("--database \(database): postgresql://USER@HOST:PORT/NAME.")
        }
        var inserters: [Inserter] = []
        for number in 0..<connections {
            inserters.append(try await Inserter.connect(address, number: number, bytes: bytes, rows: rows))
        }
        let body: @Sendable (Int) async throws -> Void = { [inserters] task in try await inserters[task].insert() }
        let latencies: Latencies
        let taken: Double
        if rounds {
            (latencies, taken, _) = try await measureRounds(tasks: connections, seconds: seconds) { _ in
                // Nothing is to be prepared.
            } _: {
                try await body($0)
            }
        } else {
            (latencies, taken) = try await measure(tasks: connections, seconds: seconds, body)
        }
        report([
            "transactions": Double(latencies.count), "rate": Double(latencies.count) / taken,
            "median": latencies.percentile(50), "p99": latencies.percentile(99),
        ])
    }
}

/// A connection with a thread of its own, whose rows follow each other.
private actor Inserter {
    private static let statement = "INSERT INTO bare VALUES ($1::bigint, $2::bigint, $3::bytea)"

    private let connection: DatabaseConnection
    private let thread: WorkerThread
    private let number: Int
    private let body: [UInt8]
    private let rows: Int
    private var inserted = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// The first one makes the table anew.
    static func connect(_ address: DatabaseAddress, number: Int, bytes: Int, rows: Int) async throws -> Inserter {
        guard let library = ClientLibrary.system else { throw ClientLibrary.missing }
        let thread = WorkerThread(name: "hub-load.insert")
        let connection = try await thread.run {
            let connection = try DatabaseConnection(address, library, patience: .seconds(60))
            guard number == 0 else { return connection }
            // That there was none is not worth a line.
            try connection.run("SET client_min_messages = warning")
            try connection.run("DROP TABLE IF EXISTS bare")
            try connection.run(
                "CREATE TABLE bare (writer bigint, number bigint, body bytea NOT NULL, PRIMARY KEY (writer, number))"
            )
            // As the hub's bodies.
            try connection.run("ALTER TABLE bare ALTER COLUMN body SET STORAGE EXTERNAL")
            return connection
        }
        let body = (0..<bytes).map { _ in UInt8.random(in: 0...255) }
        return Inserter(connection, thread, number, body, rows)
    }

    private init(
        _ connection: DatabaseConnection, _ thread: WorkerThread, _ number: Int, _ body: [UInt8], _ rows: Int
    ) {
        self.connection = connection
        self.thread = thread
        self.number = number
        self.body = body
        self.rows = rows
    }

    /// A statement by itself is a transaction.
    func insert() throws {
        guard rows > 1 else { return try insertRow() }
        try connection.transaction { for _ in 0..<rows { try insertRow() } }
    }

    private func insertRow() throws {
        inserted += 1
        try connection.run(Self.statement, [.integer(Int64(number)), .integer(Int64(inserted)), .bytes(body)])
    }
}
