import EventLog
import Events
import Foundation
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import LogExchange

@Suite("Links that break again and again", .timeLimit(.minutes(3)))
struct BrokenLinkTests {
    /// The bytes that each connection carries, in both directions together.
    private static let carried = 64 << 10

    /// The bytes of each commit.
    enum Commits: String, CaseIterable, Sendable {
        case small, around, large, mixed

        var sizes: [Int] {
            switch self {
            case .small: Array(repeating: 9_000, count: 40)
            case .around: [32_000, 32_768, 33_000, 65_000, 65_536, 66_000]
            case .large: [400_000]
            case .mixed: [10, 300_000, 10, 20_000, 20_000, 70_000]
            }
        }
    }

    /// Cuts each connection of a network once it has carried so many bytes.
    private static func cut(_ network: MemoryNetwork, after bytes: Int) {
        let sent = Mutex(0)
        network.setHook { frame, _, number in
            sent.withLock { sent in
                if number == 0 { sent = 0 }
                sent += frame.count
                return sent > bytes ? .cut : .arrives
            }
        }
    }

    /// Does something over new connections, each of which is cut, until it is done. Returns how often it was tried.
    private static func attempts(
        _ network: MemoryNetwork, for bytes: Int, _ body: () async throws -> Void
    ) async throws -> Int {
        cut(network, after: carried)
        var attempts = 1
        while await failure(of: body) != nil {
            attempts += 1
            // Each connection carries a part at least, but for one that the server's end of the last one disturbs.
            try #require(attempts <= bytes / SegmentCutter.most * 3 + 20)
        }
        network.setHook { _, _, _ in .arrives }
        return attempts
    }

    private static func write(_ sizes: [Int], to replica: TestReplica) async throws {
        // Other bytes would be packed.
        var random = SeededGenerator(seed: 7)
        for size in sizes {
            let entity = EntityReference(kind: EntityKind(rawValue: 1), id: UUID())
            let change = Change(path: FieldPath(field: 1), value: random.bytes(count: size))
            let event = Event(verb: .created, entity: entity, changes: [change])
            _ = try await replica.log.append(Payload(author: replica.name, events: [event]))
        }
        try await replica.log.signHead()
    }

    @Test("Commits arrive over connections that carry 64 KiB, both ways", arguments: Commits.allCases, [false, true])
    func commits(_ commits: Commits, isUpload: Bool) async throws {
        let fixture = try await SessionFixture()
        let member = try await fixture.replica("member")
        try await fixture.exchange(member)
        try await Self.write(commits.sizes, to: isUpload ? member : fixture.founder)
        let bytes = commits.sizes.reduce(0, +)
        let attempts = try await Self.attempts(fixture.network, for: bytes) { try await fixture.exchange(member) }
        #expect(attempts > bytes / Self.carried)
        try await fixture.exchange(member)
        try await expectEqual([fixture.founder, member])
        // Nothing is left of what was kept aside.
        #expect(PartFolder.beside(member.log).entries().isEmpty)
    }

    @Test("Commits that came in part from one server are completed by another")
    func otherSource() async throws {
        let first = try await SessionFixture()
        let one = try await first.replica("one")
        let other = try await first.replica("other")
        try await Self.write([9_000, 9_000, 9_000, 9_000, 9_000, 9_000, 9_000], to: first.founder)
        try await first.exchange(other)
        let network = MemoryNetwork(SessionFixture.server(SingleLogHost(other.log)))
        Self.cut(first.network, after: 40_000)
        #expect(await failure { try await first.exchange(one) } != nil)
        let held = PartFolder.beside(one.log).entries()
        #expect(held.count == 1 && held.allSatisfy { $0.size > 20_000 })
        let sent = Mutex(0)
        network.setHook { frame, direction, _ in
            if direction == .toClient { sent.withLock { $0 += frame.count } }
            return .arrives
        }
        let client = try await first.connect(one, over: network)
        try await one.exchange(with: SessionPeer(client, for: one.log, remembers: false))
        #expect(sent.withLock { $0 } < 50_000)
        try await expectEqual([first.founder, one, other])
    }

    @Test(
        "A client sends commits whole, in the same session, when the server does not keep the first of them any more",
        arguments: [Commits.small, .large], [false, true])
    func gone(_ commits: Commits, isLost: Bool) async throws {
        let fixture = try await SessionFixture()
        let member = try await fixture.replica("member")
        try await fixture.exchange(member)
        try await Self.write(commits.sizes, to: member)
        Self.cut(fixture.network, after: Self.carried * 2)
        #expect(await failure { try await fixture.exchange(member) } != nil)
        fixture.network.setHook { _, _, _ in .arrives }
        try await eventually { fixture.server.connections.sessions == 0 }
        let folder = PartFolder.beside(fixture.founder.log)
        #expect(!folder.entries().isEmpty)
        let session = try await fixture.connect(member)
        let peer = MessagePeer(session)
        _ = try await peer.greet(member.log.greeting().greeting)
        #expect(session.heldThere.map { $0 != HeldParts() } == true)
        if isLost { for entry in folder.entries() { folder.remove(entry.file) } }
        _ = try await peer.store(try await member.allSegments().filter { $0.replica == member.id })
        // It goes on from nothing twice.
        #expect(session.failure == nil && session.heldThere == HeldParts())
        try await expectEqual([fixture.founder, member])
    }

    // MARK: Contents

    /// A server's log with a content that a commit names, and a member of its journal.
    private struct Attached {
        let server: TestReplica
        let member: TestReplica
        let sent: SentContent
        let named: NamedContent

        init(_ size: Int) async throws {
            server = try TestReplica("server", founding: true)
            member = try TestReplica("member", journal: server.log.journal)
            try await server.log.grant(.read, to: member.id)
            sent = try SentContent(size, seed: 3)
            let change = Change(path: FieldPath(field: AttachmentNames.field), value: sent.content.bytes)
            let id = try #require(UUID(uuidString: "BDB40EC8-3610-4000-8000-000000000001"))
            let event = Event(
                verb: .created, entity: EntityReference(kind: EntityKind(rawValue: 7), id: id), changes: [change])
            let appended = try #require(try await server.log.append(Payload(author: "server", events: [event])))
            named = NamedContent(
                sent.content,
                in: CommitID(replica: server.id, sequence: appended.sequence, hash: appended.hash))
        }

        func exchange(over network: MemoryNetwork) async throws {
            let client = try await SessionClient.connect(
                network, as: member.log, journal: server.log.journal, limits: .patient)
            defer { client.close() }
            let peer = SessionPeer(client, for: member.log, remembers: false)
            _ = try await peer.greet(member.log.greeting().greeting)
            let contents = try #require(peer.contents)
            _ = try await ContentExchange(.beside(member.log), with: contents).run([named])
        }
    }

    @Test(
        "Attachments arrive over connections that carry 64 KiB, both ways",
        arguments: [32_768, 32_769, 65_536, 700_000, ContentID.partSize + 70_000], [false, true])
    func contents(_ size: Int, isUpload: Bool) async throws {
        let attached = try await Attached(size)
        let network = MemoryNetwork(SessionFixture.server(SingleLogHost(attached.server.log)))
        let folders = (
            server: ContentFolder.beside(attached.server.log), member: ContentFolder.beside(attached.member.log)
        )
        var rest: [UInt8]? = attached.sent.bytes
        _ = try (isUpload ? folders.member : folders.server).add { rest.take() }
        let attempts = try await Self.attempts(network, for: size) { try await attached.exchange(over: network) }
        #expect(attempts > size / Self.carried)
        #expect(try attached.sent.stored(in: isUpload ? folders.server : folders.member) == attached.sent.bytes)
        #expect(PartFolder.beside(attached.member.log).entries().isEmpty)
        for replica in [attached.server, attached.member] { try replica.expectIntact() }
    }

    @Test(
        "A client sends an attachment's part whole, in the same session, when the server does not keep the first of it any more",
        arguments: [false, true])
    func contentGone(isLost: Bool) async throws {
        let attached = try await Attached(700_000)
        let server = SessionFixture.server(SingleLogHost(attached.server.log))
        let network = MemoryNetwork(server)
        var rest: [UInt8]? = attached.sent.bytes
        _ = try ContentFolder.beside(attached.member.log).add { rest.take() }
        Self.cut(network, after: Self.carried * 2)
        #expect(await failure { try await attached.exchange(over: network) } != nil)
        network.setHook { _, _, _ in .arrives }
        try await eventually { server.connections.sessions == 0 }
        let folder = PartFolder.beside(attached.server.log)
        #expect(!folder.entries().isEmpty)
        let session = try await SessionClient.connect(
            network, as: attached.member.log, journal: attached.server.log.journal, limits: .patient)
        let peer = MessagePeer(session)
        _ = try await peer.greet(attached.member.log.greeting().greeting)
        #expect(session.heldThere?.pieces.isEmpty == false)
        if isLost { for entry in folder.entries() { folder.remove(entry.file) } }
        let contents = try #require(peer.contents)
        _ = try await ContentExchange(.beside(attached.member.log), with: contents).run([attached.named])
        #expect(try attached.sent.stored(in: .beside(attached.server.log)) == attached.sent.bytes)
        #expect(session.failure == nil && session.heldThere == HeldParts())
        for replica in [attached.server, attached.member] { try replica.expectIntact() }
    }
}
