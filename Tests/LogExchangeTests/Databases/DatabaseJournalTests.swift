import DatabaseSupport
import EventLog
import Events
import Foundation
import HubDatabase
import StoreSupport
import TestSupport
import Testing

@testable import LogExchange

@Suite(
    "Hubs over one database", .timeLimit(.minutes(TestCounts.minutes)),
    .enabled(if: TestServer.isAvailable, "\(TestServer.hint)"))
struct DatabaseJournalTests {
    private func founder(_ name: String = "founder") async throws -> TestReplica {
        try await TestReplica(name, founding: true).write(2)
    }

    private func member(_ name: String, of founder: TestReplica) async throws -> TestReplica {
        let member = try TestReplica(name, journal: founder.log.journal)
        try await founder.log.grant(.write, to: member.id)
        return member
    }

    @Test("What is stored through one is there through the others, which are one replica to their clients")
    func sharing() async throws {
        let hubs = try await DatabaseHubs.start()
        let founder = try await founder()
        let member = try await member("member", of: founder)
        let report = try await hubs[0].exchange(founder)
        #expect(report.sent.commits == 4 && report.peer.name == "hub")
        try await member.write(3)
        #expect(try await hubs[1].exchange(member).peer.replica == report.peer.replica)
        #expect(try await hubs[0].exchange(founder).received.commits == 4)
        try await expectEqual([founder, member])
        #expect(try await hubs[0].database.journals() == [founder.log.journal])
        #expect(try await hubs.gaps() == [])
        // A hub that comes later has all of it, and another journal is nobody's business.
        let later = try await hubs.another(beginners: .nobody)
        #expect(try await later.exchange(member).sent.commits == 0)
        #expect(await later.refusal(try await self.founder("other")) == "notAuthorized")
        later.database.close()
    }

    @Test(
        "Replicas of several journals that write through hubs chosen at random end with the same",
        arguments: Seeds.some(1))
    func atRandom(seed: UInt64) async throws {
        let hubs = try await DatabaseHubs.start(3)
        var journals: [[TestReplica]] = []
        for number in 0..<TestCounts.journals {
            let founder = try await founder("founder \(number)")
            var replicas = [founder]
            for index in 1..<TestCounts.replicas {
                replicas.append(try await member("member \(number).\(index)", of: founder))
            }
            try await hubs[number % 3].exchange(founder)
            journals.append(replicas)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, replica) in journals.joined().enumerated() {
                group.addTask {
                    var random = SeededGenerator(seed: seed &+ UInt64(index))
                    for _ in 0..<6 {
                        try await replica.write(Int.random(in: 1...3, using: &random))
                        try await hubs[Int.random(in: 0..<3, using: &random)].exchange(replica)
                    }
                }
            }
            try await group.waitForAll()
        }
        for replicas in journals {
            for _ in 0..<2 { for replica in replicas { try await hubs[0].exchange(replica) } }
            try await expectEqual(replicas)
            let entries = try await hubs.sql(
                "SELECT next_position - 1 FROM tripstore.journal WHERE journal = '\(replicas[0].log.journal)'")
            #expect(try Int(entries) == replicas[0].hashes().count)
        }
        #expect(try await hubs.gaps() == [])
    }

    @Test("A line that comes through two hubs at once is stored once")
    func sameLineTwice() async throws {
        let hubs = try await DatabaseHubs.start()
        let founder = try await founder()
        for hub in hubs.hubs { try await hub.exchange(founder) }
        for _ in 0..<10 {
            try await founder.write(2)
            try await founder.log.signHead()
            let peers = [try await hubs[0].peer(for: founder), try await hubs[1].peer(for: founder)]
            let segments = try await founder.allSegments()
            let frontiers = try await withThrowingTaskGroup(of: Frontier.self) { group in
                for peer in peers {
                    group.addTask {
                        _ = try await peer.greet(founder.log.greeting().greeting)
                        return try await peer.store(segments).frontier
                    }
                }
                var found: [Frontier] = []
                for try await frontier in group { found.append(frontier) }
                return found
            }
            let held = try await founder.frontier()
            #expect(frontiers == [held, held])
            for peer in peers { peer.session.close() }
        }
        #expect(try await hubs.gaps() == [])
    }

    @Test("Of a segment whose beginning is held, the rest is recorded with the hashes of its own first and last commit")
    func partHeld() async throws {
        let hubs = try await DatabaseHubs.start(1)
        let founder = try await founder()
        // It signs where the founder does not, and so ends a segment there.
        try await hubs[0].exchange(try founder.copied(as: "copy"))
        try await founder.write(2)
        try await founder.log.signHead()
        let peer = try await hubs[0].peer(for: founder)
        _ = try await peer.greet(founder.log.greeting().greeting)
        _ = try await peer.store(try await founder.allSegments())
        peer.session.close()
        let row = try await hubs.sql(
            """
            SELECT first_sequence, encode(first_hash, 'hex'), encode(last_hash, 'hex') FROM tripstore.entry
            WHERE kind = 1 ORDER BY entry DESC LIMIT 1
            """)
        let hashes = try founder.hashes()
        #expect(row == "\(hashes.count - 1)|\(hashes[hashes.count - 2])|\(hashes[hashes.count - 1])")
        #expect(try await hubs.gaps() == [])
    }

    @Test("A client that stays connected hears of what comes through another hub, with notifications or without")
    func news() async throws {
        let hubs = try await DatabaseHubs.start()
        let founder = try await founder()
        let member = try await member("member", of: founder)
        try await hubs[0].exchange(founder)
        let peer = try await hubs[1].peer(for: member)
        try await member.exchange(with: peer)
        var notices = peer.session.notices.makeAsyncIterator()
        try await founder.write(1)
        try await hubs[0].exchange(founder)
        #expect(try await notices.next()?.frontier == founder.frontier())
    }

    @Test("A fork that two hubs take in at the same time is kept whole")
    func forks() async throws {
        let hubs = try await DatabaseHubs.start()
        let founder = try await founder()
        try await founder.log.signHead()
        let copy = try founder.copied(as: "copy")
        try await hubs[0].exchange(founder)
        try await founder.write(1)
        try await copy.write(1)
        async let one = hubs[0].exchange(founder)
        async let other = failure { try await hubs[1].exchange(copy) }
        _ = try await (one, other)
        for replica in [founder, copy, founder] { _ = await failure { try await hubs[1].exchange(replica) } }
        try await expectEqual([founder, copy])
        #expect(try await hubs.gaps() == [])
    }

    @Test("The day's bytes of a replica are counted over all hubs, and again by one that starts later")
    func quotas() async throws {
        let hubs = try await DatabaseHubs.start(3) { $0.quotas.bytesADay = 30_000 }
        let founder = try await founder()
        try await founder.write(1, bytes: 12_000)
        try await hubs[0].exchange(founder)
        try await founder.write(1, bytes: 12_000)
        try await hubs[1].exchange(founder)
        try await founder.write(1, bytes: 12_000)
        let refused = await failure { try await hubs[2].exchange(founder) }
        #expect((refused as? ExchangeError)?.refusal == "quotaExceeded")
    }

    @Test("Once a member was served by one hub a stranger gets nothing from any")
    func strangers() async throws {
        let hubs = try await DatabaseHubs.start()
        let founder = try await founder()
        let stranger = try TestReplica("stranger", journal: founder.log.journal)
        for segment in try await founder.allSegments() { try await stranger.log.store(segment) }
        let peer = try await hubs[1].peer(for: stranger)
        _ = try await peer.greet(stranger.log.greeting().greeting)
        _ = try await peer.store(try await founder.allSegments().filter { $0.replica == founder.id })
        try await founder.write(1)
        try await hubs[0].exchange(founder)
        #expect(await failure { _ = try await peer.frontier() } != nil)
        #expect(await hubs[1].refusal(stranger) == "notAuthorized")
    }
}
