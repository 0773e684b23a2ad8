import Events
import LMDB
import StoreSupport
import Testing

@testable import EventLog
@testable import LogExchange

/// Bytes that are missing and that no counting erasure names return from any peer that has them.
@Suite("Healing by an exchange")
struct HealingExchangeTests {
    /// Removes payloads from a log directly in its file: of commits with some numbers.
    private static func strip(_ numbers: [UInt64], of replica: TestReplica) async throws {
        let log = replica.log
        try await log.signHead()
        for number in numbers {
            let id = try log.read { log in
                let position = try #require(
                    try log.position(
                        of: SequenceNumber(number), in: LineID(journal: log.journal(), replica: replica.id)))
                let commit = try #require(try log.commit(at: position))
                return CommitID(replica: commit.header.replica, sequence: commit.header.sequence, hash: commit.hash)
            }
            try await log.erase(number.isMultiple(of: 2) ? .all : .firstEvent, in: id)
            let key = try #require(try log.read { try $0.erasures(of: id.hash) }.first).key
            let table = log.tables.erasures
            try log.environment.write { transaction in _ = try transaction.delete(key, in: table) }
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
        let journal = one.log.journal
        let lost = { (replica: TestReplica) in
            try replica.log.read { try $0.lostBytes(of: journal).map(\.commit.sequence.rawValue) }
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
        #expect(report.healed == 2 && report.lost == 1)
        let lost = try one.log.read { try $0.lostBytes(of: $0.journal()).map(\.commit.sequence.rawValue) }
        #expect(lost == [5])
        let rest = try await ExchangeSession(one.log, with: LogPeer(three.log), healing: true).run()
        #expect(rest.healed == 1 && rest.lost == 0)
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
        let journal = one.log.journal
        #expect(try one.log.read { try $0.lostBytes(of: journal).count } == 5)
        var peer = try await carrier.peer(two, for: one)
        if carrier == .bundle {
            let file = try two.bundle("whole.bundle")
            _ = try await BundleWriter.write(two.log, lacking: .empty, to: file)
            peer = try await BundlePeer(file)
        }
        let report = try await ExchangeSession(one.log, with: peer, healing: true).run()
        #expect(report.healed == 5 && report.lost == 0)
        try await expectEqual([one, two])
    }

    /// Removes the payloads of commits from a log directly in its file, of any author.
    private static func strip(_ commits: [CommitID], of replica: TestReplica) async throws {
        let log = replica.log
        let table = log.tables.log
        try log.environment.write { transaction in
            let snapshot = LogSnapshot(transaction.reading.alias(), log.tables)
            for id in commits {
                let position = try #require(try snapshot.position(of: id, in: snapshot.journal()))
                let bytes = try #require(try snapshot.commit(at: position)).view.without(.all)
                try transaction.put(position.rawValue, id.hash.bytes, bytes, in: table)
            }
        }
    }

    @Test("A healing replica also learns why the other lacks the bytes")
    func healedByReason() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(3)
        try await one.log.signHead()
        let id = try one.newestCommit()
        try await one.log.erase(.firstEvent, in: id)
        try await two.exchange(with: LogPeer(one.log))
        let statement = try #require(try one.log.read { try $0.erasures(of: id.hash) }.first)
        let table = one.log.tables.erasures
        try one.log.environment.write { transaction in _ = try transaction.delete(statement.key, in: table) }
        let journal = one.log.journal
        #expect(try one.log.read { try $0.lostBytes(of: journal).map(\.commit) } == [id])
        for segment in try await two.allSegments() { #expect(try await one.log.heal([id], from: segment) == []) }
        #expect(try one.log.read { try $0.lostBytes(of: journal) } == [])
        try await expectEqual([one, two])
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
        let carrier = try #require(ReplicaIdentity(seed: [UInt8](repeating: 6, count: 32)))
        for segment in try await founder.log.allSegments() {
            var (commits, erasures) = (segment.commits, segment.erasures)
            for (index, commit) in segment.commitIDs().enumerated() where (2...4).contains(commit.sequence.rawValue) {
                commits[index] = try commits[index].withUnsafeBytes { try CommitView($0).without(.all) }
                erasures.append(
                    try Erasure(of: .all, in: commit, of: segment.journal, at: 1, by: carrier).bytes)
            }
            let stripped = LineSegment(
                journal: segment.journal, replica: segment.replica, first: segment.first, previous: segment.previous,
                commits: commits, signature: segment.signature, erasures: erasures)
            try await member.log.store(stripped)
        }
        #expect(try member.log.read { try $0.wronglyErased(of: $0.journal()).count } == 3)
        let report = try await member.exchange(with: LogPeer(founder.log))
        #expect(report.healed == 3 && report.lost == 0)
        try await expectEqual([founder, member])
    }
}
