import EventLog
import Events
import Foundation
import LMDB
import LogExchange
import Platform
import StoreSupport
import Testing
import TripStoreTestSupport

@Suite("Another store's folder")
struct FolderPeerTests {
    private let folder = TemporaryFolder()

    private func error(_ path: URL, for replica: TestReplica) async -> (any Error)? {
        await failure { _ = try await FolderPeer(path, for: replica.log, mapSize: 64 << 20) }
    }

    @Test("A folder that is not there, or empty, is refused, and nothing is made there")
    func nothingThere() async throws {
        let replica = try TestReplica("one", over: .folder)
        #expect(code(await error(folder.url, for: replica)) == "notAStore")
        #expect(!FileManager.default.fileExists(atPath: folder.url.path))
        try FileManager.default.createDirectory(atPath: folder.path("log"), withIntermediateDirectories: true)
        #expect(code(await error(folder.url, for: replica)) == "notAStore")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("log")).isEmpty)
    }

    @Test("What something else keeps in LMDB is refused and stays as it is")
    func somethingElse() async throws {
        let replica = try TestReplica("one", over: .folder)
        try Folder.create(folder.path("log"))
        do {
            let other = try Environment.open(at: folder.path("log"), options: Environment.Options(mapSize: 64 << 20))
            _ = try other.tables(["somebody"])
        }
        let before = try Data(contentsOf: folder.url.appendingPathComponent("log/data.mdb"))
        #expect(code(await error(folder.url, for: replica)) == "notAStore")
        #expect(try Data(contentsOf: folder.url.appendingPathComponent("log/data.mdb")) == before)
        #expect(!FileManager.default.fileExists(atPath: folder.path("replica.key")))
    }

    @Test("A file that is no database is refused with an error of its own")
    func noDatabase() async throws {
        let replica = try TestReplica("one", over: .folder)
        try Folder.create(folder.path("log"))
        try Data(repeating: 7, count: 20_000).write(to: folder.url.appendingPathComponent("log/data.mdb"))
        let error = await error(folder.url, for: replica)
        #expect(error is StorageError || error is ExchangeError)
    }

    @Test("A store does not exchange with itself, by whatever path it is named")
    func itself() async throws {
        let replica = try TestReplica("one", over: .folder)
        #expect(code(await error(replica.folder.url, for: replica)) == "sameStore")
        try FileManager.default.createSymbolicLink(at: folder.url, withDestinationURL: replica.folder.url)
        #expect(code(await error(folder.url, for: replica)) == "sameStore")
        try? FileManager.default.removeItem(at: folder.url)
    }

    @Test("The other's own line is signed with its key, though its process does not run")
    func signsThere() async throws {
        let one = try TestReplica("one", over: .folder)
        var dependencies = ManualClock(seed: 99).dependencies
        dependencies.fileOrigin = { _ in nil }
        var journal: JournalID?
        do {
            let other = try Log.open(
                at: folder.path("log"), keyPath: folder.path("replica.key"),
                options: Log.Options(
                    environment: Environment.Options(mapSize: 64 << 20), dependencies: dependencies))
            journal = other.journal
            _ = try await other.append(Payload(author: "ana", events: []))
        }
        let peer = try await FolderPeer(folder.url, for: one.log, dependencies: dependencies, mapSize: 64 << 20)
        let report = try await one.exchange(with: peer)
        #expect(report.joined == journal && report.received.commits == 2)
        try one.expectIntact()
    }
}
