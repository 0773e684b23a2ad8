import Events
import Foundation
import LMDB
import StoreSupport
import TestSupport
import Testing

@testable import EventLog
@testable import LogExchange

/// Erasures are stated by commits, and these are exchanged like all others.
@Suite("Exchanging erasures")
struct ErasureExchangeTests {
    @Test("Where both hold the commit, the statement comes alone", arguments: Carrier.allCases)
    func alone(_ carrier: Carrier) async throws {
        let (one, two) = try twoReplicas(over: carrier)
        try await one.write(3)
        try await carrier.exchange(one, two)
        try await one.log.signHead()
        let id = try one.newestCommit()
        try await one.log.erase(.firstEvent, in: id)
        #expect(try two.erased(id) == nil)
        // Whichever side begins.
        let report = try await two.exchange(with: carrier.peer(one, for: two))
        #expect(report.received.commits == 1 && report.received.events == 0)
        #expect(try two.erased(id) == .firstEvent)
        #expect(try one.erasureDigest() == two.erasureDigest())
        try await expectEqual([one, two])
        // And then there is nothing to send.
        let peer = CountingPeer(LogPeer(one.log))
        try await two.exchange(with: peer)
        #expect(peer.calls == ["greet"])
    }

    @Test("It is pushed as well", arguments: [Carrier.inProcess, .folder, .messages, .sharedTable])
    func pushed(_ carrier: Carrier) async throws {
        let (one, two) = try twoReplicas(over: carrier)
        try await one.write(3)
        try await carrier.exchange(one, two)
        let id = try one.newestCommit()
        try await one.log.erase(.all, in: id)
        try await carrier.exchange(one, two)
        #expect(try two.erased(id) == .all)
        try await expectEqual([one, two])
    }

    @Test("A later member gets what is left, and the statement with it", arguments: Carrier.allCases)
    func later(_ carrier: Carrier) async throws {
        let (one, two) = try twoReplicas(over: carrier)
        try await one.write(3)
        let id = try await {
            try await one.log.signHead()
            return try one.newestCommit()
        }()
        try await one.log.erase(.firstEvent, in: id)
        try await carrier.exchange(one, two)
        #expect(try two.erased(id) == .firstEvent)
        #expect(try one.erasureDigest() == two.erasureDigest())
        try await expectEqual([one, two])
    }

    @Test("It reaches every replica, over any path, also together with new commits")
    func throughHands() async throws {
        let (one, two) = try twoReplicas()
        let three = try TestReplica("three", journal: one.log.journal)
        try await one.write(3)
        for other in [two, three] { try await one.exchange(with: LogPeer(other.log)) }
        let id = try one.newestCommit()
        try await one.log.erase(.firstEvent, in: id)
        try await two.write(2)
        try await three.write(2)
        try await two.exchange(with: LogPeer(one.log))
        try await three.exchange(with: MessagePeer(LoopbackChannel(two.log)))
        for replica in [two, three] { #expect(try replica.erased(id) == .firstEvent) }
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
        let id = try one.newestCommit()
        try await one.log.erase(.some(LeafSet(events: [0, 1])), in: id)
        try await copy.log.erase(.some(LeafSet(events: [1, 3])), in: id)
        try await two.exchange(with: LogPeer(copy.log))
        try await one.exchange(with: LogPeer(two.log))
        try await copy.exchange(with: LogPeer(one.log))
        for replica in [one, two, copy] { #expect(try replica.erased(id) == .some(LeafSet(events: [0, 1, 3]))) }
        #expect(try Set([one, two, copy].map { try $0.erasureDigest() }).count == 1)
        try await expectEqual([one, two, copy])
    }

    @Test(
        "What is refused of one replica keeps neither statements nor the acknowledgement back",
        arguments: [false, true])
    func refusedLine(isReceived: Bool) async throws {
        let (one, two) = try twoReplicas()
        try await one.write(3)
        try await Carrier.inProcess.exchange(one, two)
        let id = try one.newestCommit()
        try await one.log.erase(.firstEvent, in: id)
        // By a clock that one of the two considers right, and the other does not.
        one.clock.advance(by: 20 * RefusedSegmentsTests.hour)
        let ahead = try TestReplica("ahead", journal: one.log.journal)
        ahead.clock.advance(by: 40 * RefusedSegmentsTests.hour)
        try await ahead.write(2)
        try await one.exchange(with: LogPeer(ahead.log))
        let (asking, asked) = isReceived ? (two, one) : (one, two)
        let error = await failure { try await asking.exchange(with: LogPeer(asked.log)) }
        #expect(code(error) == "implausibleTime")
        #expect(try two.erased(id) == .firstEvent)
        let acknowledged = try PeerBook(asked.log).record(of: asking.id)?.acknowledged
        #expect(try await acknowledged == asking.frontier())
        for replica in [one, two] { try replica.expectIntact() }
    }

    @Test("A bundle for a holder of the commit brings the statement")
    func bundle() async throws {
        let (one, two) = try twoReplicas(over: .bundle)
        try await one.write(3)
        try await Carrier.bundle.exchange(one, two)
        let id = try one.newestCommit()
        try await one.log.erase(.firstEvent, in: id)
        let file = try one.bundle("since.bundle")
        let summary = try await BundleWriter.write(one.log, lacking: two.frontier(), to: file)
        #expect(summary.commits == 1)
        try await two.exchange(with: BundlePeer(file))
        #expect(try two.erased(id) == .firstEvent)
        try await expectEqual([one, two])
    }
}
