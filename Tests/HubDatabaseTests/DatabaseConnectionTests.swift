import DatabaseSupport
import Foundation
import StoreSupport
import Testing

@testable import HubDatabase

@Suite("A connection to a database", .enabled(if: TestServer.isAvailable, "\(TestServer.hint)"))
struct DatabaseConnectionTests {
    private func connection(_ address: DatabaseAddress? = nil, patience: Duration = .seconds(20)) async throws
        -> DatabaseConnection
    {
        let library = try #require(ClientLibrary.system)
        let other = try await TestServer.shared.value.address()
        return try DatabaseConnection(address ?? other, library, patience: patience)
    }

    private func pool(connections: Int = 2, patience: Duration = .seconds(20)) async throws -> DatabasePool {
        let address = try await TestServer.shared.value.address()
        let library = try #require(ClientLibrary.system)
        return DatabasePool(address, library, connections: connections, patience: patience) { _ in }
    }

    @Test("Values come back as they were sent")
    func values() async throws {
        let connection = try await connection()
        let bytes: [UInt8] = Array(0...255) + [UInt8](repeating: 0, count: 3)
        let uuid = [UInt8](1...16)
        for _ in 0..<2 {
            let row = try #require(
                try connection.run(
                    "SELECT $1::bytea, $2::bigint, $3::boolean, $4::text, $5::uuid, $6::bytea, $5::uuid = ANY($7::uuid[])",
                    [
                        .bytes(bytes), .integer(Int64.min), .boolean(true), .text("Åé 🧭 '"), .bytes(uuid), .null,
                        .uuids([[UInt8](repeating: 0, count: 16), uuid]),
                    ]
                ).first)
            #expect(row.bytes(0) == bytes && row.text(3) == "Åé 🧭 '" && row.bytes(4) == uuid && row.bytes(5) == nil)
            #expect(try row.integer(1) == .min && row.boolean(2) && row.boolean(6))
        }
        #expect(
            try connection.run("SELECT $1::uuid = ANY($2::uuid[])", [.bytes(uuid), .uuids([])]).first?.boolean(0)
                == false)
        #expect(try connection.run("SELECT -5::smallint").first?.integer(0) == -5)
    }

    @Test("A refusal has the server's code and words, and the connection can be used further")
    func refusals() async throws {
        let connection = try await connection()
        #expect(throws: DatabaseError.self) { try connection.run("SELECT * FROM no_such_table") }
        do {
            try connection.run("SELECT 1 / $1::bigint", [.integer(0)])
            Issue.record("nothing was thrown")
        } catch { #expect(error.state == "22012" && error.code == .failed && error.message.contains("zero")) }
        #expect(throws: DatabaseError.self) { try connection.transaction { try connection.run("SELECT nothing") } }
        #expect(connection.isIdle && connection.isUsable)
        #expect(try connection.run("SELECT 7::bigint").first?.integer(0) == 7)
    }

    @Test("What takes too long ends, whether the server ends it or does not answer")
    func timeOuts() async throws {
        let (library, connection) = (try #require(ClientLibrary.system), try await connection())
        try HubRow.configure(connection, patience: .milliseconds(1200), synchronousCommit: "on")
        do {
            try connection.run("SELECT pg_sleep(30)")
            Issue.record("nothing was thrown")
        } catch { #expect(error.code == .timedOut && error.state == "57014" && error.isTransient) }
        #expect(connection.isUsable)
        // Without a time-out of the server's.
        let other = try DatabaseConnection(
            try await TestServer.shared.value.address(), library, patience: .milliseconds(300))
        do {
            try other.run("SELECT pg_sleep(30)")
            Issue.record("nothing was thrown")
        } catch { #expect(error.code == .timedOut && error.state == nil) }
        #expect(!other.isUsable)
    }

    @Test("Reads are repeated on a new connection when the old one is found broken")
    func brokenConnections() async throws {
        let pool = try await pool()
        let number = try await pool.read { try $0.run("SELECT pg_backend_pid()").first?.integer(0) ?? 0 }
        try await TestServer.shared.value.sql("SELECT pg_terminate_backend(\(number))")
        let next = try await pool.read { try $0.run("SELECT pg_backend_pid()").first?.integer(0) ?? 0 }
        #expect(next != number && next > 0)
    }

    @Test("No more connections are lent than there may be, and one that is inside of a transaction is not lent again")
    func pooling() async throws {
        let pool = try await pool(connections: 1, patience: .seconds(1))
        try pool.with { connection in
            #expect(throws: DatabaseError.self) { try pool.with { _ in } }
            try connection.run("BEGIN")
        }
        try pool.with { #expect($0.isIdle) }
        pool.close()
        #expect(throws: DatabaseError.self) { try pool.with { _ in } }
    }

    @Test("An address that leads nowhere is an error without its password")
    func nowhere() async throws {
        let address = try #require(DatabaseAddress("postgresql://ana:secret@127.0.0.1:1/trips?password=secret"))
        #expect(address.description == "postgresql://ana@127.0.0.1:1/trips")
        let error = await failure { _ = try await connection(address) } as? DatabaseError
        #expect(error?.code == .disconnected && error?.message.contains("secret") == false)
        #expect(DatabaseAddress("mysql://host/trips") == nil && DatabaseAddress("postgresql://a b") == nil)
    }
}
