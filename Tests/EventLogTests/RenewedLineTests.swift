import Events
import Foundation
import Platform
import StoreSupport
import Testing

@testable import EventLog

/// A founder and a member whose clock was 400 days ahead, and is right again.
@Suite("Lines that were renewed")
struct RenewedLineTests {
    private static let lead: Int64 = 400 * 86_400_000

    private static func pair() async throws -> LogPair {
        let pair = try await LogPair()
        _ = try await pair.founder.append(.sample("founded"))
        try await pair.founder.grant(.write, to: pair.other.replica)
        _ = try await pair.other.append(.sample("before"))
        try await pair.meet()
        return pair
    }

    /// What each replica shows, and what it lists.
    private static func expectEqual(_ logs: [Log]) async throws {
        var texts: Set<[String]> = []
        var heads: Set<[CommitID]> = []
        for log in logs {
            try await log.signHead()
            texts.insert(try log.texts().sorted())
            heads.insert(try log.read { try $0.listedHeads(of: $0.journal()) })
        }
        #expect(texts.count == 1 && heads.count == 1)
    }

    @Test("Replaced commits neither count nor are listed, also where they are held", arguments: [false, true])
    func everywhere(isHeld: Bool) async throws {
        let pair = try await Self.pair()
        let (founder, other) = (pair.founder, pair.other)
        let clocks = [pair.fixtures.0.clock, pair.fixtures.1.clock]
        // Not signed by itself: it is forwarded without those that follow.
        _ = try await other.append(.sample("unsigned"))
        for clock in clocks { clock.advance(by: Self.lead) }
        _ = try await other.append(.sample("ahead 1"))
        _ = try await other.append(.sample("ahead 2"))
        if isHeld { try await other.pass(to: founder) }
        for clock in clocks { clock.advance(by: -Self.lead) }
        let former = other.replica
        let change = try await other.renewLineAhead(confirmedBy: clocks[1].now + 3_599_000)
        #expect(change?.previous == former && change?.reason == "its clock had stood 9600 hours ahead")
        #expect(other.replica != former)
        #expect(try other.texts().sorted() == ["ahead 1", "ahead 2", "before", "founded", "unsigned"])
        // Nothing is refused: an error of the receiver would be thrown.
        try await other.pass(to: founder)
        try await pair.meet()
        let third = LogFixture(seed: 3)
        let copy = try third.open(journal: founder.journal)
        try await founder.pass(to: copy)
        try await Self.expectEqual([founder, other, copy])
        #expect(try copy.commits().allSatisfy { Int64($0.header.timestamp.milliseconds) <= clocks[0].now })
        // It happens once.
        #expect(try await other.renewLineAhead(confirmedBy: clocks[1].now) == nil)
        try pair.expectIntact()
        try third.expectIntact()
    }

    @Test("A replica that holds only the beginning of what was replaced does not count that either")
    func beginning() async throws {
        let pair = try await Self.pair()
        let clocks = [pair.fixtures.0.clock, pair.fixtures.1.clock]
        for clock in clocks { clock.advance(by: Self.lead) }
        for number in 1...3 {
            _ = try await pair.other.append(.sample("ahead \(number)"))
            if number < 3 { try await pair.other.pass(to: pair.founder) }
        }
        for clock in clocks { clock.advance(by: -Self.lead) }
        #expect(try await pair.other.renewLineAhead(confirmedBy: clocks[1].now) != nil)
        try await pair.other.pass(to: pair.founder)
        try await pair.meet()
        #expect(try pair.founder.texts().sorted() == ["ahead 1", "ahead 2", "ahead 3", "before", "founded"])
        try await Self.expectEqual([pair.founder, pair.other])
        try pair.expectIntact()
    }

    @Test(
        "What was written with a wrong clock is replaced by the replica that succeeds the author, in a copy",
        arguments: [false, true])
    func copied(isRightAtOpening: Bool) async throws {
        let pair = try await Self.pair()
        pair.fixtures.1.clock.advance(by: Self.lead)
        _ = try await pair.other.append(.sample("ahead"))
        try await pair.other.worker.run { try pair.other.prepareClose() }
        var copy = try pair.fixtures.1.copied(seed: 3)
        copy.dependencies.fileOrigin = { _ in FileOrigin(inode: 3, birthTime: 1) }
        if !isRightAtOpening { copy.clock.advance(by: Self.lead) }
        let log = try copy.open()
        if !isRightAtOpening { copy.clock.advance(by: -Self.lead) }
        let replica = log.replica
        #expect(replica != pair.other.replica)
        #expect(try await log.renewLineAhead(confirmedBy: copy.clock.now) == nil)
        try await log.pass(to: pair.founder)
        for log in [log, pair.founder] { #expect(try log.texts().sorted() == ["ahead", "before", "founded"]) }
        try await Self.expectEqual([log, pair.founder])
        // It happens once, and under the id that the copy has.
        let count = try log.commits().count
        #expect(try await log.renewLineAhead(confirmedBy: copy.clock.now) == nil)
        #expect(try log.commits().count == count && log.replica == replica)
        try pair.expectIntact()
        try copy.expectIntact()
    }

    @Test(
        "A successor shows the keys of all whose first commit was written with a wrong clock",
        arguments: [0, 1, 2], [false, true])
    func firstCommits(copies: Int, write: Bool) async throws {
        let pair = try await LogPair()
        _ = try await pair.founder.append(.sample("founded"))
        try await pair.founder.grant(.write, to: pair.other.replica)
        try await pair.founder.pass(to: pair.other)
        var (fixture, log) = (pair.fixtures.1, pair.other)
        fixture.clock.advance(by: Self.lead)
        _ = try await log.append(.sample("ahead"))
        for number in 0..<UInt64(copies) {
            let closing = log
            try await closing.worker.run { try closing.prepareClose() }
            fixture = try fixture.copied(seed: 10 + number)
            fixture.dependencies.fileOrigin = { _ in FileOrigin(inode: 10 + number, birthTime: 1) }
            fixture.clock.advance(by: Self.lead)
            log = try fixture.open()
            if write { _ = try await log.append(.sample("ahead \(number)")) }
        }
        fixture.clock.advance(by: -Self.lead)
        _ = try await log.append(.sample("right"))
        try await log.pass(to: pair.founder)
        #expect(try pair.founder.membership()?.role(of: log.replica) == .write)
        for log in [log, pair.founder] { #expect(try log.texts().count == 3 + (write ? copies : 0)) }
        try await Self.expectEqual([log, pair.founder])
        try pair.expectIntact()
        try fixture.expectIntact()
    }

    @Test("A clock that was put right in two steps loses nothing, and nothing is there twice")
    func twoSteps() async throws {
        let pair = try await Self.pair()
        let (founder, other, clock) = (pair.founder, pair.other, pair.fixtures.1.clock)
        let step: Int64 = 8 * 86_400_000
        clock.advance(by: step)
        _ = try await other.append(.sample("first"))
        clock.advance(by: Self.lead)
        _ = try await other.append(.sample("second"))
        clock.advance(by: -Self.lead)
        let former = other.replica
        _ = try await other.append(.sample("third"))
        let between = other.replica
        #expect(between != former)
        clock.advance(by: -step)
        #expect(try await other.renewLineAhead(confirmedBy: clock.now)?.previous == between)
        try await pair.meet()
        for log in [founder, other] {
            #expect(try log.texts().sorted() == ["before", "first", "founded", "second", "third"])
        }
        try await Self.expectEqual([founder, other])
        try pair.expectIntact()
    }

    @Test("Without a clock that confirms this one, or while others wrote later, nothing is renewed")
    func unconfirmed() async throws {
        let pair = try await Self.pair()
        let (founder, other) = (pair.founder, pair.other)
        let clocks = [pair.fixtures.0.clock, pair.fixtures.1.clock]
        for clock in clocks { clock.advance(by: Self.lead) }
        let newest = try #require(try await other.append(.sample("later")))
        // As after a battery was empty: what was right is now far ahead.
        clocks[1].advance(by: -Self.lead)
        let former = other.replica
        for peer in [nil, clocks[0].now, clocks[1].now - 3_601_000, Int64.min, .max] {
            #expect(try await other.renewLineAhead(confirmedBy: peer) == nil)
        }
        _ = try await founder.append(.sample("by another"))
        clocks[1].advance(by: Self.lead)
        try await founder.pass(to: other)
        clocks[1].advance(by: -Self.lead)
        #expect(try await other.renewLineAhead(confirmedBy: clocks[1].now) == nil)
        let next = try #require(try await other.append(.sample("written on")))
        #expect(other.replica == former && next.replica == former && next.timestamp > newest.timestamp)
        try pair.expectIntact()
    }

    @Test("A clock before the program's release renews nothing")
    func behindRelease() async throws {
        let pair = try await Self.pair()
        let former = pair.other.replica
        pair.fixtures.1.clock.now = 1_700_000_000_000
        #expect(try await pair.other.renewLineAhead(confirmedBy: 1_700_000_000_000) == nil)
        #expect(pair.other.replica == former)
        try pair.expectIntact()
    }

    @Test("What was void, granted and revoked under the wrong clock still is")
    func statements() async throws {
        let pair = try await Self.pair()
        let (founder, other) = (pair.founder, pair.other)
        let clock = pair.fixtures.0.clock
        let granted = try Story.actor("granted").id
        clock.advance(by: Self.lead)
        let written = try #require(try await founder.append(.sample("void")))
        try await founder.void(
            CommitID(replica: written.replica, sequence: written.sequence, hash: written.hash))
        try await founder.grant(.read, to: granted)
        try await founder.revoke(other.replica)
        clock.advance(by: -Self.lead)
        let former = founder.replica
        #expect(try await founder.renewLineAhead(confirmedBy: clock.now)?.previous == former)
        try await founder.pass(to: other)
        for log in [founder, other] {
            let membership = try #require(try log.membership())
            #expect(membership.members[granted]?.grantedBy == founder.replica)
            #expect(membership.members[other.replica]?.revokedBy == founder.replica)
            #expect(try log.texts().sorted() == ["before", "founded"])
        }
        try await Self.expectEqual([founder, other])
        try pair.expectIntact()
    }

    @Test("What is a little ahead stays, and what is written again is later")
    func plausible() async throws {
        let pair = try await Self.pair()
        let (founder, other) = (pair.founder, pair.other)
        let clock = pair.fixtures.1.clock
        clock.advance(by: 20 * 3_600_000)
        let plausible = try #require(try await other.append(.sample("plausible")))
        clock.advance(by: 10 * 3_600_000)
        _ = try await other.append(.sample("ahead"))
        clock.advance(by: -30 * 3_600_000)
        let next = try #require(try await other.append(.sample("next")))
        #expect(next.replica != plausible.replica && next.timestamp > plausible.timestamp)
        try await pair.meet()
        #expect(try founder.texts() == ["founded", "before", "plausible", "ahead", "next"])
        try await Self.expectEqual([founder, other])
        try pair.expectIntact()
    }

    @Test(
        "What was erased keeps the names of entities, also of a commit of which the rest is written again, unless taken back",
        arguments: [false, true])
    func names(isTakenBack: Bool) async throws {
        let pair = try await Self.pair()
        let (logs, clock) = ([pair.founder, pair.other], pair.fixtures.1.clock)
        clock.advance(by: Self.lead)
        let events = ["secret", "rest"].flatMap { Payload.sample($0).events }
        let commit = try #require(try await pair.other.append(Payload(events: events))).id
        let name = ErasedName(EntityReference(kind: EntityKind(rawValue: 1), id: UUID()))
        try await pair.other.erase([commit: .events(0)], naming: [name])
        if isTakenBack { try await pair.other.takeBack([commit: .all]) }
        clock.advance(by: -Self.lead)
        #expect(try await pair.other.renewLineAhead(confirmedBy: clock.now) != nil)
        try await pair.other.pass(to: pair.founder)
        try await pair.meet()
        for log in logs {
            #expect(try log.texts().sorted() == ["before", "founded", "rest"])
            #expect(try log.read { try $0.erasedNames() } == (isTakenBack ? [] : [name]))
        }
        try await Self.expectEqual(logs)
        try pair.expectIntact()
    }
}
