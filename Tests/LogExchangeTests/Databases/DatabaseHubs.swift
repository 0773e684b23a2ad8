import DatabaseSupport
import EventLog
import Events
import Foundation
import HubDatabase
import Logging
import StoreSupport
import Testing

@testable import LogExchange

/// Hubs over one database, each with a server of its own.
final class DatabaseHubs: Sendable {
    /// One of them.
    struct Hub: Sendable {
        let place: TemporaryFolder
        let database: HubDatabase
        let folder: JournalFolder
        let server: SessionServer
        let network: MemoryNetwork
    }

    let hubs: [Hub]
    let postgres: TestServer
    let name: String
    let address: DatabaseAddress

    private init(_ hubs: [Hub], _ postgres: TestServer, _ name: String, _ address: DatabaseAddress) {
        self.hubs = hubs
        self.postgres = postgres
        self.name = name
        self.address = address
    }

    /// `poll` is short, for tests that wait for news.
    static func start(
        _ count: Int = 2, beginners: Beginners = .anyone, over server: TestServer? = nil,
        _ change: (inout JournalFolder.Options) -> Void = { _ in }
    ) async throws -> DatabaseHubs {
        let (postgres, name, address): (TestServer, String, DatabaseAddress)
        if let server {
            (postgres, name, address) = (server, "postgres", try server.address())
        } else {
            (postgres, name, address) = try await TestServer.database()
        }
        var hubs: [Hub] = []
        for _ in 0..<count { hubs.append(try await hub(address, beginners, change)) }
        return DatabaseHubs(hubs, postgres, name, address)
    }

    /// Another hub over the same database.
    func another(
        beginners: Beginners = .anyone, _ change: (inout JournalFolder.Options) -> Void = { _ in }
    ) async throws -> Hub { try await Self.hub(address, beginners, change) }

    private static func hub(
        _ address: DatabaseAddress, _ beginners: Beginners, _ change: (inout JournalFolder.Options) -> Void
    ) async throws -> Hub {
        var log = Logger(label: "test")
        log.logLevel = .critical
        let database = try await HubDatabase.open(
            address,
            options: HubDatabase.Options(
                connections: 4, patience: .seconds(20), poll: .milliseconds(100), allowsUnsynced: true), logger: log)
        var options = JournalFolder.Options(beginners: beginners, name: "hub", mapSize: 256 << 20)
        options.dependencies.now = { ManualClock().now }
        change(&options)
        let place = TemporaryFolder()
        let folder = JournalFolder(place.url, backing: database, options: options, logger: log)
        let server = SessionFixture.server(folder)
        return Hub(
            place: place, database: database, folder: folder, server: server, network: MemoryNetwork(server))
    }

    deinit { for hub in hubs { hub.database.close() } }

    subscript(_ index: Int) -> Hub { hubs[index] }

    /// Where entries have gaps, or are there twice.
    func gaps() async throws -> [String] { try await postgres.gaps(in: name) }

    func sql(_ text: String) async throws -> String { try await postgres.sql(text, in: name) }
}

extension DatabaseHubs.Hub {
    func connect(_ replica: TestReplica) async throws -> SessionClient {
        try await SessionClient.connect(network, as: replica.log, journal: replica.log.journal, limits: .patient)
    }

    func peer(for replica: TestReplica) async throws -> SessionPeer {
        SessionPeer(try await connect(replica), for: replica.log, remembers: false) { try await connect(replica) }
    }

    @discardableResult
    func exchange(_ replica: TestReplica) async throws -> ExchangeReport {
        try await replica.exchange(with: try await peer(for: replica))
    }

    func refusal(_ replica: TestReplica) async -> String? { code(await failure { try await exchange(replica) }) }
}
