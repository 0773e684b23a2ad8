import Events
import Foundation
import LMDB
import StoreSupport
import TestSupport
import Testing

@testable import EventLog
@testable import LogExchange

/// Erasures follow their commits.
@Suite("Exchanging erasures")
struct ErasureExchangeTests {
    @Test("Where both hold the commit, the erasure comes alone", arguments: Carrier.allCases)
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
        #expect(report.erasures == 1 && report.received.commits == 0)
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

    @Test("A later member gets what is left, and the erasure with it", arguments: Carrier.allCases)
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

    @Test("Of more commits than a request has room for it is asked in several")
    func requests() throws {
        var random = SeededGenerator(seed: 1)
        let states = (0..<7).compactMap { _ in
            ErasureState((0..<48).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        }.sorted { $0.commit < $1.commit }
        let journal = JournalID(UUID())
        for count in 1...8 {
            let requests = ErasureRequest.requests(journal: journal, states: states, atMost: count)
            #expect(requests.count == (7 + count - 1) / count && requests.flatMap(\.states) == states)
            // Each commit, known or not, belongs to exactly one of them.
            for state in states + [0, 255].compactMap({ ErasureState([UInt8](repeating: $0, count: 48)) }) {
                #expect(requests.count { $0.isAbout(state) } == 1)
            }
            for request in requests { #expect(request.states.allSatisfy(request.isAbout)) }
        }
        #expect(ErasureRequest.requests(journal: journal, states: []).count == 1)
        let largest = ErasureRequest.mostStates * ErasureState.size
        #expect(max(largest, ErasureRequest.mostStates * (Digest.size + 2)) + (4 << 20) < ExchangeMessage.largest)
    }

    @Test("What takes several requests is exchanged with all of them")
    func severalRequests() async throws {
        let (one, two) = try twoReplicas()
        var erased: [CommitID] = []
        for (replica, count) in [(one, 5), (two, 3)] {
            for _ in 0..<count {
                try await replica.write(1)
                try await replica.log.signHead()
                erased.append(try replica.newestCommit())
            }
        }
        try await Carrier.inProcess.exchange(one, two)
        for id in erased { try await (id.replica == one.id ? one : two).log.erase(.firstEvent, in: id) }
        let peer = CountingPeer(LogPeer(two.log))
        var session = ExchangeSession(one.log, with: peer)
        session.mostErasureStates = 2
        #expect(try await session.run().erasures == 3)
        #expect(peer.calls == ["greet", "erasures", "erasures", "erasures", "keep", "holes"])
        for id in erased {
            for replica in [one, two] { #expect(try replica.erased(id) == .firstEvent) }
        }
        #expect(try one.erasureDigest() == two.erasureDigest())
        try await expectEqual([one, two])
    }

    @Test("Erasures of commits that are not forwarded do not keep an exchange from ending")
    func unlisted() async throws {
        let one = try TestReplica("one", founding: true)
        try await one.write(1)
        let stranger = try TestReplica("stranger", journal: one.log.journal)
        try await stranger.write(2)
        try await stranger.exchange(with: LogPeer(one.log))
        let id = try #require(try await stranger.frontier().heads.first { $0.replica == stranger.id })
        let two = try TestReplica("two", journal: one.log.journal)
        try await one.log.grant(.write, to: two.id)
        try await two.write(1)
        for _ in 0..<2 { try await two.exchange(with: LogPeer(one.log)) }
        // A stranger's erasure of its own commits counts, and is forwarded nowhere.
        try await stranger.log.erase(.all, in: id)
        try await one.log.keep(try stranger.log.read { try $0.erasures(of: id.hash) })
        #expect(try one.erased(id) == .all)
        let peer = CountingPeer(LogPeer(one.log))
        try await two.exchange(with: peer)
        #expect(peer.calls == ["greet"])
        for replica in [one, two] { try replica.expectIntact() }
    }

    @Test(
        "Five statements that say different things go together, over whatever carries them", arguments: Carrier.allCases
    )
    func fiveStatements(_ carrier: Carrier) async throws {
        let (one, two) = try twoReplicas(over: carrier)
        try await one.write(1)
        let entity = EntityReference(kind: EntityKind(rawValue: 1), id: UUID())
        _ = try await one.log.append(Payload(events: (0..<6).map { _ in Event(verb: .edited, entity: entity) }))
        try await carrier.exchange(one, two)
        let id = try one.newestCommit()
        let identity = try #require(try KeyFile(path: one.folder.path("replica.key")).read().first)
        let statements = try (0..<5).map { event in
            try Erasure(of: .some(LeafSet(events: [event])), in: id, of: one.log.journal, at: 1, by: identity)
        }
        // One of them makes the others superfluous, had they not arrived together.
        try await two.log.keep([
            try Erasure(
                of: .some(LeafSet(events: 0..<5)), in: id, of: one.log.journal, at: 1, number: 1, by: identity)
        ])
        for statement in statements { try await one.log.keep([statement]) }
        #expect(try one.erased(id) == .some(LeafSet(0..<7)))
        try await two.exchange(with: carrier.peer(one, for: two))
        #expect(try two.erased(id) == .some(LeafSet(0..<7)))
        #expect(try one.erasureDigest() == two.erasureDigest())
        try await expectEqual([one, two])
    }

    @Test(
        "What is refused of one replica keeps neither erasures nor the acknowledgement back", arguments: [false, true])
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

    @Test("A bundle for a holder of the commit brings the erasure")
    func bundle() async throws {
        let (one, two) = try twoReplicas(over: .bundle)
        try await one.write(3)
        try await Carrier.bundle.exchange(one, two)
        let id = try one.newestCommit()
        try await one.log.erase(.firstEvent, in: id)
        let file = try one.bundle("since.bundle")
        let summary = try await BundleWriter.write(one.log, lacking: two.frontier(), to: file)
        #expect(summary.commits == 0)
        try await two.exchange(with: BundlePeer(file))
        #expect(try two.erased(id) == .firstEvent)
        try await expectEqual([one, two])
    }
}
