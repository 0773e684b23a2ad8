import DatabaseSupport
import EventLog
import Events
import Foundation
import Logging
import StoreSupport
import Synchronization
import Testing

@testable import HubDatabase

@Suite("The tables of a hub", .enabled(if: TestServer.isAvailable, "\(TestServer.hint)"))
struct DatabaseSchemaTests {
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func open(_ address: DatabaseAddress) async throws -> HubDatabase {
        var options = HubDatabase.Options(connections: 2)
        options.allowsUnsynced = true
        return try await HubDatabase.open(address, options: options, logger: Self.quiet)
    }

    @Test(
        "A role that may connect to the database and create in it, as that of Tools/hub/compose.yaml, is enough for a hub, and for nothing else"
    )
    func leastRole() async throws {
        let (server, name, _) = try await TestServer.database()
        let role = "hub_\(name)"
        try await server.sql("CREATE TABLE public.other (x int); CREATE ROLE \(role) LOGIN", in: name)
        try await server.sql(
            """
            REVOKE ALL ON DATABASE \(name) FROM PUBLIC; REVOKE ALL ON SCHEMA public FROM PUBLIC;
            GRANT CONNECT, CREATE ON DATABASE \(name) TO \(role)
            """, in: name)
        let address = try #require(DatabaseAddress("postgresql:///\(name)?host=\(server.folder)&user=\(role)"))
        let hub = try await open(address)
        defer { hub.close() }
        #expect(try await hub.journals() == [])
        await #expect(throws: DatabaseError.self) {
            try await hub.pool.read { _ = try $0.run("SELECT * FROM public.other") }
        }
    }

    @Test("Hubs that start at the same time make them once, and all have the same secret")
    func madeOnce() async throws {
        let (_, _, address) = try await TestServer.database()
        let secrets = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<5 {
                group.addTask {
                    let hub = try await open(address)
                    defer { hub.close() }
                    return try await hub.pool.read { try HubRow(connection: $0).identity().secret }
                }
            }
            var found: [[UInt8]] = []
            for try await secret in group { found.append(secret) }
            return found
        }
        #expect(secrets.count == 5 && Set(secrets).count == 1)
    }

    @Test(
        "Tables of a newer version, or with commits of a newer format, are left alone",
        arguments: ["schema_version", "commit_format"])
    func newer(_ column: String) async throws {
        let (server, name, address) = try await TestServer.database()
        let hub = try await open(address)
        defer { hub.close() }
        try await server.sql("UPDATE tripstore.hub SET \(column) = \(column) + 1", in: name)
        #expect((await failure { _ = try await open(address) } as? DatabaseError)?.code == .newerSchema)
        // A hub that runs already finds out.
        let error = await failure { _ = try await hub.holds(JournalID(UUID())) } as? DatabaseError
        #expect(error?.code == .newerSchema)
    }

    @Test("A database that does not sync is refused, and what a failover can lose is said")
    func durability() async throws {
        let (_, _, address) = try await TestServer.database()
        let error = await failure { _ = try await HubDatabase.open(address, logger: Self.quiet) } as? DatabaseError
        #expect(error?.code == .unsuitable && error?.message.contains("fsync") == true)
        let hub = try await open(address)
        defer { hub.close() }
        #expect(hub.durability.fsync == "off" && hub.durability.warnings.count == 2)
        #expect(hub.durability.warnings.contains { $0.contains("synchronous_standby_names") })
    }

    @Test("A server with another history of the database begins an epoch, and is noticed once")
    func epochs() async throws {
        let (server, name, address) = try await TestServer.database()
        let hub = try await open(address)
        defer { hub.close() }
        func epoch() async throws -> [UInt8] {
            hub.pool.discardIdle()
            return try await hub.pool.read { try HubRow(connection: $0).identity().epoch }
        }
        let first = try await epoch()
        #expect(try await epoch() == first)
        try await server.sql("UPDATE tripstore.hub SET timeline = '00000009'", in: name)
        let second = try await epoch()
        #expect(second != first)
        #expect(try await epoch() == second)
        try await hub.beginEpoch()
        #expect(try await epoch() != second)
    }

    @Test("Of hubs that append at one place of a journal one wins each time")
    func races() async throws {
        let (server, name, address) = try await TestServer.database()
        let hub = try await open(address)
        defer { hub.close() }
        let journal = JournalID(UUID())
        let epoch = try await hub.pool.read { connection in
            try JournalRows(connection: connection, journal: journal).begin()
            return try HubRow(connection: connection).identity().epoch
        }
        var cursor = DatabaseCursor.start(epoch)
        for round in 0..<TestCounts.races {
            let operations = (0..<2).map { _ in UUID().bytes }
            // Of one row, in one statement, and of several, in a transaction.
            let rows = operations.enumerated().map { index, operation in
                (0...(round + index) % 2).map { number in
                    EntryRow(
                        operation: operation, kind: .erasures, commits: Int64(round % 3), range: nil, time: 0,
                        isContinued: number < (round + index) % 2, body: [UInt8(index)])
                }
            }
            let won = try await withThrowingTaskGroup(of: Int?.self) { group in
                for (index, rows) in rows.enumerated() {
                    group.addTask { [cursor] in
                        try await hub.pool.read { connection in
                            let table = JournalRows(connection: connection, journal: journal)
                            return try connection.transaction { try table.append(rows, at: cursor) } ? index : nil
                        }
                    }
                }
                var found: [Int] = []
                for try await winner in group { if let winner { found.append(winner) } }
                return found
            }
            try #require(won.count == 1)
            cursor = cursor.after(cursor.nextEntry + Int64(rows[won[0]].count) - 1, operations[won[0]])
        }
        #expect(try await server.gaps(in: name) == [])
        // Of another epoch nothing is appended.
        let stale = DatabaseCursor(epoch: UUID().bytes, nextEntry: cursor.nextEntry, operation: cursor.operation)
        let row = EntryRow(
            operation: UUID().bytes, kind: .erasures, commits: 1, range: nil, time: 0, isContinued: false, body: [])
        let isAppended = try await hub.pool.read { connection in
            try JournalRows(connection: connection, journal: journal).append([row], at: stale)
        }
        #expect(!isAppended)
    }
}
