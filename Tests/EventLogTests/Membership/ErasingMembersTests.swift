import Events
import Foundation
import LMDB
import StoreSupport
import TestSupport
import Testing

@testable import EventLog

/// Whose erasures count, by the current members.
@Suite("Erasing among members")
struct ErasingMembersTests {
    @Test("An admin erases what a member wrote, and a member nothing that another wrote")
    func byAdmin() async throws {
        let group = try await ErasingGroup()
        let commit = try await group.write(group.member)
        try await group.meet(group.member, group.founder)
        try await group.meet(group.third, group.founder)
        let error = await #expect(throws: EventLogError.self) { try await group.third.erase(.all, in: commit) }
        #expect(error?.code == .notErasable)
        let forged = try group.erasure(.all, in: commit, by: 2)
        #expect(try await group.founder.keep([forged]) == 0)
        try await group.founder.erase(.events(1), in: commit)
        for log in [group.member, group.third] {
            try await group.meet(log, group.founder)
            #expect(try group.erased(commit, log) == .events(1))
        }
        // An admin as well, as soon as it is one.
        try await group.founder.grant(.admin, to: group.third.replica)
        try await group.meet(group.third, group.founder)
        try await group.third.erase(.events(2), in: commit)
        try await group.meet(group.third, group.founder)
        #expect(try group.erased(commit, group.founder) == .events(1, 2))
        #expect(try group.founder.read { try $0.erasures(of: commit.hash).map(\.eraser) } == [group.third.replica])
        try group.expectIntact()
    }

    @Test("An erasure whose author is an admin only by what comes later names holes once it is one")
    func grantedLater() async throws {
        let group = try await ErasingGroup()
        let commit = try await group.write(group.founder)
        try await group.founder.signHead()
        try await group.founder.grant(.admin, to: group.third.replica)
        try await group.meet(group.third, group.founder)
        try await group.third.erase(.events(0), in: commit)
        let late = LogFixture(seed: 9)
        let newcomer = try late.open(journal: group.founder.journal)
        let segments = try await group.third.allSegments(of: group.founder.replica)
        var seen: [Bool] = []
        for segment in segments {
            try await newcomer.store(segment)
            seen.append(try newcomer.read { try $0.searchedHoles().isEmpty })
        }
        #expect(seen.contains(false) && seen.last == true)
        #expect(try group.erased(commit, newcomer) == .events(0))
        #expect(try newcomer.read { try $0.erasures(of: commit.hash).count } == 1)
        try late.expectIntact()
        try group.expectIntact()
    }

    @Test("A successor erases its predecessor's commits")
    func successor() async throws {
        let group = try await ErasingGroup()
        let commit = try await group.write(group.member)
        try await group.meet(group.member, group.founder)
        let line = try ForgedLine(group.founder.journal, seed: 77)
        let first = try line.firstCommit(after: group.identity(1))
        let erasure = try Erasure(of: .all, in: commit, of: group.founder.journal, at: 1, by: line.identity)
        #expect(try await group.founder.keep([erasure]) == 0)
        try await group.founder.store(line.segment([first]))
        #expect(try await group.founder.keep([erasure]) == 1)
        #expect(try group.erased(commit, group.founder) == .all)
        // It is revoked with its predecessor, and what it erased is then the admin's statement.
        try await group.founder.revoke(group.member.replica)
        #expect(try group.founder.read { try $0.erasures(of: commit.hash).map(\.eraser) } == [group.founder.replica])
        try group.expectIntact()
    }

    @Test("Erasures of commits that are not forwarded are not listed")
    func unlisted() async throws {
        let group = try await ErasingGroup()
        let line = try ForgedLine(group.founder.journal, seed: 5)
        let first = try line.commit(Payload())
        let second = try line.commit(.sample("stranger's"), after: first)
        try await group.founder.store(line.segment([first, second]))
        let commit = CommitID(replica: line.identity.id, sequence: second.sequence, hash: second.hash)
        let erasure = try Erasure(of: .all, in: commit, of: group.founder.journal, at: 1, by: line.identity)
        #expect(try await group.founder.keep([erasure]) == 1)
        #expect(try group.founder.read { try $0.erasureDigest() } == nil)
        // A commit beyond the cut, which another replica holds.
        let late = try await group.write(group.member)
        try await group.meet(group.member, group.third)
        try await group.founder.revoke(group.member.replica)
        for segment in try await group.founder.allSegments(of: group.founder.replica) {
            try await group.third.store(segment)
        }
        try await group.founder.grant(.admin, to: group.third.replica)
        for segment in try await group.founder.allSegments(of: group.founder.replica) {
            try await group.third.store(segment)
        }
        let before = try group.third.read { try $0.rewriteCount() }
        try await group.third.erase(.all, in: late)
        #expect(try group.erased(late, group.third) == .all)
        #expect(try group.third.read { try $0.erasureStates() } == [])
        // Nothing that views show has changed.
        #expect(try group.third.read { try $0.rewriteCount() } == before)
        try group.expectIntact()
    }

    @Test("When a commit about members is healed the members are resolved again")
    func healedStatement() async throws {
        let group = try await ErasingGroup()
        let grant = try #require(try await group.founder.grant(.admin, to: group.third.replica))
        let commit = CommitID(replica: grant.replica, sequence: grant.sequence, hash: grant.hash)
        let segments = try await group.founder.allSegments(of: group.founder.replica)
        for segment in segments { try await group.member.store(segment) }
        // Removes its statement from the file.
        let tables = group.member.tables
        try group.member.environment.write { transaction in
            let log = LogSnapshot(transaction.reading.alias(), tables)
            let position = try #require(try log.position(of: commit, in: log.journal()))
            let bytes = try #require(try log.commit(at: position)).view.without(.all)
            try transaction.put(position.rawValue, commit.hash.bytes, bytes, in: tables.log)
            try MembershipKeeper.mix([1], tables, transaction)
        }
        #expect(try group.member.membership()?.role(of: group.third.replica) == .write)
        var healed: Set<CommitID> = []
        for segment in segments { healed.formUnion(try await group.member.heal([commit], from: segment)) }
        #expect(healed == [commit])
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

    @Test(
        "In whatever order the author's and an admin's statements come, both hold the same in the end",
        arguments: Seeds.some(40))
    func anyOrderOfBoth(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let group = try await ErasingGroup()
        let commit = try await group.write(group.member)
        try await group.meet(group.member, group.founder)
        let statements = try (0..<Int.random(in: 1...14, using: &random)).map { _ in
            let events = (0..<Int.random(in: 1...2, using: &random)).map { _ in Int.random(in: 0..<3, using: &random) }
            return try Erasure(
                of: Int.random(in: 0..<20, using: &random) == 0 ? .all : .some(LeafSet(events: events)), in: commit,
                of: group.founder.journal, at: 1, number: UInt32.random(in: 0...2, using: &random),
                by: group.identity(Int.random(in: 0...1, using: &random)))
        }
        for log in [group.founder, group.member] {
            for statement in statements.shuffled(using: &random) where Int.random(in: 0..<4, using: &random) > 0 {
                try await log.keep([statement])
            }
        }
        try await group.meet(group.member, group.founder)
        #expect(try group.erased(commit, group.member) == group.erased(commit, group.founder))
        try group.expectIntact()
    }
}
