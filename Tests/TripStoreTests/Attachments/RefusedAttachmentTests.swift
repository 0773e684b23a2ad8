import EventLog
import Events
import Foundation
import LogExchange
import Logging
import StoreSupport
import Testing
import TripStoreTestSupport

@testable import TripStore

@Suite("Attachments that are damaged or refused", .timeLimit(.minutes(3)))
struct RefusedAttachmentTests {
    @Test("Attachments with wrong bytes are refused part by part, and the others arrive")
    func wrong() async throws {
        let (phone, laptop, trip) = try await AttachmentFixture.pair()
        for (seed, name) in ["good", "bad", "fine"].enumerated() {
            try await phone.attach(AttachmentFixture.bytes(1000, seed: UInt64(seed)), to: trip.reference, as: name)
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

    @Test("Attachments that were altered on one side stop no others", arguments: AttachmentFixture.Way.allCases)
    func altered(way: AttachmentFixture.Way) async throws {
        let (phone, laptop, trip) = try await AttachmentFixture.pair()
        for (seed, name) in ["good", "bad", "fine"].enumerated() {
            try await phone.attach(AttachmentFixture.bytes(1000, seed: UInt64(seed)), to: trip.reference, as: name)
            try await laptop.attach(
                AttachmentFixture.bytes(900, seed: UInt64(seed)), to: trip.reference, as: "own \(name)")
        }
        for store in [phone, laptop] {
            let bad = try #require(try store.attachments(of: trip).first { $0.name.hasSuffix("bad") })
            guard case .here(let url) = store.state(of: bad) else { throw CancellationError() }
            try Data(count: Int(bad.size ?? 0)).write(to: url)
        }
        let report = try await laptop.exchange(with: AttachmentFixture.target(way, phone))
        #expect(report.attachments?.received.contents == 2 && report.attachments?.sent.contents == 2)
        #expect(report.attachments?.refused.count == 2)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("Attachments that were altered here are fetched anew, and attaching the same file again mends them")
    func mended() async throws {
        let (phone, laptop, trip) = try await AttachmentFixture.pair()
        let id = try await phone.attach(AttachmentFixture.bytes(1000), to: trip.reference, as: "photo")
        try await laptop.exchange(with: .store(phone))
        let photo = try #require(try laptop.entity(id))
        for store in [phone, laptop] {
            guard case .here(let url) = store.state(of: photo) else { throw CancellationError() }
            try Data(count: 1000).write(to: url)
        }
        try await phone.attach(AttachmentFixture.bytes(1000), to: trip.reference, as: "photo again")
        #expect(try await phone.data(of: photo) == AttachmentFixture.bytes(1000))
        try await laptop.fetch(photo, from: .store(phone))
        #expect(try await laptop.data(of: photo) == AttachmentFixture.bytes(1000))
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("Attachments are taken in by a server up to its quota, and refused one by one beyond")
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
                AttachmentFixture.bytes(seed == 3 ? 400 : 1000, seed: UInt64(seed)), to: trip.reference, as: "\(seed)")
        }
        let report = try await laptop.exchange(with: .connector(AttachmentFixture.network(phone)))
        #expect(report.attachments?.sent.contents == 2)
        #expect(report.attachments?.refused.first?.message.contains("1500 bytes") == true)
        #expect(try phone.attachments(of: trip).filter { phone.state(of: $0) == .missing }.count == 1)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("Attachments that are refused again and again are not all sent")
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
            try await laptop.attach(AttachmentFixture.bytes(100, seed: UInt64(seed)), to: trip.reference, as: "\(seed)")
        }
        let report = try await laptop.exchange(with: .connector(AttachmentFixture.network(phone)))
        #expect(report.attachments?.refused.count == 3 && report.attachments?.sent.contents == 0)
        // Contents that were not even tried wait as well, and the peer is named.
        #expect(report.attachments?.waiting.contents == 5)
        #expect(report.shortcomings.count == 1)
        #expect(report.shortcomings.first?.contains("\"phone\", replica \(phone.replica)") == true)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("Attachments are served to members alone, and only those that a commit of the journal names")
    func unnamed() async throws {
        let (phone, laptop, trip) = try await AttachmentFixture.pair()
        try await phone.attach(AttachmentFixture.bytes(100), to: trip.reference, as: "named")
        let named = try #require(try phone.attachments(of: trip).first?.content)
        // Bytes that lie there, as of another journal, and that no commit names.
        let folder = ContentFolder.beside(phone.log)
        var rest: [UInt8]? = [UInt8](AttachmentFixture.bytes(200, seed: 9))
        let secret = try folder.add { rest.take() }
        let newest = try #require(try phone.audit(AuditFilter(isReversed: true), limit: 1).first)
        let commit = CommitID(replica: newest.replica, sequence: newest.sequence, hash: newest.hash)
        let network = AttachmentFixture.network(phone)
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
