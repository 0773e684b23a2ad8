import EventLog
import Events
import LogExchange
import StoreSupport
import TestSupport
import Testing

/// Properties of every exchange, over any carrier.
@Suite("Every carrier")
struct ConformanceTests {
    @Test("An empty replica joins the other's journal and takes all of it", arguments: Carrier.allCases)
    func emptyTakesAll(_ carrier: Carrier) async throws {
        let (full, empty) = (try TestReplica("full", over: carrier), try TestReplica("empty", over: carrier))
        try await full.write(5)
        let report = try await carrier.exchange(empty, full)
        #expect(report.joined == full.log.journal && empty.log.journal == full.log.journal)
        // The introduction is a commit as well, with no event.
        #expect(report.received.commits == 6 && report.received.events == 5 && report.sent.commits == 0)
        try await expectEqual([full, empty])
    }

    @Test(
        "A full replica sends everything to an empty one, which joins; but no server joins what is pushed to it",
        arguments: Carrier.open.filter { $0 != .messages })
    func fullGivesAll(_ carrier: Carrier) async throws {
        let (full, empty) = (try TestReplica("full", over: carrier), try TestReplica("empty", over: carrier))
        try await full.write(5)
        let report = try await carrier.exchange(full, empty)
        #expect(report.sent.commits == 6 && report.sent.events == 5 && report.received.commits == 0)
        #expect(report.acknowledged == (try await full.frontier()))
        try await expectEqual([full, empty])
    }

    @Test("Two empty replicas have nothing to say to each other", arguments: Carrier.allCases)
    func bothEmpty(_ carrier: Carrier) async throws {
        let (one, two) = (try TestReplica("one", over: carrier), try TestReplica("two", over: carrier))
        let report = try await carrier.exchange(one, two)
        #expect(report.sent.commits == 0 && report.received.commits == 0 && report.joined == nil)
        #expect(try one.log.isEmpty() && two.log.isEmpty())
    }

    @Test(
        "What both wrote apart both have afterwards, and doing it again moves nothing (X1)", arguments: Carrier.allCases
    )
    func bothWrote(_ carrier: Carrier) async throws {
        let (one, two) = try twoReplicas(over: carrier)
        try await one.write(3)
        try await two.write(4)
        let report = try await carrier.exchange(one, two)
        #expect(report.sent.commits == 4 && report.received.commits == 5)
        try await expectEqual([one, two])
        let again = try await carrier.exchange(one, two)
        #expect(again.sent.commits == 0 && again.received.commits == 0)
        try await one.write(1)
        try await two.write(1)
        let more = try await carrier.exchange(two, one)
        #expect(more.sent.commits == 1 && more.received.commits == 1)
        try await expectEqual([one, two])
    }

    @Test("Replicas that never meet come together through one in the middle", arguments: Carrier.allCases)
    func throughTheMiddle(_ carrier: Carrier) async throws {
        let (one, middle) = try twoReplicas(over: carrier)
        let three = try TestReplica("three", journal: one.log.journal, over: carrier)
        for replica in [one, middle, three] { try await replica.write(3) }
        try await carrier.exchange(one, middle)
        try await carrier.exchange(three, middle)
        try await expectEqual([middle, three])
        try await carrier.exchange(middle, one)
        try await expectEqual([one, middle, three])
    }

    @Test("A log of many segments comes whole, in both directions", arguments: Carrier.allCases)
    func manySegments(_ carrier: Carrier) async throws {
        let (one, two) = try twoReplicas(over: carrier)
        try await one.write(1100)
        try await two.write(20, bytes: 120_000)
        let report = try await carrier.exchange(one, two)
        #expect(report.sent.commits == 1101 && report.received.commits == 21)
        try await expectEqual([one, two])
    }

    @Test("Two different journals are an error that names both, and nothing changes", arguments: Carrier.allCases)
    func otherJournal(_ carrier: Carrier) async throws {
        let (one, two) = (try TestReplica("one", over: carrier), try TestReplica("two", over: carrier))
        for replica in [one, two] { try await replica.write(2) }
        let before = [try one.hashes(), try two.hashes()]
        let error = await failure { try await carrier.exchange(one, two) }
        #expect(code(error) == "otherJournal")
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("\(one.log.journal)") && text.contains("\(two.log.journal)"))
        #expect(try [one.hashes(), two.hashes()] == before)
    }

    @Test("What the other acknowledged is there when its log is reopened (X2)", arguments: Carrier.allCases)
    func acknowledgedIsDurable(_ carrier: Carrier) async throws {
        let (one, two) = try twoReplicas(over: carrier)
        try await one.write(3)
        try await two.write(3)
        let report = try await carrier.exchange(one, two)
        let held = try two.readOnly().read { log in
            let journal = try log.journal()
            return try report.acknowledged.heads.map { try log.holds($0, in: journal) }
        }
        #expect(held.count == 2 && !held.contains(false))
    }

    @Test("Random writing and meeting ends with the same everywhere", arguments: Carrier.allCases, Seeds.some(2))
    func randomMeetings(_ carrier: Carrier, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let first = try TestReplica("0", over: carrier)
        let replicas =
            [first] + (try (1..<4).map { try TestReplica("\($0)", journal: first.log.journal, over: carrier) })
        for _ in 0..<16 {
            let one = Int.random(in: 0..<replicas.count, using: &random)
            let other = (one + Int.random(in: 1..<replicas.count, using: &random)) % replicas.count
            try await replicas[one].write(Int.random(in: 0...3, using: &random))
            if Bool.random(using: &random) { try await carrier.exchange(replicas[one], replicas[other]) }
        }
        for replica in replicas.dropFirst() { try await carrier.exchange(first, replica) }
        for replica in replicas.dropFirst() { try await carrier.exchange(replica, first) }
        try await expectEqual(replicas)
    }
}
