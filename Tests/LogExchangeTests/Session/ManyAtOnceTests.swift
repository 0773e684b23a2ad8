import EventLog
import Events
import LogExchange
import StoreSupport
import Testing

/// Concurrent exchanges, and logs of many segments.
@Suite("Exchanges of much, and many at once")
struct ManyAtOnceTests {
    @Test("A new replica may take the same from several at once")
    func severalSources() async throws {
        let (one, two) = try twoReplicas()
        for _ in 0..<40 {
            try await one.write(5)
            try await one.log.signHead()
        }
        try await two.exchange(with: LogPeer(one.log))
        let new = try TestReplica("new", journal: one.log.journal)
        async let first = new.exchange(with: LogPeer(one.log))
        async let second = new.exchange(with: LogPeer(two.log))
        async let third = new.exchange(with: MessagePeer(LoopbackChannel(two.log)))
        let received = try await [first, second, third].map(\.received.commits)
        // The first to arrive counts; none counts twice.
        #expect(received.reduce(0, +) == 201)
        try await expectEqual([one, two, new])
    }

    @Test("Commits that arrive meanwhile do not count as acknowledged")
    func acknowledgedIsWhatWasSaid() async throws {
        let (one, two) = try twoReplicas()
        let three = try TestReplica("three", journal: one.log.journal)
        try await one.write(2)
        try await three.write(2)
        try await one.exchange(with: LogPeer(two.log))
        let held = try await two.frontier()
        // Just as both say that they hold the same, one of them receives more.
        let peer = CountingPeer(LogPeer(two.log)) { try await one.exchange(with: LogPeer(three.log)) }
        let report = try await one.exchange(with: peer)
        #expect(report.acknowledged == held)
        let record = try #require(try PeerBook(one.log).record(of: two.id))
        #expect(record.acknowledged == held)
        #expect(try one.log.read { try record.commitsToSend($0) } == 3)
        try await one.exchange(with: LogPeer(two.log))
        try await expectEqual([one, two])
    }

    @Test("A log of a thousand short segments goes there in a few steps, and what is counted is exact")
    func manyShortSegments() async throws {
        let (one, two) = try twoReplicas()
        for _ in 0..<1000 {
            try await one.write(3)
            try await one.log.signHead()
        }
        let peer = CountingPeer(LogPeer(two.log))
        let sent = try await one.exchange(with: peer).sent
        #expect(sent.commits == 3001 && sent.events == 3000)
        #expect(peer.calls.count { $0 == "store" } <= 3 && peer.largestBatch < 1 << 20)
        let three = try TestReplica("three", journal: one.log.journal)
        let received = try await three.exchange(with: LogPeer(two.log)).received
        #expect(received == sent)
        try await expectEqual([one, two, three])
    }

    @Test("Names and reasons of others are kept as far as people read them, in whole characters")
    func longNames() async throws {
        let (one, two) = try twoReplicas()
        try await two.write(1)
        let long = String(repeating: "東", count: 5000)
        let named = LyingPeer(
            LogPeer(two.log),
            greeting: {
                var greeting = $0
                greeting.name = long
                return greeting
            })
        try await one.exchange(with: named)
        let name = try #require(try PeerBook(one.log).record(of: two.id)?.name)
        #expect(name.utf8.count <= 1024 && name.utf8.count > 1000 && name.hasSuffix("東…"))
        try one.expectIntact()
    }
}
