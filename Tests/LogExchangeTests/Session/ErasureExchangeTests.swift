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

    private static let day: Int64 = 86_400_000

    @Test("A report says whose erasures came, how much they hide, and when the bytes go; and that they went")
    func reported() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(3)
        try await Carrier.inProcess.exchange(one, two)
        let id = try one.newestCommit()
        try await one.log.erase(.firstEvent, in: id)
        #expect(try one.missing(id) == .firstEvent)
        let report = try await two.exchange(with: LogPeer(one.log))
        let part = try #require(report.erased.hidden.first)
        #expect(report.erased.hidden.count == 1 && part.eraser == one.id && part.commits == 1 && part.events == 1)
        #expect(report.erased.receivedInPart == 0 && report.erased.removed == 0 && report.shortcomings.isEmpty)
        let time = try #require(part.removedFrom)
        #expect(time == two.clock.now + 7 * Self.day)
        two.clock.now = time - 1
        #expect(try await two.exchange(with: LogPeer(one.log)).erased.isEmpty)
        #expect(try two.missing(id) == nil)
        two.clock.now = time
        #expect(try await two.exchange(with: LogPeer(one.log)).erased.removed == 1)
        #expect(try two.missing(id) == .firstEvent)
        // A replica that comes later learns what it does not get.
        let three = try TestReplica("three", journal: one.log.journal)
        let later = try await three.exchange(with: LogPeer(two.log))
        #expect(later.erased.receivedInPart == 1 && later.erased.hidden.map(\.commits) == [1])
        #expect(later.erased.hidden.first?.removedFrom == nil && later.shortcomings.isEmpty)
        try await expectEqual([one, two, three])
    }

    @Test("An exchange succeeds though what arrived late cannot be erased, and says so; the next one erases it")
    func unswept() async throws {
        let one = try TestReplica("one", founding: true)
        let two = try TestReplica("two", journal: one.log.journal)
        try await one.log.grant(.write, to: two.id)
        let trip = EntityReference(kind: EntityKind(rawValue: 1), id: UUID())
        func write(_ verb: Verb, to replica: TestReplica) async throws -> CommitID {
            try #require(try await replica.log.append(Payload(events: [Event(verb: verb, entity: trip)]))).id
        }
        let created = try await write(.created, to: one)
        try await two.exchange(with: LogPeer(one.log))
        try await one.log.erase([created: .all], naming: [ErasedName(trip)])
        try await two.exchange(with: LogPeer(one.log))
        let late = try await write(.edited, to: two)
        let bytes = try two.log.read { log in
            let position = try #require(try log.position(of: late, in: log.journal()))
            return [UInt8](try #require(try log.storedCommit(at: position)).view.bytes)
        }
        let store = { @Sendable (bytes: [UInt8]) in
            let tables = one.log.tables
            try one.log.environment.write { transaction in
                let log = LogSnapshot(transaction.reading.alias(), tables)
                guard let position = try log.position(of: late, in: log.journal()) else { return }
                try transaction.put(position.rawValue, late.hash.bytes, bytes, in: tables.log)
            }
        }
        // The medium damages the commit once it is here, so that looking for late events fails.
        let report = try await one.exchange(with: CountingPeer(LogPeer(two.log)) { try store([0xFF]) })
        #expect(report.received.events == 1 && report.erased.hidden.isEmpty)
        #expect(report.erased.failure != nil && report.shortcomings.count == 1)
        try store(bytes)
        let next = try await one.exchange(with: LogPeer(two.log))
        #expect(next.shortcomings.isEmpty && next.erased.hidden.map(\.events) == [1])
        #expect(try one.erased(late) == .firstEvent)
        try await two.exchange(with: LogPeer(one.log))
        try await expectEqual([one, two])
    }

    @Test("A replica that is asked removes as well what is due")
    func removedWhereAsked() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(2)
        try await Carrier.inProcess.exchange(one, two)
        let id = try one.newestCommit()
        try await one.log.erase(.all, in: id)
        try await Carrier.inProcess.exchange(one, two)
        two.clock.advance(by: 7 * Self.day)
        #expect(try two.missing(id) == nil)
        _ = try await one.exchange(with: MessagePeer(LoopbackChannel(two.log)))
        #expect(try two.missing(id) == .all)
        try await expectEqual([one, two])
    }

    @Test(
        "What is taken back is shown again, and its bytes come back from a peer that still has them",
        arguments: [true, false])
    func takenBack(asksFirst: Bool) async throws {
        let (one, two) = try twoReplicas()
        try await one.write(3)
        try await Carrier.inProcess.exchange(one, two)
        let id = try one.newestCommit()
        try await one.log.erase(.firstEvent, in: id)
        try await Carrier.inProcess.exchange(one, two)
        _ = try await one.log.takeBack([id: .all])
        let (asking, asked) = asksFirst ? (one, two) : (two, one)
        let report = try await asking.exchange(with: LogPeer(asked.log))
        #expect(report.erased.shownAgain == (asksFirst ? 0 : 1) && report.erased.hidden.isEmpty)
        #expect(report.healed == (asksFirst ? 1 : 0) && report.healedThere == (asksFirst ? 0 : 1))
        for replica in [one, two] { #expect(try replica.erased(id) == nil && replica.missing(id) == nil) }
        try await expectEqual([one, two])
    }

    @Test("Replicas that removed different bytes, of what is taken back, get from each other what the other has")
    func takenBackInParts() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(1)
        let entity = EntityReference(kind: EntityKind(rawValue: 1), id: UUID())
        _ = try await one.log.append(Payload(events: (0..<4).map { _ in Event(verb: .edited, entity: entity) }))
        try await one.exchange(with: LogPeer(two.log))
        let copy = try one.copied(as: "copy")
        let id = try one.newestCommit()
        for (replica, events) in [(one, [0, 1]), (copy, [1, 3])] {
            try await replica.log.erase(.some(LeafSet(events: events)), in: id)
            #expect(try replica.missing(id) == .some(LeafSet(events: events)))
            _ = try await replica.log.takeBack([id: .all])
        }
        try await one.exchange(with: LogPeer(copy.log))
        for replica in [one, copy] { #expect(try replica.missing(id) == .some(LeafSet(events: [1]))) }
        for replica in [one, copy] { try await replica.exchange(with: LogPeer(two.log)) }
        try await one.exchange(with: LogPeer(two.log))
        for replica in [one, copy, two] { #expect(try replica.missing(id) == nil && replica.erased(id) == nil) }
        try await expectEqual([one, two, copy])
    }

    @Test("A peer that had removed what it learns is taken back gets the bytes in the same exchange")
    func takenBackThere() async throws {
        let (one, two) = try twoReplicas()
        let three = try TestReplica("three", journal: one.log.journal)
        try await one.write(3)
        try await one.log.signHead()
        let id = try one.newestCommit()
        for other in [two, three] { try await other.exchange(with: LogPeer(one.log)) }
        try await one.log.erase(.all, in: id)
        for other in [two, three] { try await other.exchange(with: LogPeer(one.log)) }
        two.clock.advance(by: 7 * Self.day)
        try await two.log.removeDue()
        #expect(try two.missing(id) == .all && three.missing(id) == nil)
        _ = try await one.log.takeBack([id: .all])
        try await three.exchange(with: LogPeer(one.log))
        let report = try await three.exchange(with: LogPeer(two.log))
        #expect(report.sent.commits == 1 && report.healedThere == 1 && report.shortcomings.isEmpty)
        #expect(try two.erased(id) == nil && two.missing(id) == nil)
        try await expectEqual([one, two, three])
    }
}
