import EventLog
import Events
import Foundation
import LMDB
import LogExchange
import StoreSupport
import Synchronization
import Testing
import TripStoreTestSupport

@Suite("A session")
struct ExchangeSessionTests {
    @Test("A peer that lacks what it had acknowledged is named, and sent it again")
    func withdrawn() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(2)
        try await one.exchange(with: LogPeer(two.log))
        let older = try two.copied(as: "older")
        try await one.write(2)
        #expect(try await one.exchange(with: LogPeer(two.log)).withdrawn.isEmpty)
        let report = try await one.exchange(with: LogPeer(older.log))
        #expect(report.withdrawn.map(\.replica) == [one.id] && report.sent.commits == 2)
        #expect(try await one.exchange(with: LogPeer(older.log)).withdrawn.isEmpty)
        try await expectEqual([one, two, older])
    }

    @Test("Equal frontiers cost a greeting and nothing else")
    func equalFrontiers() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(3)
        try await one.exchange(with: LogPeer(two.log))
        let peer = CountingPeer(LogPeer(two.log))
        let report = try await one.exchange(with: peer)
        #expect(peer.calls == ["greet"])
        #expect(report.acknowledged == (try await one.frontier()))
    }

    @Test(
        "Memory holds a few segments at a time, whatever the size of the log, in both directions",
        arguments: Carrier.allCases)
    func boundedMemory(_ carrier: Carrier) async throws {
        let (one, two) = try twoReplicas(over: carrier)
        for replica in [one, two] { try await replica.write(40, bytes: 150_000) }
        let peer = CountingPeer(try await carrier.peer(two, for: one), watching: one.log)
        let report = try await one.exchange(with: peer)
        #expect(report.received.bytes > 6_000_000)
        // Received and not yet stored; sent at once. A segment has up to 1 MiB and one commit here.
        #expect(peer.largestBacklog < 3 << 20)
        #expect(peer.largestBatch < 3 << 20)
        try one.expectIntact()
        guard report.peer.isWritable else { return }
        #expect(report.sent.bytes > 6_000_000)
        #expect(peer.calls.count { $0 == "store" } >= 4)
    }

    @Test("Small segments share a transaction")
    func smallSegments() async throws {
        let (one, two) = try twoReplicas()
        for _ in 0..<40 {
            try await two.write(1)
            try await two.log.signHead()
        }
        let before = try one.log.changeCount()
        let report = try await one.exchange(with: LogPeer(two.log))
        #expect(report.received.commits == 41)
        // Including the record of the peer.
        #expect(try one.log.changeCount() - before < 8)
        let peer = CountingPeer(LogPeer(try TestReplica("three", journal: one.log.journal).log))
        try await one.exchange(with: peer)
        #expect(peer.calls.count { $0 == "store" } == 1)
    }

    @Test("Progress grows, and ends with what was to be done")
    func progress() async throws {
        let (one, two) = try twoReplicas()
        for replica in [one, two] { try await replica.write(30, bytes: 100_000) }
        let told = Mutex<[ExchangeProgress]>([])
        let report = try await one.exchange(with: LogPeer(two.log)) { progress in told.withLock { $0.append(progress) }
        }
        let steps = told.withLock { $0 }
        #expect(steps.first?.stage == .greeting && steps.last?.stage == .done)
        #expect(steps.last?.received == report.received && steps.last?.sent == report.sent)
        #expect(steps.last?.commitsToReceive == 31 && steps.last?.commitsToSend == 31)
        for (earlier, later) in zip(steps, steps.dropFirst()) {
            #expect(earlier.received.commits <= later.received.commits && earlier.sent.bytes <= later.sent.bytes)
        }
        #expect(steps.count >= 6)
    }

    @Test("A read-only log sends what is signed and stores nothing")
    func readOnly() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(2)
        try await one.log.signHead()
        try await one.write(1)
        try await two.write(2)
        let reading = try one.readOnly()
        #expect(reading.isReadOnly)
        let report = try await two.exchange(with: LogPeer(reading))
        #expect(report.received.commits == 3 && report.sent.commits == 0 && !report.peer.isWritable)
        let three = try TestReplica("three")
        try await three.exchange(with: LogPeer(reading))
        #expect(try three.hashes() == Array(try one.hashes().prefix(3)))
        // And as the requesting side.
        let back = try await ExchangeSession(reading, with: LogPeer(two.log)).run()
        #expect(back.received.commits == 0 && back.sent.commits == 0)
        try one.expectIntact()
        // An empty one cannot even join.
        let empty = try TestReplica("empty")
        let nothing = try await ExchangeSession(empty.readOnly(), with: LogPeer(two.log)).run()
        #expect(nothing.received.commits == 0 && nothing.joined == nil)
        #expect(try empty.log.isEmpty())
    }

    @Test("What is written meanwhile waits for the next exchange, or comes along", arguments: [1, 2, 3, 4, 5])
    func writingMeanwhile(calls: Int) async throws {
        let (one, two) = try twoReplicas()
        for replica in [one, two] { try await replica.write(3) }
        let count = Mutex(0)
        let peer = CountingPeer(LogPeer(two.log)) {
            let now = count.withLock { count in
                count += 1
                return count
            }
            if now == calls { for replica in [one, two] { try await replica.write(1) } }
        }
        try await one.exchange(with: peer)
        try one.expectIntact()
        try await one.exchange(with: LogPeer(two.log))
        try await expectEqual([one, two])
        #expect(try one.hashes().count == 10)
    }

    @Test("Two sessions at once between the same two do no harm")
    func concurrent() async throws {
        let (one, two) = try twoReplicas()
        for replica in [one, two] { try await replica.write(20, bytes: 100_000) }
        async let first = one.exchange(with: LogPeer(two.log))
        async let second = two.exchange(with: LogPeer(one.log))
        async let third = one.exchange(with: MessagePeer(LoopbackChannel(two.log)))
        _ = try await (first, second, third)
        try await expectEqual([one, two])
    }

    @Test("A wrong clock is reported, and so are commits from the future", arguments: [-7_200_000, 7_200_000])
    func clockSkew(offset: Int64) async throws {
        let (one, two) = try twoReplicas()
        two.clock.advance(by: offset)
        try await two.write(1)
        let report = try await one.exchange(with: LogPeer(two.log))
        #expect(report.clockSkews.contains { $0.replica == two.id && abs($0.milliseconds - offset) < 1000 })
        #expect(report.clockSkews.count == 1)
        // Through a third, whose clock is right, it shows only if it is ahead.
        let three = try TestReplica("three", journal: one.log.journal)
        let relayed = try await three.exchange(with: LogPeer(one.log))
        #expect(relayed.clockSkews.map(\.replica) == (offset > 0 ? [two.id] : []))
    }

    @Test("A few minutes are nothing to speak of")
    func smallSkew() async throws {
        let (one, two) = try twoReplicas()
        two.clock.advance(by: 299_000)
        try await two.write(1)
        #expect(try await one.exchange(with: LogPeer(two.log)).clockSkews == [])
    }

    @Test("A greeting's clock may be anything", arguments: [Int64.min, .max])
    func absurdClock(clock: Int64) async throws {
        let (one, two) = try twoReplicas()
        let peer = LyingPeer(
            LogPeer(two.log),
            greeting: {
                var greeting = $0
                greeting.clock = clock
                return greeting
            })
        #expect(try await one.exchange(with: peer).clockSkews.count == 1)
    }
}
