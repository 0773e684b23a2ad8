import EventLog
import Events
import Foundation
import LMDB
import StoreSupport
import TestSupport

@testable import LogExchange

/// A server with a folder of journals, and the replicas that use it.
struct HubFixture {
    let place: TemporaryFolder
    let folder: JournalFolder
    let server: SessionServer
    let network: MemoryNetwork

    init(
        _ beginners: Beginners, in place: TemporaryFolder = TemporaryFolder(), time: SessionDependencies = .system,
        _ change: (inout JournalFolder.Options) -> Void = { _ in }
    ) {
        self.place = place
        var options = JournalFolder.Options(beginners: beginners, name: "hub", mapSize: 256 << 20)
        options.dependencies.now = { ManualClock().now }
        options.syncsCommits = false
        change(&options)
        folder = JournalFolder(place.url, options: options, dependencies: time)
        server = SessionFixture.server(folder)
        network = MemoryNetwork(server)
    }

    func connect(_ replica: TestReplica) async throws -> SessionClient {
        try await SessionClient.connect(
            network, as: replica.log, journal: replica.log.journal, limits: .patient)
    }

    /// Connects and exchanges.
    @discardableResult
    func exchange(_ replica: TestReplica) async throws -> ExchangeReport {
        try await replica.exchange(with: SessionPeer(try await connect(replica), for: replica.log, remembers: false))
    }

    func refusal(_ replica: TestReplica) async -> String? { code(await failure { try await exchange(replica) }) }

    /// Waits until no log is used, and none that is empty is left.
    func rest() async throws { try await eventually { server.connections == (0, 0) } }

    /// The state of a journal as the hub holds it.
    func hashes(_ journal: JournalID) async throws -> Set<Digest> {
        try await rest()
        let log = try Log.open(
            at: folder.folder(of: journal).path + "/log", keyPath: folder.folder(of: journal).path + "/replica.key",
            options: Log.Options(environment: .init(.reading, mapSize: 256 << 20)))
        return try log.read { log in
            var found: Set<Digest> = []
            try log.forEachCommit(after: .start) { commit in
                found.insert(commit.hash)
                return true
            }
            return found
        }
    }

    /// Loses everything.
    func wipe() async throws {
        network.cutAll()
        try await rest()
        await folder.close()
        try? FileManager.default.removeItem(at: place.url)
    }

    static func founder(_ name: String = "founder") async throws -> TestReplica {
        let founder = try TestReplica(name, founding: true)
        return try await founder.write(2)
    }

    static func member(_ name: String, of founder: TestReplica) async throws -> TestReplica {
        let member = try TestReplica(name, journal: founder.log.journal)
        try await founder.log.grant(.write, to: member.id)
        return member
    }
}
