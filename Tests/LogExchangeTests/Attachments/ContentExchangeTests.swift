import EventLog
import Events
import Foundation
import Logging
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import LogExchange

#if Hub
    import HubCarrier
#endif

@Suite("The exchange of attachments' bytes", .timeLimit(.minutes(3)))
struct ContentExchangeTests {
    private let place = TemporaryFolder()

    /// The levels and texts that a server logs.
    private final class LogLines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }

        var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

        private struct Handler: LogHandler {
            let lines: LogLines
            var metadata: Logger.Metadata = [:]
            var logLevel = Logger.Level.info

            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }

            func log(event: LogEvent) { lines.lines.withLock { $0.append("\(event.level): \(event.message)") } }
        }
    }

    /// A server's log, with two contents that a commit names, and a member whose folder has their bytes.
    private struct Fixture {
        let server: TestReplica
        let member: TestReplica
        let contents: [SentContent]
        let named: [NamedContent]

        var folders: (server: ContentFolder, member: ContentFolder) { (.beside(server.log), .beside(member.log)) }

        init() async throws {
            server = try TestReplica("server", founding: true)
            member = try TestReplica("member", journal: server.log.journal)
            try await server.log.grant(.read, to: member.id)
            contents = [try SentContent(2 << 20 + 5, seed: 1), try SentContent(700, seed: 2)]
            let events = try contents.enumerated().map { index, content in
                let id = try #require(UUID(uuidString: "BDB40EC8-3610-4000-8000-00000000000\(index)"))
                return Event(
                    verb: .created, entity: EntityReference(kind: EntityKind(rawValue: 7), id: id),
                    changes: [
                        Change(path: FieldPath(field: AttachmentNames.field), value: content.content.bytes)
                    ])
            }
            let appended = try #require(try await server.log.append(Payload(author: "server", events: events)))
            let commit = CommitID(replica: server.id, sequence: appended.sequence, hash: appended.hash)
            named = contents.map { NamedContent($0.content, in: commit) }
            for content in contents {
                var rest: [UInt8]? = content.bytes
                _ = try folders.member.add { rest.take() }
            }
        }

        /// Holds the lock of the server's unfinished file, as a process does that writes a part.
        func lock(_ content: SentContent) throws -> Int32 {
            let path = folders.server.incomingPath(of: content.content)
            try FileManager.default.createDirectory(
                atPath: folders.server.incoming, withIntermediateDirectories: true)
            let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
            #expect(flock(descriptor, LOCK_EX) == 0)
            return descriptor
        }

        func send(over network: MemoryNetwork) async throws -> ContentReport {
            let client = try await SessionClient.connect(
                network, as: member.log, journal: server.log.journal, limits: .patient)
            defer { client.close() }
            let peer = SessionPeer(client, for: member.log, remembers: false)
            _ = try await peer.greet(member.log.greeting().greeting)
            let contents = try #require(peer.contents)
            return try await ContentExchange(folders.member, with: contents).run(named)
        }
    }

    @Test("Bytes that another process is storing at a server are sent later, stop no others, and are no refusal there")
    func busy() async throws {
        let fixture = try await Fixture()
        let lines = LogLines()
        let refusals = Mutex<[String]>([])
        var server = SessionServer(SingleLogHost(fixture.server.log), limits: .patient, logger: lines.logger)
        #if Hub
            let metrics = PrometheusMetrics(help: HubMetrics.help)
            let hub = HubMetrics(factory: metrics)
        #endif
        server.observe = { event in
            #if Hub
                hub.note(event)
            #endif
            if case .refused(_, _, let code) = event { refusals.withLock { $0.append(code) } }
        }
        let network = MemoryNetwork(server)
        let other = try fixture.lock(fixture.contents[0])
        let report = try await fixture.send(over: network)
        close(other)
        #expect(report.refused.map(\.code) == [.busy] && report.mayComeSoon)
        #expect(report.unsettled == [fixture.named[0]] && report.sent.contents == 1)
        #expect(report.refused.first?.message.contains("/") == false)
        let later = try await fixture.send(over: network)
        #expect(later.refused.isEmpty && later.sent.contents == 1)
        for content in fixture.contents {
            #expect(try content.stored(in: fixture.folders.server) == content.bytes)
        }
        #expect(refusals.withLock { $0.isEmpty } && !lines.all.contains { $0.hasPrefix("warning") })
        #if Hub
            #expect(metrics.text.contains("hub_sessions") && !metrics.text.contains("messages_refused"))
        #endif
    }

    @Test(
        "Bytes for which a server's disk has no room are named with that reason, and stored once there is some",
        .enabled(if: MemoryFileSystem.isAvailable))
    func fullDisk() async throws {
        let fixture = try await Fixture()
        let system = try MemoryFileSystem(kibibytes: 1024)
        try FileManager.default.createSymbolicLink(
            atPath: fixture.folders.server.path, withDestinationPath: system.path)
        let lines = LogLines()
        let network = MemoryNetwork(
            SessionServer(SingleLogHost(fixture.server.log), limits: .patient, logger: lines.logger))
        try system.fill()
        let report = try await fixture.send(over: network)
        #expect(report.refused.map(\.code) == [.failed, .failed] && report.sent.contents == 0 && report.mayComeSoon)
        #expect(report.refused.allSatisfy { $0.message.contains("disk is full") && !$0.message.contains("/") })
        #expect(report.waiting == .init(contents: 2, bytes: 2 << 20 + 705))
        let sentence = try #require(report.shortcoming(with: "the hub"))
        #expect(sentence.hasPrefix("2 attachments of \(2 << 20 + 705) bytes could not be exchanged with the hub."))
        #expect(sentence.contains("disk is full") && lines.all.contains { $0.hasPrefix("warning") })
        try system.enlarge(toKibibytes: 16 << 10)
        let later = try await fixture.send(over: network)
        #expect(later.refused == [] && later.sent.contents == 2 && later.shortcoming(with: "the hub") == nil)
        for content in fixture.contents {
            #expect(try content.stored(in: fixture.folders.server) == content.bytes)
        }
        withExtendedLifetime(system) {}
    }

    @Test("However many contents are busy, the exchange goes on with the others")
    func manyBusy() async throws {
        let folder = ContentFolder(place.path("attachments"), now: { 0 })
        let contents = try (1...5).map { try SentContent(10, seed: UInt64($0)) }
        for content in contents {
            var rest: [UInt8]? = content.bytes
            _ = try folder.add { rest.take() }
        }
        let peer = BusyContents(busy: Set(contents.prefix(4).map(\.content)))
        let report = try await ContentExchange(folder, with: peer).run(contents.map(\.named))
        #expect(report.refused.map(\.code) == [.busy, .busy, .busy, .busy] && report.sent.contents == 1)
    }

    @Test(
        "Where the other side cannot even look what it holds, its reason is said with no amount, and the exchange does not fail"
    )
    func cannotLook() async throws {
        let folder = ContentFolder(place.path("attachments"), now: { 0 })
        let contents = try (1...3).map { try SentContent(10, seed: UInt64($0)) }
        let peer = BusyContents(busy: [], cannotLook: true)
        let report = try await ContentExchange(folder, with: peer).run(contents.map(\.named))
        #expect(report.refused.map(\.code) == [.failed] && report.mayComeSoon && report.isSupported)
        #expect(report.waiting == .init() && report.unsettled.count == 3)
        #expect(
            report.shortcoming(with: "the hub") == "Attachments could not be exchanged with the hub. The other refused."
        )
    }

    @Test("Parts that another sender brought meanwhile are not sent")
    func skipped() async throws {
        let sent = try SentContent(5 << 20)
        let own = ContentFolder(place.path("own"), now: { 0 })
        var rest: [UInt8]? = sent.bytes
        _ = try own.add { rest.take() }
        let there = ContentFolder(place.path("there"), now: { 0 })
        let report = try await ContentExchange(own, with: RacedContents(there, sent)).run([sent.named])
        #expect(report.sent.contents == 1 && report.sent.bytes == 2 << 20)
        #expect(try sent.stored(in: there) == sent.bytes)
    }
}

/// Responds to some contents as a server does where another process stores them.
private struct BusyContents: ContentPeer {
    let busy: Set<ContentID>
    var cannotLook = false

    func held(_ contents: [NamedContent], keeping: Bool) async throws -> [Bool] {
        if cannotLook { throw ExchangeError(.refused, "The other refused.", refusal: SessionEvent.ownFault) }
        return contents.map { _ in false }
    }
    func outline(of content: NamedContent) async throws -> ContentOutline? { nil }
    func parts(_ range: Range<Int>, of content: NamedContent, _ body: ([UInt8]) async throws -> Void) async throws {}
    func begin(_ content: NamedContent, _ outline: ContentOutline) async throws -> Int { 0 }
    func store(_ part: [UInt8], at index: Int, of content: NamedContent) async throws -> Int {
        guard busy.contains(content.content) else { return index + 1 }
        throw ExchangeError(.refused, "The other refused.", refusal: "contentBusy")
    }
}

/// A folder to which another sender brings the parts 1 to 3 while the first one comes.
private struct RacedContents: ContentPeer {
    private let peer: FolderContents
    private let other: FolderContents
    private let sent: SentContent

    init(_ folder: ContentFolder, _ sent: SentContent) {
        peer = FolderContents(folder)
        other = FolderContents(folder)
        self.sent = sent
    }

    func held(_ contents: [NamedContent], keeping: Bool) async throws -> [Bool] {
        try await peer.held(contents, keeping: keeping)
    }
    func outline(of content: NamedContent) async throws -> ContentOutline? { try await peer.outline(of: content) }
    func parts(_ range: Range<Int>, of content: NamedContent, _ body: ([UInt8]) async throws -> Void) async throws {
        try await peer.parts(range, of: content, body)
    }
    func begin(_ content: NamedContent, _ outline: ContentOutline) async throws -> Int {
        try await peer.begin(content, outline)
    }
    func store(_ part: [UInt8], at index: Int, of content: NamedContent) async throws -> Int {
        if index == 0 {
            _ = try await sent.begin(at: other)
            for index in 0..<4 { _ = try await sent.send(index, to: other) }
        }
        return try await peer.store(part, at: index, of: content)
    }
}
