import EventLog
import Events
import Foundation
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import LogExchange

/// A place where journals are kept, whose copies take a minute, and which can be away.
private final class SlowBacking: JournalBacking {
    struct Away: Error {}

    private struct Copy: BackedJournal {
        let log: Log
        let place: SlowBacking
        var contents: (any ContentPeer)? { nil }
        var isStale: Bool { false }

        func refresh() async throws { if place.isAway.withLock({ $0 }) { throw Away() } }
        func isBegun() async throws -> Bool { false }
        func noteBegun() async throws {}
        func tidy() async throws {}
        func close() async {}
    }

    let time: ManualTime?
    let opened = Mutex(0)
    let isAway = Mutex(false)

    init(_ time: ManualTime? = nil) { self.time = time }

    func holds(_ journal: JournalID) async throws -> Bool { true }

    func meansAway(_ error: any Error) -> Bool { error is Away }

    func journalCount(upTo most: Int) async throws -> Int { 0 }

    func journals() async throws -> [JournalID] { [Lines.journal] }

    func open(_ journal: JournalID, in folder: String, _ options: Log.Options) async throws -> any BackedJournal {
        opened.withLock { $0 += 1 }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await time?.dependencies.sleep(.seconds(60))
        return Copy(
            log: try Log.open(at: folder + "/log", keyPath: folder + "/replica.key", options: options), place: self)
    }
}

@Suite("Copies of journals that are kept elsewhere", .timeLimit(.minutes(1)))
struct JournalCopyTests {
    private let place = TemporaryFolder()
    private let time = ManualTime()
    private let peer = SessionPeerKey(publicKey: [UInt8](repeating: 1, count: 32))

    private func folder(_ backing: SlowBacking) -> JournalFolder {
        var options = JournalFolder.Options(beginners: .anyone, mapSize: 64 << 20)
        options.dependencies.now = { ManualClock().now }
        return JournalFolder(place.url, backing: backing, options: options)
    }

    @Test("One that takes longer than its client waits is made to its end, and the next client finds it")
    func long() async throws {
        let backing = SlowBacking(time)
        let folder = folder(backing)
        let first = Task { try await folder.log(for: Lines.journal, peer: peer) }
        try await eventually { time.due.count == 1 }
        first.cancel()
        let second = Task { try await folder.log(for: Lines.journal, peer: peer) }
        let clock = Task {
            while !Task.isCancelled {
                time.advance(by: .seconds(60))
                await Task.yield()
            }
        }
        defer { clock.cancel() }
        #expect(try await second.value != nil)
        #expect(backing.opened.withLock { $0 } == 1)
        #expect(await folder.openJournals == [Lines.journal])
    }

    @Test("What is due is looked for in each once, and again only when something of it is due")
    func removing() async throws {
        let backing = SlowBacking()
        let folder = folder(backing)
        for _ in 0..<3 { #expect(try await folder.removeDue() == 0) }
        #expect(backing.opened.withLock { $0 } == 1)
        #expect(await folder.openJournals == [])
    }

    @Test("A shutdown waits for none, and leaves none behind")
    func shutdown() async throws {
        let backing = SlowBacking(time)
        let folder = folder(backing)
        let first = Task { try await folder.log(for: Lines.journal, peer: peer) }
        try await eventually { time.due.count == 1 }
        await folder.endCopying()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(try await folder.log(for: Lines.journal, peer: peer) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.url.path).isEmpty)
        #expect(backing.opened.withLock { $0 } == 1)
    }

    @Test("That it is not known what other servers stored is counted as a fault of this side")
    func faults() async throws {
        let backing = SlowBacking()
        var server = SessionFixture.server(folder(backing))
        let codes = Mutex<[String]>([])
        server.observe = { event in if case .refused(_, _, let code) = event { codes.withLock { $0.append(code) } } }
        let network = MemoryNetwork(server)
        let founder = try await TestReplica("founder", founding: true).write(2)
        func peer() async throws -> SessionPeer {
            let client = try await SessionClient.connect(
                network, as: founder.log, journal: founder.log.journal, limits: .patient)
            return SessionPeer(client, for: founder.log, remembers: false)
        }
        let connected = try await peer()
        try await founder.exchange(with: connected)
        #expect(codes.withLock { $0 } == [])
        backing.isAway.withLock { $0 = true }
        #expect(await failure { _ = try await connected.frontier() } != nil)
        #expect(codes.withLock { $0 } == [SessionEvent.ownFault])
        // Of a client that comes meanwhile as well: the server closes its connection.
        #expect(code(await failure { _ = try await peer() }) == "cut")
        #expect(codes.withLock { $0 } == [SessionEvent.ownFault, SessionEvent.ownFault])
        try founder.expectIntact()
    }
}
