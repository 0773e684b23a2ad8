import EventLog
import Events
import Foundation
import LogExchange
import StoreSupport
import Testing

/// Erasures go wherever their commits are.
@Suite("Exchanging erasures")
struct ErasureExchangeTests {
    /// The newest commit of a replica.
    private static func newest(_ replica: TestReplica) throws -> CommitID {
        let head = try #require(
            try replica.log.read { try $0.signedHeads(of: $0.journal()) }.first { $0.replica == replica.id })
        return head
    }

    private static func digest(_ replica: TestReplica) throws -> Digest? {
        try replica.log.read { try $0.erasureDigest() }
    }

    private static func erased(_ replica: TestReplica, _ id: CommitID) throws -> ErasedLeaves? {
        try replica.log.read { log in
            let position = try #require(try log.position(of: id, in: log.journal()))
            return try #require(try log.commit(at: position)).view.erased
        }
    }

    private static let event = ErasedLeaves.some(LeafSet(events: [0]))

    @Test("Where both hold the commit, the erasure comes alone", arguments: Carrier.allCases)
    func alone(_ carrier: Carrier) async throws {
        let (one, two) = try twoReplicas(over: carrier)
        try await one.write(3)
        try await carrier.exchange(one, two)
        try await one.log.signHead()
        let id = try Self.newest(one)
        try await one.log.erase(Self.event, in: id)
        #expect(try Self.erased(two, id) == nil)
        // Whichever side begins.
        let report = try await two.exchange(with: carrier.peer(one, for: two))
        #expect(report.erasures == 1 && report.received.commits == 0)
        #expect(try Self.erased(two, id) == Self.event)
        #expect(try Self.digest(one) == Self.digest(two))
        try await expectEqual([one, two])
        // And then there is nothing to say.
        let peer = CountingPeer(LogPeer(one.log))
        try await two.exchange(with: peer)
        #expect(peer.calls == ["greet"])
    }

    @Test("It is pushed as well", arguments: [Carrier.inProcess, .folder, .messages, .sharedTable])
    func pushed(_ carrier: Carrier) async throws {
        let (one, two) = try twoReplicas(over: carrier)
        try await one.write(3)
        try await carrier.exchange(one, two)
        let id = try Self.newest(one)
        try await one.log.erase(.all, in: id)
        try await carrier.exchange(one, two)
        #expect(try Self.erased(two, id) == .all)
        try await expectEqual([one, two])
    }

    @Test("Who joins later gets what is left, and the erasure with it", arguments: Carrier.allCases)
    func later(_ carrier: Carrier) async throws {
        let (one, two) = try twoReplicas(over: carrier)
        try await one.write(3)
        let id = try await {
            try await one.log.signHead()
            return try Self.newest(one)
        }()
        try await one.log.erase(Self.event, in: id)
        try await carrier.exchange(one, two)
        #expect(try Self.erased(two, id) == Self.event)
        #expect(try Self.digest(one) == Self.digest(two))
        try await expectEqual([one, two])
    }

    @Test("Whoever knows of it tells those who do not, through whatever hands, also with new commits beside it")
    func throughHands() async throws {
        let (one, two) = try twoReplicas()
        let three = try TestReplica("three", journal: one.log.journal)
        try await one.write(3)
        for other in [two, three] { try await one.exchange(with: LogPeer(other.log)) }
        let id = try Self.newest(one)
        try await one.log.erase(Self.event, in: id)
        try await two.write(2)
        try await three.write(2)
        try await two.exchange(with: LogPeer(one.log))
        try await three.exchange(with: MessagePeer(LoopbackChannel(two.log)))
        for replica in [two, three] { #expect(try Self.erased(replica, id) == Self.event) }
        try await one.exchange(with: LogPeer(three.log))
        try await expectEqual([one, two, three])
    }

    @Test("Erasures of one replica by two of its hands come together, in whatever order")
    func united() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(1)
        let entity = EntityReference(kind: EntityKind(rawValue: 1), id: UUID())
        let payload = Payload(events: (0..<4).map { _ in Event(verb: .edited, entity: entity) })
        _ = try await one.log.append(payload)
        try await one.exchange(with: LogPeer(two.log))
        let copy = try one.copied(as: "copy")
        let id = try Self.newest(one)
        try await one.log.erase(.some(LeafSet(events: [0, 1])), in: id)
        try await copy.log.erase(.some(LeafSet(events: [1, 3])), in: id)
        try await two.exchange(with: LogPeer(copy.log))
        try await one.exchange(with: LogPeer(two.log))
        try await copy.exchange(with: LogPeer(one.log))
        for replica in [one, two, copy] { #expect(try Self.erased(replica, id) == .some(LeafSet(events: [0, 1, 3]))) }
        #expect(try Set([one, two, copy].map(Self.digest)).count == 1)
        try await expectEqual([one, two, copy])
    }

    @Test("A bundle for who holds the commit brings the erasure")
    func bundle() async throws {
        let (one, two) = try twoReplicas(over: .bundle)
        try await one.write(3)
        try await Carrier.bundle.exchange(one, two)
        let id = try Self.newest(one)
        try await one.log.erase(Self.event, in: id)
        let file = one.folder.url.appendingPathComponent("since.bundle")
        let summary = try await BundleWriter.write(one.log, lacking: two.frontier(), to: file)
        #expect(summary.commits == 0)
        try await two.exchange(with: BundlePeer(file))
        #expect(try Self.erased(two, id) == Self.event)
        try await expectEqual([one, two])
    }
}
