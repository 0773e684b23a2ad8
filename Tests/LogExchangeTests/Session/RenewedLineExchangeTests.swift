import EventLog
import Events
import Foundation
import LogExchange
import StoreSupport
import Testing

/// A founder, and a member that wrote while its clock was 400 days ahead.
@Suite("Exchanges after a clock was far ahead")
struct RenewedLineExchangeTests {
    private static let lead: Int64 = 400 * 86_400_000

    /// `two` wrote, and its clock is right again. `one` has nothing of that.
    private static func pair(
        over carrier: Carrier = .inProcess
    ) async throws -> (one: TestReplica, two: TestReplica) {
        let one = try TestReplica("one", over: carrier, founding: true)
        try await one.write(1)
        let two = try TestReplica("two", journal: one.log.journal, over: carrier)
        try await one.log.grant(.write, to: two.id)
        try await two.write(1)
        try await two.exchange(with: LogPeer(one.log))
        // Not offered by itself before the clock is ahead.
        try await two.write(1)
        two.clock.advance(by: lead)
        try await two.write(3)
        two.clock.advance(by: -lead)
        return (one, two)
    }

    /// How many commits count.
    private static func counting(_ replica: TestReplica) throws -> Int {
        try replica.log.read { log in
            var count = 0
            try log.forEachCommit(after: .start) { commit in
                if commit.counts { count += 1 }
                return true
            }
            return count
        }
    }

    /// They list the same, and the same commits count.
    private static func expectAgreement(_ replicas: [TestReplica]) async throws {
        var frontiers: Set<Frontier> = []
        var counts: Set<Int> = []
        for replica in replicas {
            frontiers.insert(try await replica.frontier())
            counts.insert(try counting(replica))
            try replica.expectIntact()
        }
        #expect(frontiers.count == 1 && counts.count == 1)
    }

    @Test(
        "An exchange renews the line before anything else, and then sends all of it",
        arguments: [Carrier.inProcess, .folder, .messages, .session])
    func renews(_ carrier: Carrier) async throws {
        let (one, two) = try await Self.pair(over: carrier)
        let former = two.id
        let report = try await two.exchange(with: carrier.peer(one, for: two))
        #expect(report.identityChange?.previous == former && two.id != former)
        // One from before; the introduction, the statement and three written again.
        #expect(report.sent.commits == 6)
        try await Self.expectAgreement([one, two])
        let again = try await two.exchange(with: carrier.peer(one, for: two))
        #expect(again.identityChange == nil && again.sent.commits == 0 && again.received.commits == 0)
        try await Self.expectAgreement([one, two])
    }

    @Test("The replica that is asked renews its line as well", arguments: [Carrier.inProcess, .folder, .messages])
    func asked(_ carrier: Carrier) async throws {
        let (one, two) = try await Self.pair(over: carrier)
        let former = two.id
        let report = try await one.exchange(with: carrier.peer(two, for: one))
        #expect(two.id != former && report.peer.replica == two.id && report.received.commits == 6)
        try await Self.expectAgreement([one, two])
    }

    @Test(
        "A founder or a member whose clock was wrong from its first commit on keeps its role", arguments: [false, true])
    func firstCommit(isFounder: Bool) async throws {
        let one = try TestReplica("one", founding: true)
        let two = try TestReplica("two", journal: one.log.journal)
        let late = isFounder ? one : two
        late.clock.advance(by: Self.lead)
        if isFounder {
            try await one.write(2)
        } else {
            try await one.write(1)
            try await one.log.grant(.write, to: two.id)
            try await two.write(2)
        }
        late.clock.advance(by: -Self.lead)
        let former = late.id
        try await two.exchange(with: LogPeer(one.log))
        #expect(late.id != former)
        if isFounder { try await one.log.grant(.write, to: two.id) }
        try await two.write(1)
        for _ in 0..<2 { try await two.exchange(with: LogPeer(one.log)) }
        try await Self.expectAgreement([one, two])
        for replica in [one, two] {
            let membership = try #require(try replica.log.membership())
            #expect(membership.role(of: one.id) == .admin && membership.role(of: two.id) == .write)
        }
        let three = try TestReplica("three", journal: one.log.journal)
        try await three.exchange(with: LogPeer(two.log))
        try await Self.expectAgreement([one, two, three])
    }

    @Test("A holder of the former commits neither counts nor forwards them after the statement has come")
    func holder() async throws {
        let (one, two) = try await Self.pair()
        let three = try TestReplica("three", journal: one.log.journal)
        try await one.log.grant(.write, to: three.id)
        try await three.exchange(with: LogPeer(one.log))
        // Its clock was wrong at that time too, and it wrote nothing.
        for replica in [two, three] { replica.clock.advance(by: Self.lead) }
        try await three.exchange(with: LogPeer(two.log))
        for replica in [two, three] { replica.clock.advance(by: -Self.lead) }
        // As long as it does not know, what it offers is refused.
        #expect(code(await failure { try await three.exchange(with: LogPeer(one.log)) }) == "implausibleTime")
        try await two.exchange(with: LogPeer(one.log))
        try await three.exchange(with: LogPeer(two.log))
        // And once more, for the signature that the former commits made needless.
        try await three.exchange(with: LogPeer(two.log))
        for _ in 0..<2 { try await three.exchange(with: LogPeer(one.log)) }
        try await Self.expectAgreement([one, two, three])
        let four = try TestReplica("four", journal: one.log.journal)
        try await four.exchange(with: LogPeer(three.log))
        try await Self.expectAgreement([one, three, four])
    }

    @Test("What has no clock, or another one, renews nothing", arguments: [Carrier.bundle, .inProcess])
    func unconfirmed(_ carrier: Carrier) async throws {
        let (one, two) = try await Self.pair(over: carrier)
        let former = two.id
        if carrier == .inProcess { one.clock.advance(by: 3_601_000) }
        let error = await failure { _ = try await two.exchange(with: carrier.peer(one, for: two)) }
        #expect(code(error) == (carrier == .bundle ? nil : "implausibleTime"))
        #expect(two.id == former)
        for replica in [one, two] { try replica.expectIntact() }
    }

    @Test("A clock that fell back renews nothing: others wrote later")
    func fallenBack() async throws {
        let one = try TestReplica("one", founding: true)
        try await one.write(1)
        let two = try TestReplica("two", journal: one.log.journal)
        try await one.log.grant(.write, to: two.id)
        for replica in [one, two] { replica.clock.advance(by: Self.lead) }
        try await one.write(1)
        try await two.write(1)
        try await two.exchange(with: LogPeer(one.log))
        let ids = [one.id, two.id]
        for replica in [one, two] { replica.clock.advance(by: -Self.lead) }
        try await two.exchange(with: LogPeer(one.log))
        #expect([one.id, two.id] == ids)
        for replica in [one, two] { replica.clock.advance(by: Self.lead) }
        try await two.exchange(with: LogPeer(one.log))
        try await expectEqual([one, two])
    }
}
