import Events
import LMDB
import StoreSupport
import Testing

@testable import EventLog
@testable import LogExchange

/// Bytes that are missing and that no counting erasure names return from any peer that has them.
@Suite("Healing by an exchange")
struct HealingExchangeTests {
    /// Removes payloads, or their first events, from a log directly in its file: of its own commits with some numbers.
    private static func strip(_ numbers: [UInt64], of replica: TestReplica) async throws {
        try await replica.log.signHead()
        let commits = try replica.log.read { log in
            try numbers.map { number in
                let line = LineID(journal: try log.journal(), replica: replica.id)
                let position = try #require(try log.position(of: SequenceNumber(number), in: line))
                let commit = try #require(try log.commit(at: position))
                return CommitID(replica: replica.id, sequence: commit.header.sequence, hash: commit.hash)
            }
        }
        for commit in commits {
            let isEven = commit.sequence.rawValue.isMultiple(of: 2)
            try await strip([commit], isEven ? .all : .firstEvent, of: replica)
        }
    }

    @Test(
        "Any peer that has them heals bytes that are missing and that no erasure names", arguments: Carrier.allCases)
    func healed(_ carrier: Carrier) async throws {
        let (one, two) = try twoReplicas(over: carrier)
        for _ in 0..<3 {
            try await one.write(2)
            try await carrier.exchange(one, two)
        }
        try await Self.strip([2, 5, 6], of: one)
        let lost = { (replica: TestReplica) in
            Set(try replica.log.read { try $0.searchedHoles().map(\.commit.sequence.rawValue) })
        }
        #expect(try lost(one) == [2, 5, 6])
        // Both hold the same commits, so that nothing is requested unless the exchange heals.
        let usual = try await one.exchange(with: carrier.peer(two, for: one))
        #expect(usual.healed == 0)
        #expect(try lost(one).count == 3)
        var peer = try await carrier.peer(two, for: one)
        if carrier == .bundle {
            // For a replica that holds nothing: a bundle for a holder of the commits has none of them.
            let file = try two.bundle("whole.bundle")
            _ = try await BundleWriter.write(two.log, lacking: .empty, to: file)
            peer = try await BundlePeer(file)
        }
        let report = try await ExchangeSession(one.log, with: peer, healing: true).run()
        #expect(report.healed == 3 && report.received.commits == 0)
        #expect(try lost(one).isEmpty)
        try await expectEqual([one, two])
    }

    @Test("What the other lacks as well stays missing, and the commits around it are healed")
    func healedInPart() async throws {
        let (one, two) = try twoReplicas()
        let three = try TestReplica("three", journal: one.log.journal)
        // One signature for all of them.
        try await one.write(6)
        for other in [two, three] { try await other.exchange(with: LogPeer(one.log)) }
        let copy = try one.copied(as: "copy")
        try await Self.strip([2, 5, 6], of: one)
        try await Self.strip([3, 5], of: copy)
        let session = ExchangeSession(one.log, with: LogPeer(copy.log), healing: true)
        let report = try await session.run()
        #expect(report.healed == 2 && report.missing.count == 1)
        let lost = try one.log.read { try $0.searchedHoles().map(\.commit.sequence.rawValue) }
        #expect(lost == [5])
        let rest = try await ExchangeSession(one.log, with: LogPeer(three.log), healing: true).run()
        #expect(rest.healed == 1 && rest.missing.isEmpty)
        try await expectEqual([one, two, three])
    }

    @Test("On a line that forks each branch is healed", arguments: [Carrier.inProcess, .bundle])
    func healedOnAFork(_ carrier: Carrier) async throws {
        let (one, two) = try twoReplicas(over: carrier)
        try await one.write(2)
        let copy = try one.copied(as: "copy")
        let id = one.id
        try await one.write(2)
        try await copy.write(6)
        for branch in [one, copy] { try await carrier.exchange(branch, two) }
        // The commits of both branches; the author of the first continues as another replica.
        try await carrier.exchange(two, one)
        let forked = try one.log.read { log in
            var found: [CommitID] = []
            try log.forEachCommit(after: .start) { commit in
                let header = commit.header
                if header.replica == id, [4, 5, 7].contains(header.sequence.rawValue) {
                    found.append(CommitID(replica: id, sequence: header.sequence, hash: commit.hash))
                }
                return true
            }
            return found
        }
        #expect(forked.count == 5)
        try await Self.strip(forked, of: one)
        #expect(try one.log.read { try $0.searchedHoles().count } == 5)
        var peer = try await carrier.peer(two, for: one)
        if carrier == .bundle {
            let file = try two.bundle("whole.bundle")
            _ = try await BundleWriter.write(two.log, lacking: .empty, to: file)
            peer = try await BundlePeer(file)
        }
        let report = try await ExchangeSession(one.log, with: peer, healing: true).run()
        #expect(report.healed == 5 && report.missing.isEmpty)
        try await expectEqual([one, two])
    }

    /// Removes payloads of commits from a log directly in its file, or leaves of them, of any author.
    private static func strip(
        _ commits: [CommitID], _ leaves: ErasedLeaves = .all, of replica: TestReplica
    ) async throws {
        let log = replica.log
        let table = log.tables.log
        try log.environment.write { transaction in
            let snapshot = LogSnapshot(transaction.reading.alias(), log.tables)
            for id in commits {
                let position = try #require(try snapshot.position(of: id, in: snapshot.journal()))
                let bytes = try #require(try snapshot.commit(at: position)).view.without(leaves)
                try transaction.put(position.rawValue, id.hash.bytes, bytes, in: table)
            }
        }
    }

    @Test(
        "What a carrier removed under a key of its own is restored by the next exchange with a peer that has it, without a request to heal"
    )
    func strippedUnderAnyKey() async throws {
        let founder = try TestReplica("founder", founding: true)
        try await founder.write(4)
        let member = try TestReplica("member", journal: founder.log.journal)
        try await founder.log.grant(.write, to: member.id)
        try await founder.log.signHead()
        for segment in try await founder.log.allSegments() { try await member.log.store(segment.withheld()) }
        #expect(try member.log.read { try $0.holes().count } == 4)
        let report = try await member.exchange(with: LogPeer(founder.log))
        #expect(report.healed == 4 && report.missing.isEmpty)
        try await expectEqual([founder, member])
    }

    /// A founder with some commits, and a member that was given none of their payloads.
    private static func withheld(_ count: Int = 3, bytes: Int = 16) async throws -> (TestReplica, TestReplica) {
        let founder = try TestReplica("founder", founding: true)
        let member = try TestReplica("member", journal: founder.log.journal)
        try await founder.log.grant(.write, to: member.id)
        try await founder.write(count, bytes: bytes)
        try await founder.log.signHead()
        for segment in try await founder.log.allSegments() { try await member.log.store(segment.withheld()) }
        return (founder, member)
    }

    @Test(
        "Whoever has the bytes that the other lacks sends them, though both hold the same commits",
        arguments: [true, false])
    func filled(asksFirst: Bool) async throws {
        let (founder, member) = try await Self.withheld()
        let report =
            asksFirst
            ? try await member.exchange(with: LogPeer(founder.log))
            : try await founder.exchange(with: LogPeer(member.log))
        #expect(report.healed == (asksFirst ? 3 : 0) && report.healedThere == (asksFirst ? 0 : 3))
        #expect(report.shortcomings.isEmpty && report.sent.commits == 0 && report.received.commits == 0)
        try await expectEqual([founder, member])
        #expect(try member.log.read { try $0.searchedHoles() } == [])
    }

    @Test("Of many and large holes batch after batch is filled")
    func batches() async throws {
        let (founder, member) = try await Self.withheld(40, bytes: 100_000)
        let report = try await founder.exchange(with: LogPeer(member.log))
        #expect(report.healedThere == 40 && report.shortcomings.isEmpty)
        try await expectEqual([founder, member])
    }

    @Test("What both lack is listed, is no reason to send anything, and is lost once each known peer lacks it")
    func lost() async throws {
        let (founder, member) = try await Self.withheld()
        let third = try TestReplica("third", journal: founder.log.journal)
        try await founder.log.grant(.write, to: third.id)
        try await third.exchange(with: WithholdingPeer(founder.log))
        let report = try await third.exchange(with: LogPeer(member.log))
        #expect(report.missing.count == 3 && report.missingOnBoth.count == 3 && report.notTaken.isEmpty)
        #expect(!report.shortcomings.isEmpty && report.healed == 0)
        // The founder says that it has them, whatever a carrier does.
        #expect(try PeerBook(third.log).lost() == [])
        try await PeerBook(third.log).forget(founder.id)
        #expect(try PeerBook(third.log).lost() == report.missing)
        // An honest one is met, and everything is back.
        let healed = try await third.exchange(with: LogPeer(founder.log))
        #expect(healed.healed == 3 && healed.shortcomings.isEmpty)
        #expect(try PeerBook(third.log).lost() == [])
        try await third.exchange(with: LogPeer(member.log))
        try await expectEqual([founder, member, third])
    }

    @Test("An admin's erasure accepts a loss, on every replica; nobody else's does")
    func accepted() async throws {
        let (founder, member) = try await Self.withheld(1)
        let hole = try #require(try member.log.read { try $0.holes() }.first)
        await #expect(throws: EventLogError.self) { try await member.log.erase(.all, in: hole.commit) }
        try await founder.log.erase(.all, in: hole.commit)
        let report = try await member.exchange(with: LogPeer(founder.log))
        #expect(report.shortcomings.isEmpty && report.healed == 0)
        #expect(try founder.erased(hole.commit) == .all)
        #expect(try member.log.read { try $0.searchedHoles() } == [])
        try await expectEqual([founder, member])
    }

    @Test("Of a peer that claims holes for ever each commit is sent to it three times a day")
    func claimed() async throws {
        let (founder, member) = try await Self.withheld()
        let claimant = ClaimingPeer(member.log)
        for round in 1...5 {
            let report = try await founder.exchange(with: claimant)
            #expect(claimant.stored == min(round, 3) && report.healedThere == 0)
            #expect(report.notTaken.count == 3 && !report.shortcomings.isEmpty)
        }
        founder.clock.advance(by: 86_400_000)
        _ = try await founder.exchange(with: claimant)
        #expect(claimant.stored == 4)
    }

    @Test("A claimant that names the holes of a segment one after the other gets each of its commits three times a day")
    func claimedOneByOne() async throws {
        let (founder, member) = try await Self.withheld()
        // The last commit of a segment goes with every commit before it that is claimed.
        let holes = try member.log.read { try $0.holes() }.sorted { $0.commit > $1.commit }
        #expect(holes.count == 3)
        var sent: [CommitID: Int] = [:]
        for hole in holes {
            for _ in 1...4 {
                let claimant = ClaimingPeer(member.log, claiming: [hole])
                let report = try await founder.exchange(with: claimant)
                #expect(report.notTaken == [hole])
                for commit in claimant.commits { sent[commit, default: 0] += 1 }
            }
        }
        #expect(sent == [holes[0].commit: 3])
    }
}
