import Events
import StoreSupport
import Testing

@testable import EventLog

/// Erasures by revoked replicas, or by their successors.
@Suite("Erasures of replicas that were revoked")
struct ErasingRevokedTests {
    @Test("What a replica erased that is revoked stays erased as far as the admin knew of it")
    func confirmed() async throws {
        let group = try await ErasingGroup()
        let (known, unknown) = (try await group.write(group.member), try await group.write(group.member))
        for log in [group.founder, group.third] { try await group.meet(log, group.member) }
        try await group.member.erase(.events(0), in: known)
        try await group.meet(group.member, group.founder)
        try await group.member.erase(.all, in: unknown)
        try await group.founder.revoke(group.member.replica)
        #expect(try group.founder.read { try $0.erasures(of: known.hash).map(\.eraser) } == [group.founder.replica])
        try await group.meet(group.third, group.founder)
        try await group.meet(group.member, group.founder)
        for log in group.logs { #expect(try group.erased(known, log) == .events(0)) }
        // The member got back the bytes that it had removed.
        for log in group.logs { #expect(try group.erased(unknown, log) == nil) }
        try group.expectIntact()
    }

    @Test("A revocation in a commit that was replaced, and that was not repeated, keeps no erasure from counting")
    func replacedRevocation() async throws {
        let group = try await ErasingGroup()
        try await group.founder.grant(.admin, to: group.member.replica)
        let commit = try await group.write(group.third)
        for log in [group.third, group.member] { try await group.meet(group.founder, log) }
        let (former, lead) = (group.member.replica, Int64(400 * 86_400_000))
        for fixture in group.fixtures { fixture.clock.advance(by: lead) }
        try await group.member.revoke(group.third.replica)
        try await group.pass(group.member, to: group.founder)
        for fixture in group.fixtures { fixture.clock.advance(by: -lead) }
        _ = try await group.member.append(.sample("right again"))
        try await group.pass(group.member, to: group.founder)
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
        try await group.pass(group.third, to: group.founder)
        #expect(try group.erased(commit, group.founder) == .all)
        try group.expectIntact()
    }

    @Test("With a revoked replica's key nothing can be erased that others hold")
    func thief() async throws {
        let group = try await ErasingGroup()
        let commit = try await group.write(group.member)
        for log in [group.founder, group.third] { try await group.meet(log, group.member) }
        try await group.founder.revoke(group.member.replica)
        let erasure = try group.erasure(.all, in: commit, by: 1)
        #expect(try await group.founder.keep([erasure]) == 0)
        #expect(try group.erased(commit, group.founder) == nil)
        // A replica without the revocation believes it, until it receives that: then it is detected, and restored.
        #expect(try await group.third.keep([erasure]) == 1)
        let before = try group.third.read { try $0.erasureDigest() }
        #expect(before != nil)
        #expect(try group.erased(commit, group.third) == .all)
        let late = LogFixture(seed: 9)
        let newcomer = try late.open(journal: group.founder.journal)
        let segments = try await group.founder.allSegments(of: group.founder.replica)
        for segment in segments { try await group.third.store(segment) }
        #expect(try group.third.read { try $0.erasureDigest() } == nil)
        #expect(try group.findings(2) == ["payloadMissing"])
        // A replica that gets the commit from there gets the reason with it, sees that it does not count, and reports
        // no erasure.
        try await group.pass(group.third, to: newcomer)
        #expect(try newcomer.read { try $0.erasures(of: commit.hash) } == [])
        #expect(try newcomer.read { try $0.searchedHoles().map(\.commit) } == [commit])
        for log in [group.third, newcomer] {
            try await group.pass(group.founder, to: log)
            #expect(try group.erased(commit, log) == nil)
            #expect(try log.read { try $0.heldErasures(of: commit.hash) } == [])
        }
        try late.expectIntact()
        try group.expectIntact()
    }

    @Test("Statements that count no longer keep no others from counting")
    func crowding() async throws {
        let group = try await ErasingGroup()
        let commit = try await group.write(group.member)
        for log in [group.founder, group.third] { try await group.meet(log, group.member) }
        for event in 0..<3 { try await group.third.keep([try group.erasure(.events(event), in: commit, by: 1)]) }
        for pair in [[0, 1], [1, 2]] {
            try await group.third.keep([try group.erasure(.some(LeafSet(events: pair)), in: commit, by: 1)])
        }
        #expect(try group.erased(commit, group.third) == .some(LeafSet(0..<4)))
        try await group.founder.revoke(group.member.replica)
        for segment in try await group.founder.allSegments(of: group.founder.replica) {
            try await group.third.store(segment)
        }
        // The admin's statement counts beside five that do not.
        try await group.founder.erase(.events(2), in: commit)
        let erasures = try group.founder.read { try $0.erasures(of: commit.hash) }
        #expect(try await group.third.keep(erasures) == 1)
        #expect(try group.third.read { try $0.erasures(of: commit.hash) } == erasures)
        #expect(try group.third.read { try $0.heldErasures(of: commit.hash).count } == 6)
        try await group.meet(group.third, group.founder)
        #expect(try group.erased(commit, group.third) == .events(2))
        #expect(try group.third.read { try $0.heldErasures(of: commit.hash) } == erasures)
        try group.expectIntact()
    }

    @Test("A successor of a revoked replica erases nothing, not even as no member")
    func inPlaceOfRevoked() async throws {
        let group = try await ErasingGroup()
        let commit = try await group.write(group.member)
        try await group.meet(group.member, group.founder)
        let thief = try group.identity(1)
        func successor(_ seed: UInt8, of former: ReplicaIdentity) async throws -> ReplicaIdentity {
            let line = try ForgedLine(group.founder.journal, seed: seed)
            try await group.founder.store(line.segment([line.firstCommit(after: former)]))
            return line.identity
        }
        var first: ReplicaIdentity?
        for seed in 0..<UInt8(MembershipResolver.mostSuccessors) {
            let made = try await successor(seed + 50, of: thief)
            first = first ?? made
        }
        let last = try await successor(200, of: #require(first))
        try await group.founder.revoke(thief.id)
        let membership = try #require(try group.founder.membership())
        #expect(membership.members[last.id] == nil && membership.isSameOrSuccessor(last.id, of: thief.id))
        for eraser in [try #require(first), last] {
            let erasure = try Erasure(of: .all, in: commit, of: group.founder.journal, at: 1, by: eraser)
            #expect(try await group.founder.keep([erasure]) == 0)
        }
        #expect(try group.erased(commit, group.founder) == nil)
        // An honest commit of the revoked replica is named, and so it counts.
        #expect(try #require(try group.founder.commits().first { $0.hash == commit.hash }).counts)
        try group.expectIntact()
    }

    @Test("What the author erased stays erased, though an admin's statement replaced the author's and counts no longer")
    func outlivesAdmin() async throws {
        let group = try await ErasingGroup()
        let commit = try await group.write(group.member)
        try await group.founder.grant(.admin, to: group.third.replica)
        for log in [group.founder, group.third, group.founder] { try await group.meet(log, group.member) }
        // The founder receives neither.
        try await group.member.erase(.events(0), in: commit)
        try await group.meet(group.member, group.third)
        try await group.third.erase(.all, in: commit)
        try await group.meet(group.member, group.third)
        #expect(try group.erased(commit, group.member) == .all)
        try await group.founder.revoke(group.third.replica)
        for _ in 0..<2 {
            for log in [group.member, group.third] { try await group.meet(log, group.founder) }
        }
        for log in group.logs { #expect(try group.erased(commit, log) == .events(0)) }
        try group.expectIntact()
    }
}
