import Events
import StoreSupport
import Testing

@testable import EventLog

/// Erasures of late events, once the erasure that they were late for is taken back.
@Suite("Late arrivals of entities whose erasure is taken back")
struct SweepingCausesTests {
    /// A group in which the founder has erased a trip of the member's, and the member wrote there before it knew. The third
    /// is an admin.
    private struct Swept {
        let group: ErasingGroup
        let trip = SweepingTests.entity(1)
        let commit: CommitID
        let late: CommitID
        /// The commit that states the erasure.
        let cause: CommitID

        /// Nothing that was stated has been passed on; what was late is at the founder's.
        init() async throws {
            group = try await ErasingGroup()
            try await group.founder.grant(.admin, to: group.third.replica)
            commit = try await SweepingTests.write([SweepingTests.event(.created, trip)], to: group.member)
            for log in [group.founder, group.third] { try await group.meet(group.member, log) }
            late = try await SweepingTests.write([SweepingTests.event(.edited, trip)], to: group.member)
            group.advance(days: 1)
            cause = try #require(
                try await group.founder.erase([commit: .all], naming: [ErasedName(trip)]).first)
            try await group.member.pass(to: group.founder)
        }

        /// The erasure of a late commit by a replica that names the cause, stated with nothing else.
        func stateLate(by number: Int, causes: [CommitID]? = nil) async throws {
            let erasure = try group.erasure(.events(0), in: late, by: number)
            let statement = ErasingStatement.erasure(erasure, causes: causes ?? [cause])
            _ = try await group.logs[number].append(Payload(erasing: [statement]))
        }

        func expect(_ erased: ErasedLeaves?, of commit: CommitID, at logs: [Log]) throws {
            for log in logs { #expect(try group.erased(commit, log) == erased) }
        }
    }

    @Test("Taken back, an erasure shows what was erased late for it on every replica, and nothing of it goes")
    func takenBack() async throws {
        let swept = try await Swept()
        let group = swept.group
        #expect(try await group.founder.sweep().count == 1)
        for log in [group.member, group.third] { try await group.meet(log, group.founder) }
        try swept.expect(.events(0), of: swept.late, at: group.logs)
        try await group.founder.takeBack([swept.commit: .all])
        for log in [group.member, group.third] { try await group.meet(log, group.founder) }
        for commit in [swept.commit, swept.late] { try swept.expect(nil, of: commit, at: group.logs) }
        for log in group.logs {
            let states = try log.statedErasures().map(\.state)
            #expect(states == Array(repeating: .takenBack(by: [group.founder.replica]), count: 2))
        }
        #expect(try await group.founder.sweep() == [])
        try await group.expectNothingDue()
    }

    @Test("Bytes of what was erased late that were removed come back with the erasure for which it was")
    func healed() async throws {
        let swept = try await Swept()
        let group = swept.group
        try await group.founder.sweep()
        try await group.meet(group.member, group.founder)
        group.advance(days: 31)
        #expect(try await group.founder.removeDue() == 2)
        try await group.founder.takeBack([swept.commit: .all])
        #expect(try group.founder.read { try $0.holes() }.map(\.isExplained) == [true, true])
        try await group.meet(group.member, group.founder)
        try swept.expect(nil, of: swept.late, at: [group.founder, group.member])
        #expect(try group.founder.missing(of: swept.late) == nil)
        try await group.expectNothingDue()
    }

    @Test("What is erased late for an erasure that is already taken back stays shown")
    func takenBackFirst() async throws {
        let swept = try await Swept()
        let group = swept.group
        for log in [group.member, group.third] { try await group.founder.pass(to: log) }
        #expect(try await group.founder.sweep().count == 1)
        // The author overrules an admin.
        try await group.member.takeBack([swept.commit: .all])
        try await group.member.pass(to: group.third)
        try swept.expect(nil, of: swept.commit, at: [group.third])
        try await group.founder.pass(to: group.third)
        try swept.expect(nil, of: swept.late, at: [group.third])
        for log in [group.third, group.member] { try await group.meet(log, group.founder) }
        try swept.expect(nil, of: swept.late, at: group.logs)
        try await group.expectNothingDue()
    }

    @Test("What is erased late is shown until its cause arrives, and goes once both were held long enough")
    func causeLast() async throws {
        let swept = try await Swept()
        let group = swept.group
        try await group.founder.pass(to: group.third)
        try await swept.stateLate(by: 2)
        try swept.expect(.events(0), of: swept.late, at: [group.third])
        let segments = try await group.third.allSegments(of: group.third.replica)
        for segment in segments { try await group.member.store(segment) }
        try swept.expect(nil, of: swept.late, at: [group.member])
        group.advance(days: 20)
        try await group.founder.pass(to: group.member)
        try swept.expect(.events(0), of: swept.late, at: [group.member])
        group.advance(days: 29)
        #expect(try await group.member.removeDue() == 0)
        group.advance(days: 1)
        #expect(try await group.member.removeDue() == 2)
        #expect(try group.member.missing(of: swept.late) == .events(0))
        try group.expectIntact()
    }

    @Test("What another replica erased late for an erasure of one that is revoked comes back with its take-back")
    func revoked() async throws {
        let group = try await ErasingGroup()
        let trip = SweepingTests.entity(1)
        try await group.founder.grant(.admin, to: group.third.replica)
        let commit = try await SweepingTests.write([SweepingTests.event(.created, trip)], to: group.member)
        for log in [group.founder, group.third] { try await group.meet(group.member, log) }
        try await group.founder.pass(to: group.third)
        let late = try await SweepingTests.write([SweepingTests.event(.edited, trip)], to: group.member)
        group.advance(days: 1)
        let cause = try #require(
            try await group.third.erase([commit: .all], naming: [ErasedName(trip)]).first)
        for log in [group.member, group.third] { try await log.pass(to: group.founder) }
        let erasure = try group.erasure(.events(0), in: late, by: 0)
        _ = try await group.founder.append(Payload(erasing: [.erasure(erasure, causes: [cause])]))
        #expect(try group.erased(late, group.founder) == .events(0))
        try await group.founder.revoke(group.third.replica)
        for log in [group.member, group.third] { try await group.meet(log, group.founder) }
        for log in group.logs {
            #expect(try group.erased(commit, log) == nil && group.erased(late, log) == nil)
        }
        try await group.expectNothingDue()
    }

    @Test("Revoking takes back also what no cause keeps erased now, which one may again")
    func revokedWithoutCause() async throws {
        let swept = try await Swept()
        let group = swept.group
        // Of a commit that nobody holds.
        let unknown = CommitID(replica: group.founder.replica, sequence: SequenceNumber(99), hash: .zero)
        try await swept.stateLate(by: 2, causes: [unknown])
        try await group.third.pass(to: group.founder)
        let back = try group.founder.read { try $0.takenBack(byRevoking: group.third.replica) }
        #expect(back == [swept.late: .events(0)])
        try group.expectIntact()
    }

    @Test("What an earlier version erased late names no cause, and stays erased until it is taken back by itself")
    func earlierVersion() async throws {
        let swept = try await Swept()
        let group = swept.group
        try await swept.stateLate(by: 0, causes: [])
        #expect(try await group.founder.sweep() == [])
        try await group.founder.takeBack([swept.commit: .all])
        for log in [group.member, group.third] { try await group.meet(log, group.founder) }
        try swept.expect(.events(0), of: swept.late, at: group.logs)
        try await group.founder.takeBack([swept.late: .all])
        for log in [group.member, group.third] { try await group.meet(log, group.founder) }
        try swept.expect(nil, of: swept.late, at: group.logs)
        try await group.expectNothingDue()
    }

    @Test("What arrives late of an entity that was created late names the first cause, and comes back with it")
    func nested() async throws {
        let swept = try await Swept()
        let group = swept.group
        let item = SweepingTests.entity(2)
        let created = try await SweepingTests.write(
            [SweepingTests.event(.created, item, in: swept.trip)], to: group.member)
        try await group.member.pass(to: group.founder)
        try await group.founder.sweep()
        let edited = try await SweepingTests.write([SweepingTests.event(.edited, item)], to: group.member)
        try await group.member.pass(to: group.founder)
        #expect(try await group.founder.sweep().count == 1)
        let fates = try group.founder.read { try $0.erasing()?.fates }
        for commit in [swept.late, created, edited] {
            #expect(fates?[commit]?.erasures.map(\.fact.causes) == [[swept.cause]])
        }
        try await group.founder.takeBack([swept.commit: .all])
        for log in [group.member, group.third] { try await group.meet(log, group.founder) }
        for commit in [swept.late, created, edited] { try swept.expect(nil, of: commit, at: group.logs) }
        #expect(try await group.founder.sweep() == [])
        try await group.expectNothingDue()
    }

    @Test("Of a commit that arrives late for two erasures, each event comes back with its own")
    func separate() async throws {
        let group = try await ErasingGroup()
        let trips = [SweepingTests.entity(1), SweepingTests.entity(1)]
        var commits: [CommitID] = []
        for trip in trips {
            commits.append(try await SweepingTests.write([SweepingTests.event(.created, trip)], to: group.member))
        }
        try await group.meet(group.member, group.founder)
        let both = SweepingTests.event(.created, SweepingTests.entity(2), in: trips[0])
        let late = try await SweepingTests.write(
            trips.map { SweepingTests.event(.edited, $0) } + [both], to: group.member)
        group.advance(days: 1)
        for (trip, commit) in zip(trips, commits) {
            try await group.founder.erase([commit: .all], naming: [ErasedName(trip)])
        }
        try await group.member.pass(to: group.founder)
        #expect(try await group.founder.sweep().count == 2)
        #expect(try group.erased(late, group.founder) == .events(0, 1, 2))
        try await group.founder.takeBack([commits[0]: .all])
        #expect(try group.erased(late, group.founder) == .events(1))
        #expect(try await group.founder.sweep() == [])
        try await group.meet(group.member, group.founder)
        #expect(try group.erased(late, group.member) == .events(1))
        try group.expectIntact()
    }

    @Test("What two admins erased stays erased, with what arrived late, when one of them takes its part back")
    func twoErasers() async throws {
        let swept = try await Swept()
        let group = swept.group
        try await group.meet(group.founder, group.third)
        try await group.third.erase([swept.commit: .all], naming: [ErasedName(swept.trip)])
        let later = try await SweepingTests.write([SweepingTests.event(.edited, swept.trip)], to: group.member)
        try await group.member.pass(to: group.third)
        try await group.third.sweep()
        #expect(try group.erased(later, group.third) == .events(0))
        try await group.meet(group.third, group.founder)
        #expect(try await group.founder.sweep().count == 1)
        try await group.third.takeBack([swept.commit: .all])
        for log in [group.third, group.member] { try await group.meet(log, group.founder) }
        for log in group.logs {
            #expect(try group.erased(later, log) == .events(0) && group.erased(swept.commit, log) == .all)
        }
        try await group.founder.takeBack([swept.commit: .all])
        for log in [group.third, group.member] { try await group.meet(log, group.founder) }
        for log in group.logs { #expect(try group.erased(later, log) == nil && group.erased(swept.late, log) == nil) }
        try await group.expectNothingDue()
    }

    @Test("Events of one commit that came late for many different erasures are erased without causes")
    func manyKinds() async throws {
        let group = try await ErasingGroup()
        let trips = (0..<17).map { _ in SweepingTests.entity(1) }
        let commit = try await SweepingTests.write(
            trips.map { SweepingTests.event(.created, $0) }, to: group.member)
        try await group.meet(group.member, group.founder)
        let late = try await SweepingTests.write(trips.map { SweepingTests.event(.edited, $0) }, to: group.member)
        group.advance(days: 1)
        for (index, trip) in trips.enumerated() {
            try await group.founder.erase([commit: .events(index)], naming: [ErasedName(trip)])
        }
        try await group.member.pass(to: group.founder)
        #expect(try await group.founder.sweep().count == 1)
        #expect(try await group.founder.sweep() == [])
        let erased = try #require(try group.founder.read { try $0.erasing()?.fates[late]?.erasures })
        #expect(erased.map(\.fact.causes) == [[]])
        #expect(erased.map(\.erasure.leaves) == [.some(LeafSet(events: 0..<17))])
        try group.expectIntact()
    }

    @Test("What was erased late while the clock was ahead names the cause as it is written again")
    func writtenAgain() async throws {
        let swept = try await Swept()
        let group = swept.group
        try await group.ahead(2..<3) {
            let cause = try #require(try await group.third.erase([swept.commit: .all]).first)
            try await group.member.pass(to: group.third)
            try await swept.stateLate(by: 2, causes: [cause])
        }
        let former = group.third.replica
        _ = try await group.third.append(.sample("right again"))
        #expect(group.third.replica != former)
        let fates = try #require(try group.third.read { try $0.erasing()?.fates })
        let renamed = try #require(fates[swept.commit]?.erasures.map(\.fact.commit))
        #expect(renamed.count == 1 && renamed.first?.replica == group.third.replica)
        #expect(fates[swept.late]?.erasures.map(\.fact.causes) == [renamed])
        try swept.expect(.events(0), of: swept.late, at: [group.third])
        try await group.third.takeBack([swept.commit: .all])
        try swept.expect(nil, of: swept.late, at: [group.third])
        try group.expectIntact()
    }
}
