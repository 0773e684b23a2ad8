import DatabaseSupport
import Foundation
import StoreSupport
import Synchronization
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

    @Test("A connection that was just made and fails is not tried again, and one whose session lost its statements is")
    func repeating() async throws {
        let (address, library) = (try await TestServer.shared.value.address(), try #require(ClientLibrary.system))
        let greeted = Mutex(0)
        let broken = DatabasePool(address, library, connections: 2, patience: .seconds(20)) { _ in
            greeted.withLock { $0 += 1 }
            throw DatabaseError(.disconnected, "a test")
        }
        #expect(await failure { try await broken.read { _ = try $0.run("SELECT 1") } } is DatabaseError)
        #expect(greeted.withLock { $0 } == 1)
        let pool = try await pool()
        let first = try pool.with { connection in
            try connection.run("SELECT 7::bigint")
            try connection.runOnce("DEALLOCATE ALL")
            return try connection.runOnce("SELECT pg_backend_pid()").first?.integer(0)
        }
        let (number, next) = try await pool.read { connection in
            (
                try connection.run("SELECT 7::bigint").first?.integer(0),
                try connection.runOnce("SELECT pg_backend_pid()").first?.integer(0)
            )
        }
        #expect(number == 7 && next != first)
    }

    @Test("A connection that the server ended is no connection, whatever the server calls it")
    func endedSessions() async throws {
        let (server, connection) = (try await TestServer.shared.value, try await connection())
        let number = try #require(try connection.run("SELECT pg_backend_pid()").first).integer(0)
        try connection.run("SELECT set_config('idle_in_transaction_session_timeout', '1', false)")
        try connection.run("BEGIN")
        try await eventually {
            try await server.sql("SELECT count(*) FROM pg_stat_activity WHERE pid = \(number)") == "0"
        }
        do {
            try connection.run("SELECT 1")
            Issue.record("nothing was thrown")
        } catch { #expect(error.code == .disconnected, "\(error)") }
        #expect(!connection.isUsable)
    }

    @Test("A warning while it commits leaves open whether standbys have it, and notices do not")
    func warnings() async throws {
        let (server, name, address) = try await TestServer.database()
        try await server.sql(
            """
            CREATE TABLE kept (number bigint);
            CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                RAISE NOTICE 'nothing'; IF NEW.number > 0 THEN RAISE WARNING 'canceling wait'; END IF; RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER warn AFTER INSERT ON kept DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION warn()
            """, in: name)
        let connection = try await connection(address)
        let insert = "INSERT INTO kept VALUES ($1::bigint)"
        try connection.runCommitting(insert, [.integer(0)])
        _ = try connection.transaction { try connection.run(insert, [.integer(0)]) }
        let calls: [() throws -> Void] = [
            { try connection.runCommitting(insert, [.integer(1)]) },
            { _ = try connection.transaction { try connection.run(insert, [.integer(1)]) } },
        ]
        for call in calls {
            let error = #expect(throws: DatabaseError.self) { try call() }
            #expect(error?.code == .timedOut)
        }
        #expect(try connection.run("SELECT count(*) FROM kept").first?.integer(0) == 4)
    }

    @Test("A session has the isolation that hubs need, and no end while it idles, whatever the defaults are")
    func settings() async throws {
        let (server, name, address) = try await TestServer.database()
        try await server.sql(
            """
            ALTER DATABASE \(name) SET default_transaction_isolation = 'serializable';
            ALTER DATABASE \(name) SET idle_session_timeout = '10s'
            """, in: name)
        let connection = try await connection(address)
        try HubRow.configure(connection, patience: .seconds(20), synchronousCommit: "on")
        for (setting, expected) in [("transaction_isolation", "read committed"), ("idle_session_timeout", "0")] {
            #expect(try connection.run("SELECT current_setting($1::text)", [.text(setting)]).first?.text(0) == expected)
        }
    }

    @Test("What a server does not take in ends in time, and what is large arrives")
    func sending() async throws {
        let (library, address) = (try #require(ClientLibrary.system), try await TestServer.shared.value.address())
        let connection = try DatabaseConnection(address, library, patience: .seconds(5))
        let size = "SELECT octet_length($1::bytea)"
        let bytes = [UInt8](repeating: 7, count: 12 << 20)
        #expect(try connection.run(size, [.bytes(bytes)]).first?.integer(0) == 12 << 20)
        let other = try DatabaseConnection(address, library, patience: .milliseconds(300))
        try other.run(size, [.bytes([])])
        let process = pid_t(try #require(try other.run("SELECT pg_backend_pid()").first).integer(0))
        try #require(kill(process, SIGSTOP) == 0)
        defer { kill(process, SIGCONT) }
        do {
            try other.run(size, [.bytes(bytes)])
            Issue.record("nothing was thrown")
        } catch { #expect(error.code == .timedOut && error.state == nil, "\(error)") }
        #expect(!other.isUsable)
    }

    @Test("No more connections are lent than there may be, and one that is inside of a transaction is not lent again")
    func pooling() async throws {
        let pool = try await pool(connections: 1, patience: .seconds(1))
        try pool.with { connection in
            #expect(throws: DatabaseError.self) { try pool.with { _ in } }
            #expect(pool.inUse == 1)
            try connection.run("BEGIN")
        }
        try pool.with { #expect($0.isIdle) }
        #expect(pool.inUse == 0)
        pool.close()
        #expect(throws: DatabaseError.self) { try pool.with { _ in } }
    }

    @Test("Those who store something leave connections to those who read")
    func storing() async throws {
        let pool = try await pool(connections: 5, patience: .seconds(1))
        try pool.awaitStoring()
        let error = await failure { try await pool.store { _ = try $0.run("SELECT 1") } } as? DatabaseError
        #expect(error?.code == .busy)
        #expect(try await pool.read { try $0.run("SELECT 7::bigint").first?.integer(0) } == 7)
        pool.endStoring()
        #expect(try await pool.store { try $0.run("SELECT 7::bigint").first?.integer(0) } == 7)
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
