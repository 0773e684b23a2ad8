import Events
import StoreSupport
import Testing

@testable import EventLog

/// What revoked replicas erased.
@Suite("Erasures of replicas that were revoked")
struct ErasingRevokedTests {
    @Test("What a revoked member erased of its own stays erased, as far as its statements are within the cut")
    func own() async throws {
        let group = try await ErasingGroup()
        let (known, unknown) = (try await group.write(group.member), try await group.write(group.member))
        for log in [group.founder, group.third] { try await group.meet(log, group.member) }
        try await group.member.erase(.events(0), in: known)
        try await group.meet(group.member, group.founder)
        try await group.member.erase(.all, in: unknown)
        try await group.founder.revoke(group.member.replica)
        for log in [group.third, group.member] { try await group.meet(log, group.founder) }
        for log in group.logs { #expect(try group.erased(known, log) == .events(0)) }
        // The member got back the bytes that it had removed.
        for log in group.logs { #expect(try group.erased(unknown, log) == nil) }
        try group.expectIntact()
    }

    @Test("What a revoked admin erased of others comes back, by take-backs in the commit of the revocation")
    func others() async throws {
        let group = try await ErasingGroup()
        try await group.founder.grant(.admin, to: group.third.replica)
        let commit = try await group.write(group.member)
        for log in [group.member, group.third] { try await group.meet(log, group.founder) }
        try await group.third.erase([commit: .events(0, 2)])
        try await group.meet(group.third, group.founder)
        #expect(try group.erased(commit, group.founder) == .events(0, 2))
        let preview = try group.founder.read { try $0.takenBack(byRevoking: group.third.replica) }
        #expect(preview == [commit: .events(0, 2)])
        let revocation = try #require(try await group.founder.revoke(group.third.replica))
        #expect(try group.erased(commit, group.founder) == nil)
        let header = try #require(try group.founder.commits().first { $0.hash == revocation.hash }).header
        #expect(header.isMembership && header.isErasing)
        #expect(try group.founder.read { try $0.takenBack(byRevoking: group.third.replica) } == [:])
        for log in [group.third, group.member] { try await group.meet(log, group.founder) }
        for log in group.logs { #expect(try group.erased(commit, log) == nil) }
        try await group.expectNothingDue()
    }

    @Test("What is gone here already is not taken back by a revocation")
    func alreadyGone() async throws {
        let group = try await ErasingGroup()
        try await group.founder.grant(.admin, to: group.third.replica)
        let commit = try await group.write(group.member)
        for log in [group.member, group.third] { try await group.meet(log, group.founder) }
        try await group.third.erase(.all, in: commit)
        try await group.meet(group.third, group.founder)
        group.advance(days: 30)
        #expect(try await group.founder.removeDue() == 1)
        try await group.founder.revoke(group.third.replica)
        #expect(try group.erased(commit, group.founder) == .all)
        try group.expectIntact()
    }

    @Test("With a revoked replica's key nothing can be erased that others hold")
    func thief() async throws {
        let group = try await ErasingGroup()
        let commit = try await group.write(group.member)
        for log in [group.founder, group.third] { try await group.meet(log, group.member) }
        try await group.founder.revoke(group.member.replica)
        try await group.member.erase(.all, in: commit)
        // A replica without the revocation hides it, until it receives that.
        try await group.member.pass(to: group.third)
        #expect(try group.erased(commit, group.third) == .all && group.third.missing(of: commit) == nil)
        for log in [group.third, group.member] {
            try await group.founder.pass(to: log)
            #expect(try group.erased(commit, log) == nil && log.missing(of: commit) == nil)
            #expect(try log.read { try $0.hasErasures() } == false)
        }
        try group.expectIntact()
    }

    @Test("A commit whose bytes a bare erasure of its author names is stored and heals, and is no fault")
    func explained() async throws {
        let group = try await ErasingGroup()
        let commit = try await group.write(group.member)
        for log in [group.founder, group.third] { try await group.meet(log, group.member) }
        try group.third.lose(.all, of: commit)
        #expect(try await group.third.keep([group.erasure(.all, in: commit, by: 1)]) == 1)
        let late = LogFixture(seed: 9)
        let newcomer = try late.open(journal: group.founder.journal)
        try await group.third.pass(to: newcomer)
        #expect(try newcomer.read { try $0.searchedHoles().map(\.commit) } == [commit])
        #expect(try newcomer.read { try $0.holes().map(\.isExplained) } == [true])
        try late.expectIntact()
        for log in [group.third, newcomer] {
            try await group.founder.pass(to: log)
            #expect(try group.erased(commit, log) == nil)
            #expect(try log.read { try $0.erasures(of: commit.hash) } == [])
        }
        try late.expectIntact()
        try group.expectIntact()
    }

    @Test("A commit whose bytes a stranger's erasure names is stored and heals, and is a finding until then")
    func withheld() async throws {
        let group = try await ErasingGroup()
        let commit = try await group.write(group.member)
        try await group.meet(group.founder, group.member)
        let late = LogFixture(seed: 9)
        let newcomer = try late.open(journal: group.founder.journal)
        for segment in try await group.founder.allSegments(of: group.founder.replica) {
            try await newcomer.store(segment)
        }
        for segment in try await group.founder.allSegments(of: group.member.replica) {
            try await newcomer.store(segment.withheld())
        }
        let holes = try newcomer.read { try $0.holes() }
        #expect(holes.contains { $0.commit == commit } && holes.allSatisfy { !$0.isExplained })
        let report = try LogVerifier.verify(EnvironmentRows(at: late.folder.path("log")))
        #expect(report.findings.map(\.code) == holes.map { _ in "payloadMissing" })
        try await group.founder.pass(to: newcomer)
        #expect(try group.erased(commit, newcomer) == nil)
        try late.expectIntact()
        try group.expectIntact()
    }

    @Test("A revocation in a commit that was replaced, and that was not repeated, keeps no statement from counting")
    func replacedRevocation() async throws {
        let group = try await ErasingGroup()
        try await group.founder.grant(.admin, to: group.member.replica)
        let commit = try await group.write(group.third)
        for log in [group.third, group.member] { try await group.meet(group.founder, log) }
        let former = group.member.replica
        try await group.ahead {
            try await group.member.revoke(group.third.replica)
            try await group.member.pass(to: group.founder)
        }
        _ = try await group.member.append(.sample("right again"))
        try await group.member.pass(to: group.founder)
        let role = { try group.founder.membership()?.role(of: group.third.replica) }
        #expect(try role() == nil && group.member.replica != former)
        // The second commit of the new line says what it replaces, and the third repeats the revocation.
        let stated = try #require(
            try group.member.commits().first {
                $0.header.replica == group.member.replica && $0.header.sequence == SequenceNumber(2)
            })
        let cut = CommitID(
            replica: stated.header.replica, sequence: stated.header.sequence, hash: stated.hash)
        try await group.founder.revoke(group.member.replica, cut: [cut])
        #expect(try role() == .write)
        try await group.third.erase(.all, in: commit)
        try await group.third.pass(to: group.founder)
        #expect(try group.erased(commit, group.founder) == .all)
        try group.expectIntact()
    }

    @Test("What a replica erased while its clock was ahead stays erased after its line was replaced")
    func replacedErasure() async throws {
        let group = try await ErasingGroup()
        let commit = try await group.write(group.member)
        try await group.meet(group.member, group.founder)
        try await group.ahead(1..<2) {
            let late = try await group.write(group.member)
            try await group.member.erase([commit: .events(1), late: .events(0)])
        }
        let former = group.member.replica
        _ = try await group.member.append(.sample("right again"))
        #expect(group.member.replica != former)
        try await group.member.pass(to: group.founder)
        for log in [group.member, group.founder] { #expect(try group.erased(commit, log) == .events(1)) }
        // The rest of the later commit was written again without what was erased of it.
        #expect(try group.founder.texts().filter { $0 == "event 0" }.count == 1)
        try group.expectIntact()
    }

    @Test("What an admin erased of commits that are written again, once the clock is right, is not written again")
    func writtenAgain() async throws {
        let group = try await ErasingGroup()
        let late = try await group.ahead {
            let late = try await group.write(group.member)
            try await group.member.pass(to: group.founder)
            return late
        }
        try await group.founder.erase(.events(1), in: late)
        for segment in try await group.founder.allSegments(of: group.founder.replica) {
            try await group.member.store(segment)
        }
        #expect(try group.erased(late, group.member) == .events(1) && group.member.missing(of: late) == nil)
        let former = group.member.replica
        _ = try await group.member.append(.sample("right again"))
        #expect(group.member.replica != former)
        try await group.member.pass(to: group.founder)
        for log in [group.member, group.founder] {
            let texts = try log.texts().filter { $0.hasPrefix("event") }
            #expect(texts.sorted() == ["event 0", "event 2"])
        }
        // The bytes of the replaced commit go when their time has come.
        group.advance(days: 30)
        #expect(try await group.member.removeDue() == 1)
        #expect(try group.member.missing(of: late) == .events(1))
        try group.expectIntact()
    }
}
