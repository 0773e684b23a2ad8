import EventLog
import Events
import Foundation
import LogExchange
import Logging
import StoreSupport
import Synchronization
import TestSupport
import Testing
import TripStoreTestSupport

@testable import TripStore

@Suite("Attachments between replicas", .timeLimit(.minutes(3)))
struct AttachmentExchangeTests {
    enum Way: CaseIterable { case store, folder, session }

    private static func bytes(_ count: Int, seed: UInt64 = 1) -> Data {
        var random = SeededGenerator(seed: seed)
        return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    private static func target(_ way: Way, _ other: TripStore) -> ExchangeTarget {
        switch way {
        case .store: return .store(other)
        case .folder: return .folder(other.folder)
        case .session: return .connector(network(other))
        }
    }

    private static func network(_ other: TripStore) -> MemoryNetwork {
        let server = SessionServer(SingleLogHost(other.log), limits: .patient)
        return MemoryNetwork(server, journal: other.journal)
    }

    private static func pair() async throws -> (TripStore, TripStore, Trip.ID) {
        let (phone, laptop) = try await SyncFixture.devices()
        try await laptop.exchange(with: .store(phone))
        return (phone, laptop, try #require(try phone.trips(.dated).rows.first?.trip.id))
    }

    @Test("go both ways with their commits, the large and the empty ones too", arguments: Way.allCases)
    func bothWays(way: Way) async throws {
        let (phone, laptop, trip) = try await Self.pair()
        let sizes = [0, 5, 1 << 20, 2 << 20 + 3]
        for (index, size) in sizes.enumerated() {
            let store = index % 2 == 0 ? phone : laptop
            try await store.attach(Self.bytes(size, seed: UInt64(index)), to: trip.reference, as: "\(index)")
        }
        let report = try await laptop.exchange(with: Self.target(way, phone))
        #expect(report.attachments?.sent.contents == 2 && report.attachments?.received.contents == 2)
        for store in [phone, laptop] {
            // In a folder the exchange wrote as another process would.
            try await store.catchUp()
            let attachments = try store.attachments(of: trip)
            #expect(attachments.count == 4)
            for attachment in attachments {
                let index = try #require(Int(attachment.name))
                #expect(try await store.data(of: attachment) == Self.bytes(sizes[index], seed: UInt64(index)))
            }
        }
        #expect(try await laptop.exchange(with: Self.target(way, phone)).attachments == nil)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("continue after a cut where they ended", arguments: [false, true])
    func cut(sends: Bool) async throws {
        let (phone, laptop, trip) = try await Self.pair()
        let (from, other) = sends ? (laptop, phone) : (phone, laptop)
        let bytes = Self.bytes(5 << 20)
        try await from.attach(bytes, to: trip.reference, as: "film")
        let network = Self.network(phone)
        let passed = Mutex(0)
        network.setHook { frame, _, _ in
            // The film has 160 pieces of 32 KiB.
            guard frame.count > 32 << 10 else { return .arrives }
            return passed.withLock { count in
                count += 1
                return count == 90 ? .cut : .arrives
            }
        }
        await #expect(throws: (any Error).self) { try await laptop.exchange(with: .connector(network)) }
        let film = try #require(try laptop.attachments(of: trip).first)
        #expect(other.state(of: film) == .missing)
        // How many parts and pieces were stored before the cut depends on how far the receiver was.
        let incoming = other.contentFolder.path + "/incoming"
        let half = try FileManager.default.contentsOfDirectory(atPath: incoming).first { $0.hasSuffix(".part") }
        let there = try half.map { try Data(contentsOf: URL(fileURLWithPath: "\(incoming)/\($0)")).count } ?? 0
        let report = try await laptop.exchange(with: .connector(network))
        #expect(try await other.data(of: film) == bytes)
        let amount = sends ? report.attachments?.sent : report.attachments?.received
        let left = Int64(5 << 20 - there / (1 << 20) * (1 << 20))
        #expect(left < 4 << 20 && amount.map { $0.bytes <= left && $0.bytes > left - 1 << 20 } ?? false)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("with wrong bytes are refused part by part, and the others arrive")
    func wrong() async throws {
        let (phone, laptop, trip) = try await Self.pair()
        for (seed, name) in ["good", "bad", "fine"].enumerated() {
            try await phone.attach(Self.bytes(1000, seed: UInt64(seed)), to: trip.reference, as: name)
        }
        let bad = try #require(try phone.attachments(of: trip).first { $0.name == "bad" }?.content)
        let lying = LyingContents(FolderContents(ContentFolder.beside(phone.log)), about: bad)
        let report = try await laptop.exchange(with: .peer(LyingPeer(phone.log, lying)))
        #expect(report.attachments?.received.contents == 2 && report.attachments?.refused.count == 1)
        let states = try laptop.attachments(of: trip).filter { laptop.state(of: $0) == .missing }.map(\.name)
        #expect(states == ["bad"])
        // An honest one brings it.
        try await laptop.exchange(with: .store(phone))
        #expect(try laptop.attachments(of: trip).allSatisfy { laptop.state(of: $0) != .missing })
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("that were altered on one side stop no others", arguments: Way.allCases)
    func altered(way: Way) async throws {
        let (phone, laptop, trip) = try await Self.pair()
        for (seed, name) in ["good", "bad", "fine"].enumerated() {
            try await phone.attach(Self.bytes(1000, seed: UInt64(seed)), to: trip.reference, as: name)
            try await laptop.attach(Self.bytes(900, seed: UInt64(seed)), to: trip.reference, as: "own \(name)")
        }
        for store in [phone, laptop] {
            let bad = try #require(try store.attachments(of: trip).first { $0.name.hasSuffix("bad") })
            guard case .here(let url) = store.state(of: bad) else { throw CancellationError() }
            try Data(count: Int(bad.size ?? 0)).write(to: url)
        }
        let report = try await laptop.exchange(with: Self.target(way, phone))
        #expect(report.attachments?.received.contents == 2 && report.attachments?.sent.contents == 2)
        #expect(report.attachments?.refused.count == 2)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("are looked at again once other commits count than before")
    func recounted() async throws {
        let (phone, laptop, trip) = try await Self.pair()
        let tablet = try await SyncFixture.device(of: phone, .write, seed: 3)
        try await tablet.create(Trip(name: "Porto"))
        try await phone.attach(Self.bytes(10), to: trip.reference, as: "note")
        #expect(try await laptop.exchange(with: .store(phone)).attachments?.received.contents == 1)
        #expect(try await laptop.exchange(with: .store(phone)).attachments == nil)
        // The phone does not hold what it revokes: from then on it does not count on the laptop.
        try await laptop.exchange(with: .store(tablet))
        try await phone.revoke(tablet.replica)
        #expect(try await laptop.exchange(with: .store(phone)).attachments != nil)
        #expect(try await laptop.exchange(with: .store(phone)).attachments == nil)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("are taken in by a server up to its quota, and refused one by one beyond")
    func quota() async throws {
        var options = TripStore.Options(
            deviceName: "phone", mapSize: 1 << 30, dependencies: ManualClock(seed: 1).dependencies)
        options.logger.logLevel = .critical
        options.quotas.attachmentBytes = 1500
        let phone = try await TripStore.temporary(options: options)
        let trip = try await phone.create(Trip(name: "Lisbon"))
        let laptop = try await SyncFixture.device(of: phone, .write, seed: 2)
        try await laptop.exchange(with: .store(phone))
        for seed in 1...3 {
            try await laptop.attach(
                Self.bytes(seed == 3 ? 400 : 1000, seed: UInt64(seed)), to: trip.reference, as: "\(seed)")
        }
        let report = try await laptop.exchange(with: .connector(Self.network(phone)))
        #expect(report.attachments?.sent.contents == 2)
        #expect(report.attachments?.refused.first?.message.contains("1500 bytes") == true)
        #expect(try phone.attachments(of: trip).filter { phone.state(of: $0) == .missing }.count == 1)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("that one side lacks are asked for alone, however many came since")
    func missingLater() async throws {
        let (phone, laptop, trip) = try await Self.pair()
        let lost = try await phone.attach(Self.bytes(10), to: trip.reference, as: "lost")
        let content = try #require(try phone.entity(lost)?.content)
        try phone.contentFolder.remove(content)
        for seed in 2...5 as ClosedRange<UInt64> {
            try await phone.attach(Self.bytes(10, seed: seed), to: trip.reference, as: "\(seed)")
        }
        #expect(try await laptop.exchange(with: .store(phone)).attachments?.lacking.count == 1)
        let again = try await laptop.exchange(with: .store(phone)).attachments
        #expect(again?.lacking.map(\.content) == [content] && again?.received.contents == 0)
        // A process that is started later knows as well.
        let mark = try String(
            contentsOfFile: "\(laptop.contentFolder.path)/settled/\(phone.replica)", encoding: .utf8)
        #expect(mark.split(separator: "\n").count == 5)
        #expect(try await phone.store(Self.bytes(10)) == content)
        #expect(try await laptop.exchange(with: .store(phone)).attachments?.received.contents == 1)
        #expect(try await laptop.exchange(with: .store(phone)).attachments == nil)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("that were restored after they were dropped come back with the next exchange")
    func restored() async throws {
        let clocks = (ManualClock(seed: 1), ManualClock(seed: 2))
        let phone = try await TripStore.founded(clock: clocks.0)
        let trip = try await phone.create(Trip(name: "Lisbon"))
        let ticket = try await phone.attach(Data("ticket".utf8), to: trip.reference, as: "ticket")
        let laptop = try await TripStore.test(journal: phone.journal, clock: clocks.1)
        try await phone.grant(.write, to: laptop.replica)
        try await phone.delete(ticket)
        for clock in [clocks.0, clocks.1] { clock.now += 31 * 86_400_000 }
        try await laptop.exchange(with: .store(phone))
        let content = try #require(try phone.contentFolder.contents().first)
        #expect(try !laptop.contentFolder.holds(content.content))
        try await phone.restore(ticket)
        try await laptop.exchange(with: .store(phone))
        #expect(try laptop.contentFolder.holds(content.content))
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("that were altered here are fetched anew, and attaching the same file again mends them")
    func mended() async throws {
        let (phone, laptop, trip) = try await Self.pair()
        let id = try await phone.attach(Self.bytes(1000), to: trip.reference, as: "photo")
        try await laptop.exchange(with: .store(phone))
        let photo = try #require(try laptop.entity(id))
        for store in [phone, laptop] {
            guard case .here(let url) = store.state(of: photo) else { throw CancellationError() }
            try Data(count: 1000).write(to: url)
        }
        try await phone.attach(Self.bytes(1000), to: trip.reference, as: "photo again")
        #expect(try await phone.data(of: photo) == Self.bytes(1000))
        try await laptop.fetch(photo, from: .store(phone))
        #expect(try await laptop.data(of: photo) == Self.bytes(1000))
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("that are refused again and again are not all sent")
    func refusedOften() async throws {
        var options = TripStore.Options(
            deviceName: "phone", mapSize: 1 << 30, dependencies: ManualClock(seed: 1).dependencies)
        options.logger.logLevel = .critical
        options.quotas.attachmentBytes = 0
        let phone = try await TripStore.temporary(options: options)
        let trip = try await phone.create(Trip(name: "Lisbon"))
        let laptop = try await SyncFixture.device(of: phone, .write, seed: 2)
        try await laptop.exchange(with: .store(phone))
        for seed in 1...5 {
            try await laptop.attach(Self.bytes(100, seed: UInt64(seed)), to: trip.reference, as: "\(seed)")
        }
        let report = try await laptop.exchange(with: .connector(Self.network(phone)))
        #expect(report.attachments?.refused.count == 3 && report.attachments?.sent.contents == 0)
        // What was not even tried waits as well, and the peer is named.
        #expect(report.attachments?.waiting.contents == 5)
        #expect(report.shortcomings.count == 1)
        #expect(report.shortcomings.first?.contains("\"phone\", replica \(phone.replica)") == true)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("that were discarded are removed by a server too, which looks at its log alone")
    func server() async throws {
        let (phone, laptop, trip) = try await Self.pair()
        let network = Self.network(phone)
        let film = try await laptop.attach(Self.bytes(3 << 20), to: trip.reference, as: "film")
        let content = try #require(try laptop.entity(film)?.content)
        try await laptop.exchange(with: .connector(network))
        #expect(try phone.contentFolder.holds(content))
        try await laptop.discard(film)
        try await laptop.attach(Self.bytes(50), to: trip.reference, as: "photo")
        try await laptop.exchange(with: .connector(network))
        #expect(try phone.contentFolder.contents().map(\.content.size) == [50])
        // Once a day.
        let photo = try #require(try laptop.attachments(of: trip).last)
        try await laptop.discard(photo.id)
        try await laptop.attach(Self.bytes(60), to: trip.reference, as: "photo")
        try await laptop.exchange(with: .connector(network))
        #expect(try phone.contentFolder.contents().map(\.content.size).sorted() == [50, 60])
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("come when they are asked for, if the policy says so")
    func onDemand() async throws {
        let (phone, _) = try await SyncFixture.devices()
        let trip = try #require(try phone.trips(.dated).rows.first?.trip.id)
        try await phone.attach(Self.bytes(10), to: trip.reference, as: "small")
        try await phone.attach(Self.bytes(5000), to: trip.reference, as: "large")
        let tablet = try await TripStore.test(
            journal: phone.journal, clock: ManualClock(seed: 5), attachments: .ahead(upTo: 100))
        try await phone.grant(.write, to: tablet.replica)
        try await tablet.exchange(with: .store(phone))
        let large = try #require(try tablet.attachments(of: trip).first { $0.name == "large" })
        let small = try #require(try tablet.attachments(of: trip).first { $0.name == "small" })
        #expect(tablet.state(of: large) == .missing && tablet.state(of: small) != .missing)
        try await tablet.fetch(large, from: .connector(Self.network(phone)))
        #expect(try await tablet.data(of: large) == Self.bytes(5000))
        try await tablet.expectInvariants()
    }

    @Test("are served to members alone, and only those that a commit of the journal names")
    func unnamed() async throws {
        let (phone, laptop, trip) = try await Self.pair()
        try await phone.attach(Self.bytes(100), to: trip.reference, as: "named")
        let named = try #require(try phone.attachments(of: trip).first?.content)
        // Bytes that lie there, as of another journal, and that no commit names.
        let folder = ContentFolder.beside(phone.log)
        var rest: [UInt8]? = [UInt8](Self.bytes(200, seed: 9))
        let secret = try folder.add { rest.take() }
        let newest = try #require(try phone.audit(AuditFilter(isReversed: true), limit: 1).first)
        let commit = CommitID(replica: newest.replica, sequence: newest.sequence, hash: newest.hash)
        let network = Self.network(phone)
        let connect = try await SessionClient.connect(network, as: laptop.log, limits: .patient)
        defer { withExtendedLifetime(network) {} }
        let peer = SessionPeer(connect, for: laptop.log, remembers: false)
        _ = try await peer.greet(laptop.log.greeting().greeting)
        let contents = try #require(peer.contents)
        let asked = [NamedContent(named, in: commit), NamedContent(secret, in: commit)]
        #expect(try await contents.held(asked, keeping: false) == [true, false])
        let error = await #expect(throws: ExchangeError.self) {
            try await contents.parts(0..<1, of: asked[1]) { _ in }
        }
        #expect(error?.refusal == "notAuthorized")
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("pass a hub by themselves while both stay in sync")
    func staying() async throws {
        let hub = SyncFixture()
        let (phone, laptop) = try await SyncFixture.devices()
        let syncs = [hub.sync(phone), hub.sync(laptop)]
        let trip = try #require(try phone.trips(.dated).rows.first?.trip.id)
        try await phone.attach(Self.bytes(3 << 20), to: trip.reference, as: "film")
        try await eventually {
            guard let film = try laptop.attachments(of: trip).first else { return false }
            return laptop.state(of: film) != .missing
        }
        let film = try #require(try laptop.attachments(of: trip).first)
        #expect(try await laptop.data(of: film) == Self.bytes(3 << 20))
        for sync in syncs { await sync.stop() }
        for store in [phone, laptop] { try await store.expectInvariants() }
    }
}

/// Sends other bytes of one content than it has.
private struct LyingContents: ContentPeer {
    private let honest: any ContentPeer
    private let subject: ContentID

    init(_ honest: any ContentPeer, about subject: ContentID) {
        self.honest = honest
        self.subject = subject
    }

    func held(_ contents: [NamedContent], keeping: Bool) async throws -> [Bool] {
        try await honest.held(contents, keeping: keeping)
    }

    func outline(of content: NamedContent) async throws -> ContentOutline? { try await honest.outline(of: content) }

    func parts(_ range: Range<Int>, of content: NamedContent, _ body: ([UInt8]) async throws -> Void) async throws {
        try await honest.parts(range, of: content) { part in
            try await body(content.content == subject ? part.map { $0 ^ 1 } : part)
        }
    }

    func begin(_ content: NamedContent, _ outline: ContentOutline) async throws -> Int {
        try await honest.begin(content, outline)
    }

    func store(_ part: [UInt8], at index: Int, of content: NamedContent) async throws -> Int {
        try await honest.store(part, at: index, of: content)
    }
}

/// A log, with the attachments of a liar.
private struct LyingPeer: ExchangePeer {
    private let peer: LogPeer
    let contents: (any ContentPeer)?

    init(_ log: Log, _ contents: any ContentPeer) {
        peer = LogPeer(log)
        self.contents = contents
    }

    func greet(_ greeting: Greeting) async throws -> Greeting { try await peer.greet(greeting) }
    func frontier() async throws -> Frontier { try await peer.frontier() }
    func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        try await peer.segments(request, body)
    }
    func store(_ segments: [LineSegment]) async throws -> Acknowledgement { try await peer.store(segments) }
    func acknowledge(_ acknowledgement: Acknowledgement) async throws { try await peer.acknowledge(acknowledgement) }
}
