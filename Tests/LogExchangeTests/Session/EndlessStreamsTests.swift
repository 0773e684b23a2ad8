import EventLog
import Events
import LMDB
import Logging
import Synchronization
import Testing

@testable import EventLog
@testable import LogExchange

/// Streams whose numbers grow endlessly, with data that is not stored.
@Suite("Streams that do not end by themselves")
struct EndlessStreamsTests {
    /// Enough to distinguish a stream that is ended early from one that is read to its end.
    private static let many: UInt64 = 20_000

    private static func session(_ replica: TestReplica, _ peer: any ExchangePeer, healing: Bool = false)
        -> ExchangeSession
    {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var session = ExchangeSession(replica.log, with: peer, healing: healing, logger: logger)
        session.mostPassedOver = 200_000
        return session
    }

    /// Segments of a replica with growing numbers, all of them faulty.
    private static func junk(like good: LineSegment) -> some Sequence<LineSegment> {
        (0..<many).lazy.map { number in
            good.changed(
                first: 1 + number * UInt64(good.commits.count), signature: [UInt8](repeating: 1, count: 64))
        }
    }

    private static func announcing(_ replica: ReplicaID) -> @Sendable (Frontier) -> Frontier {
        let head = CommitID(replica: replica, sequence: SequenceNumber((1 << 62) - 1), hash: SomeDigest.any)
        return { Frontier(journal: $0.journal, heads: $0.heads + [head]) }
    }

    @Test(
        "What follows a refusal is passed over, and the stream broken off in the end; others' lines come all the same")
    func afterRefusal() async throws {
        let (one, two) = try twoReplicas()
        let third = try TestReplica("third", journal: one.log.journal)
        for replica in [two, third] { try await replica.write(2) }
        try await two.exchange(with: LogPeer(third.log))
        let bad = min(two.id, third.id)
        let liar = LyingPeer(LogPeer(two.log), announced: Self.announcing(bad)) { honest in
            guard let first = honest.first(where: { $0.replica == bad }) else { return honest }
            return Array(Self.junk(like: first)) + honest.filter { $0.replica != bad }
        }
        let error = await failure { try await Self.session(one, liar).run() }
        #expect(code(error) == "rejected" || code(error) == "missingStart")
        #expect(liar.deliveredCount < 1000)
        let held = Set(try one.log.read { try $0.newestCommits(of: one.log.journal) }.map(\.replica))
        #expect(held.contains(max(two.id, third.id)) && !held.contains(bad))
        try one.expectIntact()
    }

    @Test("Junk for whatever replica ends, though nothing of it is right")
    func manyReplicas() async throws {
        let (one, two) = try twoReplicas()
        try await two.write(2)
        let good = try #require(try await two.allSegments().first)
        let replicas = (0..<100).map { ReplicaID(publicKey: [UInt8($0)]) }
        let liar = LyingPeer(
            LogPeer(two.log),
            announced: { frontier in
                let heads = replicas.map {
                    CommitID(replica: $0, sequence: SequenceNumber((1 << 62) - 1), hash: SomeDigest.any)
                }
                return Frontier(journal: frontier.journal, heads: heads)
            },
            sent: { _ in
                replicas.lazy.flatMap { replica in
                    (0..<1000).lazy.map { good.changed(replica: replica, first: 1 + $0 * UInt64(good.commits.count)) }
                }
            })
        #expect(await failure { try await Self.session(one, liar).run() } != nil)
        #expect(liar.deliveredCount < 20_000)
        #expect(try one.log.isEmpty())
    }

    @Test(
        "A helper that sends anything else than what is to be healed is not listened to for long",
        arguments: [false, true])
    func healing(sendsHeld: Bool) async throws {
        let (one, two) = try twoReplicas()
        for _ in 0..<40 {
            try await two.write(1)
            try await two.log.signHead()
        }
        try await one.exchange(with: LogPeer(two.log))
        let lost = try #require(try one.log.read { try $0.signedHeads(of: one.log.journal) }.first)
        let log = one.log
        try log.environment.write { transaction in
            let snapshot = LogSnapshot(transaction.reading.alias(), log.tables)
            let position = try #require(try snapshot.position(of: lost, in: snapshot.journal()))
            let bytes = try #require(try snapshot.commit(at: position)).view.without(.all)
            try transaction.put(position.rawValue, lost.hash.bytes, bytes, in: log.tables.log)
        }
        let all = try await two.allSegments()
        let id = two.id
        let liar = LyingPeer(
            LogPeer(two.log), announced: { frontier in sendsHeld ? frontier : Self.announcing(id)(frontier) },
            sent: { _ in
                if sendsHeld { return AnySequence((0..<50).lazy.flatMap { _ in all.dropLast() }) }
                return AnySequence(Self.junk(like: all[0]))
            })
        var session = Self.session(one, liar, healing: true)
        session.mostPassedOver = 50_000
        _ = await failure { try await session.run() }
        #expect(liar.deliveredCount < 1000)
        #expect(try one.log.read { try $0.searchedHoles().count } == 1)
        // An honest peer heals it.
        #expect(try await Self.session(one, LogPeer(two.log), healing: true).run().healed == 1)
        try await expectEqual([one, two])
    }
}
