import Events
import Foundation
import LMDB
import StoreSupport
import TestSupport
import Testing

@testable import EventLog

/// Erasing by members of each role, and when the bytes go.
@Suite("Erasing among members")
struct ErasingMembersTests {
    @Test(
        "What an admin erases of a member is hidden at once and goes after thirty days"
    )
    func byAdmin() async throws {
        let group = try await ErasingGroup()
        let commit = try await group.write(group.member)
        for log in [group.member, group.third] { try await group.meet(log, group.founder) }
        let error = await #expect(throws: EventLogError.self) { try await group.third.erase(.all, in: commit) }
        #expect(error?.code == .notErasable)
        try await group.founder.erase(.events(1), in: commit)
        for log in [group.member, group.third] { try await group.meet(log, group.founder) }
        for log in group.logs {
            #expect(try group.erased(commit, log) == .events(1) && log.missing(of: commit) == nil)
        }
        group.advance(days: 29)
        for log in group.logs { #expect(try await log.removeDue() == 0) }
        group.advance(days: 1)
        for log in group.logs {
            #expect(try await log.removeDue() == 1)
            #expect(try log.missing(of: commit) == .events(1) && log.statedErasures().map(\.state) == [.removed])
        }
        try group.expectIntact()
    }

    @Test("What the author erases goes elsewhere at once when an admin erases it too")
    func confirmed() async throws {
        let group = try await ErasingGroup()
        let commit = try await group.write(group.member)
        try await group.member.erase(.events(0, 2), in: commit)
        try await group.meet(group.member, group.founder)
        #expect(try group.founder.missing(of: commit) == .events(0, 2))
        let late = try await group.write(group.member)
        try await group.meet(group.member, group.founder)
        try await group.member.erase(.events(0, 2), in: late)
        try await group.meet(group.member, group.founder)
        #expect(try group.founder.missing(of: late) == nil)
        try await group.founder.erase(.events(2), in: late)
        #expect(try group.founder.missing(of: late) == .events(2))
        #expect(try group.erased(late, group.founder) == .events(0, 2))
        try group.expectIntact()
    }

    @Test("A member takes back what an admin erases of its own, and an admin what a member erases")
    func takenBack() async throws {
        let group = try await ErasingGroup()
        let (one, other) = (try await group.write(group.member), try await group.write(group.member))
        for log in [group.member, group.third] { try await group.meet(log, group.founder) }
        try await group.founder.erase([one: .all])
        try await group.member.erase([other: .all])
        try await group.meet(group.member, group.founder)
        let error = await #expect(throws: EventLogError.self) { try await group.third.takeBack([one: .all]) }
        #expect(error?.code == .noEffect)
        try await group.member.takeBack([one: .all])
        try await group.founder.takeBack([other: .all])
        try await group.meet(group.member, group.founder)
        // The member removed its own at once, and the founder's copy heals it.
        for log in [group.founder, group.member] {
            #expect(try group.erased(one, log) == nil && group.erased(other, log) == nil)
        }
        #expect(try group.member.read { try $0.hasErasures() } == false)
        try group.expectIntact()
    }

    @Test("An admin sets the period, and a member does not")
    func period() async throws {
        let group = try await ErasingGroup()
        let commit = try await group.write(group.member)
        try await group.meet(group.member, group.founder)
        for (log, days, code) in [
            (group.member, 30, EventLogError.Code.notAMember), (group.founder, 366, .noEffect),
        ] {
            let error = await #expect(throws: EventLogError.self) { try await log.setErasingPeriod(days: days) }
            #expect(error?.code == code)
        }
        try await group.founder.setErasingPeriod(days: 2)
        try await group.founder.erase(.all, in: commit)
        group.advance(days: 29)
        #expect(try await group.founder.removeDue() == 0)
        group.advance(days: 1)
        #expect(try await group.founder.removeDue() == 1)
        try group.expectIntact()
    }

    @Test("A replica that gets a commit without the erased bytes, and the members later, shows it as the others do")
    func grantedLater() async throws {
        let group = try await ErasingGroup()
        let commit = try await group.write(group.founder)
        try await group.founder.signHead()
        try await group.founder.grant(.admin, to: group.third.replica)
        try await group.meet(group.third, group.founder)
        try await group.third.erase(.events(0), in: commit)
        group.advance(days: 31)
        #expect(try await group.third.removeDue() == 1)
        let late = LogFixture(seed: 9)
        let newcomer = try late.open(journal: group.founder.journal)
        for segment in try await group.third.allSegments(of: group.founder.replica) {
            try await newcomer.store(segment)
        }
        // The statement is not held yet: the bytes were erased, as the erasure says, and may come back.
        #expect(try newcomer.read { try $0.holes().map(\.isExplained) } == [true])
        try await group.third.pass(to: newcomer)
        #expect(try newcomer.read { try $0.holes() } == [])
        #expect(try group.erased(commit, newcomer) == .events(0))
        #expect(try newcomer.read { try $0.erasures(of: commit.hash).count } == 1)
        try late.expectIntact()
        try group.expectIntact()
    }

    @Test("A successor erases its predecessor's commits as the author")
    func successor() async throws {
        let group = try await ErasingGroup()
        let commit = try await group.write(group.member)
        try await group.meet(group.member, group.founder)
        let line = try ForgedLine(group.founder.journal, seed: 77)
        let first = try line.firstCommit(after: group.identity(1))
        let erasure = try Erasure(of: .all, in: commit, of: group.founder.journal, at: 1, by: line.identity)
        let second = try line.commit(Payload(erasing: [.erasure(erasure, naming: [])]), after: first)
        try await group.founder.store(line.segment([first, second]))
        #expect(try group.erased(commit, group.founder) == .all)
        // It is revoked with its predecessor, and what it stated before stays.
        try await group.founder.revoke(group.member.replica)
        #expect(try group.erased(commit, group.founder) == .all)
        group.advance(days: 8)
        #expect(try await group.founder.removeDue() == 1)
        try group.expectIntact()
    }

    @Test("Erasures of commits that are not forwarded are not listed, and views do not change by them")
    func unlisted() async throws {
        let group = try await ErasingGroup()
        // A commit beyond the cut, which another replica holds.
        let late = try await group.write(group.member)
        try await group.meet(group.member, group.third)
        try await group.founder.revoke(group.member.replica)
        try await group.founder.grant(.admin, to: group.third.replica)
        for segment in try await group.founder.allSegments(of: group.founder.replica) {
            try await group.third.store(segment)
        }
        let before = try group.third.read { try $0.rewriteCount() }
        try await group.third.erase(.all, in: late)
        #expect(try group.erased(late, group.third) == .all)
        #expect(try group.third.read { try $0.erasureStates() } == [])
        #expect(try group.third.read { try $0.rewriteCount() } == before)
        try group.expectIntact()
    }

    @Test("When a commit about members is healed the members are resolved again")
    func healedStatement() async throws {
        let group = try await ErasingGroup()
        let grant = try #require(try await group.founder.grant(.admin, to: group.third.replica)).id
        let segments = try await group.founder.allSegments(of: group.founder.replica)
        for segment in segments { try await group.member.store(segment) }
        try group.member.lose(.all, of: grant)
        let tables = group.member.tables
        try group.member.environment.write { try MembershipKeeper.mix([1], tables, $0) }
        #expect(try group.member.membership()?.role(of: group.third.replica) == .write)
        var healed: Set<CommitID> = []
        for segment in segments { healed.formUnion(try await group.member.heal([grant], from: segment)) }
        #expect(healed == [grant])
        #expect(try group.member.membership()?.role(of: group.third.replica) == .admin)
        try group.expectIntact()
    }

    @Test("A first commit with features is refused, and found")
    func featuresOfFirstCommit() async throws {
        let group = try await ErasingGroup()
        let line = try ForgedLine(group.founder.journal, seed: 6)
        let first = try line.commit(Payload(membership: [MembershipStatement.withdrawal([1]).encoded()]))
        let error = await #expect(throws: EventLogError.self) {
            try await group.founder.store(line.segment([first]))
        }
        #expect(error?.code == .rejected && error?.message.contains("features") == true)
    }

    @Test("A commit that says what is erased and has events is refused: nobody could erase these")
    func events() async throws {
        let group = try await ErasingGroup()
        let line = try ForgedLine(group.founder.journal, seed: 8)
        let first = try line.commit(Payload())
        var payload = Payload(erasing: [.takeBack(try await group.write(group.founder), .all)])
        let second = try line.commit(payload, after: first)
        try await group.founder.store(line.segment([first, second]))
        payload.events = Payload.sample("stays").events
        let third = try line.commit(payload, after: second)
        let error = await #expect(throws: EventLogError.self) {
            try await group.founder.store(line.segment([third], after: second))
        }
        #expect(error?.code == .rejected && error?.message.contains("events") == true)
        try group.expectIntact()
    }

    @Test("A member that is no admin states about as many KiB a day about erasing as commits about members")
    func quota() async throws {
        let group = try await ErasingGroup()
        let line = try ForgedLine(group.founder.journal, seed: 40)
        var last = try line.commit(Payload())
        try await group.founder.store(line.segment([last]))
        try await group.founder.grant(.write, to: line.identity.id)
        let leaves = LeafSet((0..<60_000).map { UInt32($0) })
        let many = (0..<4).map { number in
            ErasingStatement.takeBack(
                CommitID(replica: line.identity.id, sequence: SequenceNumber(UInt64(number) + 2), hash: .zero),
                .some(leaves))
        }
        var refused: EventLogError?
        for _ in 0..<30 where refused == nil {
            let next = try line.commit(Payload(erasing: many), after: last)
            do { try await group.founder.store(line.segment([next], after: last)) } catch let error as EventLogError {
                refused = error
            }
            last = next
        }
        #expect(refused?.code == .quotaExceeded && refused?.quota == .statementsADay)
        try group.expectIntact()
    }
}
