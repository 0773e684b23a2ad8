import EventLog
import Events
import LogExchange
import TestSupport
import Testing
import TripStoreTestSupport

/// Stores that were copied or restored unnoticed, over every carrier.
@Suite("Exchange of forked histories")
struct ForkExchangeTests {
    @Test(
        "Both branches reach every replica, in any order of exchanges (X4)", arguments: Carrier.allCases,
        [[0, 1, 2], [1, 0, 2], [2, 0, 1], [2, 1, 0]])
    func bothBranchesSpread(_ carrier: Carrier, order: [Int]) async throws {
        let original = try TestReplica("original", over: carrier)
        try await original.write(4)
        let former = original.id
        let copy = try original.copied(as: "copy")
        let third = try TestReplica("third", journal: original.log.journal, over: carrier)
        #expect(copy.id == former)
        try await original.write(2)
        try await copy.write(3)
        try await third.write(1)
        let replicas = [original, copy, third]
        let first = order.map { replicas[$0] }
        var reports: [ExchangeReport] = []
        for (one, other) in [(0, 1), (1, 2), (0, 1), (0, 2)] {
            reports.append(try await carrier.exchange(first[one], first[other]))
        }
        try await expectEqual(replicas)
        let forks = try replicas.map { replica in try replica.log.read { try $0.forks(in: $0.journal()) } }
        #expect(Set(forks).count == 1 && forks[0].map(\.sequence.rawValue) == [6])
        #expect(forks[0].first?.branches.count == 2)
        #expect(reports.flatMap(\.forks).contains { $0 == forks[0].first })
    }

    @Test(
        "The replica that learns of it continues as another, and so they never fork again", arguments: Carrier.allCases)
    func goesOnAsAnother(_ carrier: Carrier) async throws {
        let original = try TestReplica("original", over: carrier)
        try await original.write(2)
        let former = original.id
        let copy = try original.copied(as: "copy")
        try await original.write(1)
        try await copy.write(1)
        try await carrier.exchange(original, copy)
        #expect(original.id != former || copy.id != former)
        try await carrier.exchange(copy, original)
        #expect(original.id != copy.id)
        for replica in [original, copy] { try await replica.write(2) }
        try await carrier.exchange(original, copy)
        try await expectEqual([original, copy])
        #expect(try original.log.read { try $0.forks(in: $0.journal()) }.count == 1)
    }

    @Test("A restored replica gets its lost commits back and forks nothing", arguments: Carrier.allCases)
    func restored(_ carrier: Carrier) async throws {
        let (original, other) = try twoReplicas(over: carrier)
        try await original.write(2)
        let restored = try original.copied(as: "restored")
        try await original.write(3)
        try await carrier.exchange(original, other)
        try await carrier.exchange(restored, other)
        try await expectEqual([restored, other])
        #expect(try restored.log.read { try $0.forks(in: $0.journal()) } == [])
        #expect(restored.id != original.id)
    }

    @Test("Branches of branches, spread before anyone met all of them", arguments: Carrier.allCases, Seeds.some(3))
    func branchesOfBranches(_ carrier: Carrier, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var replicas = [try TestReplica("0", over: carrier)]
        try await replicas[0].write(3)
        replicas.append(try TestReplica("1", journal: replicas[0].log.journal, over: carrier))
        for step in 0..<14 {
            let one = Int.random(in: 0..<replicas.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where replicas.count < 6:
                replicas.append(try replicas[one].copied(as: "\(replicas.count)-\(step)"))
            case 1, 2:
                replicas[one].clock.advance(by: 1)
                try await replicas[one].write(Int.random(in: 1...3, using: &random))
            default:
                let other = (one + Int.random(in: 1..<replicas.count, using: &random)) % replicas.count
                try await carrier.exchange(replicas[one], replicas[other])
            }
        }
        for _ in 0..<2 { for replica in replicas.dropFirst() { try await carrier.exchange(replicas[0], replica) } }
        try await expectEqual(replicas)
        for replica in replicas.dropFirst() {
            let report = try await carrier.exchange(replicas[0], replica)
            #expect(report.sent.commits == 0 && report.received.commits == 0)
        }
    }

    @Test("Of long branches only what lies behind the fork is sent", arguments: Carrier.allCases)
    func longBranches(_ carrier: Carrier) async throws {
        let original = try TestReplica("original", over: carrier)
        try await original.write(1100)
        let copy = try original.copied(as: "copy")
        try await original.write(50)
        try await copy.write(30)
        let report = try await carrier.exchange(original, copy)
        #expect(report.sent.commits == 50 && report.received.commits == 30)
        try await expectEqual([original, copy])
    }
}
