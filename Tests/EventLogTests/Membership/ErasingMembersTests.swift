import Events
import Foundation
import LMDB
import StoreSupport
import TestSupport
import Testing

@testable import EventLog

/// Whose erasures count, as the members stand.
@Suite("Erasing among members")
struct ErasingMembersTests {
    /// The logs of a founder and of others, whom it granted the role write, and what goes from one to another by hand.
    private struct Group {
        let fixtures: [LogFixture]
        let logs: [Log]
        var founder: Log { logs[0] }
        var member: Log { logs[1] }
        var third: Log { logs[2] }

        init() async throws {
            fixtures = (1...3).map { LogFixture(seed: $0) }
            let founder = try fixtures[0].open(founding: true)
            logs = [founder] + (try fixtures.dropFirst().map { try $0.open(journal: founder.journal) })
            for log in logs.dropFirst() { try await founder.grant(.write, to: log.replica) }
            for log in logs.dropFirst() {
                _ = try await log.append(.sample("hello"))
                try await pass(log, to: founder)
            }
            for log in logs.dropFirst() { try await pass(founder, to: log) }
        }

        /// All that is listed, with its erasures.
        func pass(_ log: Log, to target: Log) async throws {
            try await log.signHead()
            let segments = try log.read { log in
                let journal = try log.journal()
                var found: [LineSegment] = []
                for stretch in try log.stretches(towards: log.listedHeads(of: journal), lackedBy: [], in: journal) {
                    var sequence = stretch.after
                    while sequence < stretch.head.sequence,
                        let segment = try log.segment(towards: stretch.head, after: sequence, in: journal)
                    {
                        found.append(segment)
                        sequence = segment.last
                    }
                }
                return found
            }
            for segment in segments { try await target.store(segment) }
        }

        /// All that both have, until nothing is new.
        func meet(_ one: Log, _ other: Log) async throws {
            for _ in 0..<2 {
                try await pass(one, to: other)
                try await pass(other, to: one)
            }
            let digests = try [one, other].map { try $0.read { try $0.erasureDigest() } }
            #expect(digests[0] == digests[1])
        }

        /// A commit of three events.
        func write(_ log: Log) async throws -> CommitID {
            let payload = Payload(author: "ana", events: (0..<3).flatMap { Payload.sample("event \($0)").events })
            let written = try #require(try await log.append(payload))
            return CommitID(replica: written.replica, sequence: written.sequence, hash: written.hash)
        }

        func identity(_ number: Int) throws -> ReplicaIdentity {
            try #require(try KeyFile(path: fixtures[number].folder.path("replica.key")).read().first)
        }

        func erasure(_ leaves: ErasedLeaves, in commit: CommitID, by number: Int) throws -> Erasure {
            try Erasure(of: leaves, in: commit, of: founder.journal, at: 1, by: identity(number))
        }

        func erased(_ commit: CommitID, _ log: Log) throws -> ErasedLeaves? {
            try #require(try log.commits().first { $0.hash == commit.hash }).erased
        }

        func findings(_ number: Int) throws -> [String] {
            try LogVerifier.verify(EnvironmentRows(at: fixtures[number].folder.path("log"))).findings.map(\.code)
        }

        func expectIntact() throws { for fixture in fixtures { try fixture.expectIntact() } }
    }

    private static func leaves(_ events: Int...) -> ErasedLeaves { .some(LeafSet(events: events)) }

    @Test("An admin erases what a member wrote, and a member nothing that another wrote")
    func byAdmin() async throws {
        let group = try await Group()
        let commit = try await group.write(group.member)
        try await group.meet(group.member, group.founder)
        try await group.meet(group.third, group.founder)
        let error = await #expect(throws: EventLogError.self) { try await group.third.erase(.all, in: commit) }
        #expect(error?.code == .notErasable)
        let forged = try group.erasure(.all, in: commit, by: 2)
        #expect(try await group.founder.keep([forged]) == 0)
        try await group.founder.erase(Self.leaves(1), in: commit)
        for log in [group.member, group.third] {
            try await group.meet(log, group.founder)
            #expect(try group.erased(commit, log) == Self.leaves(1))
        }
        // An admin as well, as soon as it is one.
        try await group.founder.grant(.admin, to: group.third.replica)
        try await group.meet(group.third, group.founder)
        try await group.third.erase(Self.leaves(2), in: commit)
        try await group.meet(group.third, group.founder)
        #expect(try group.erased(commit, group.founder) == Self.leaves(1, 2))
        #expect(try group.founder.read { try $0.erasures(of: commit.hash).map(\.eraser) } == [group.third.replica])
        try group.expectIntact()
    }

    @Test("What a replica erased that is revoked stays erased as far as the admin knew of it")
    func confirmed() async throws {
        let group = try await Group()
        let (known, unknown) = (try await group.write(group.member), try await group.write(group.member))
        for log in [group.founder, group.third] { try await group.meet(log, group.member) }
        try await group.member.erase(Self.leaves(0), in: known)
        try await group.meet(group.member, group.founder)
        try await group.member.erase(.all, in: unknown)
        try await group.founder.revoke(group.member.replica)
        #expect(try group.founder.read { try $0.erasures(of: known.hash).map(\.eraser) } == [group.founder.replica])
        try await group.meet(group.third, group.founder)
        try await group.meet(group.member, group.founder)
        for log in group.logs { #expect(try group.erased(known, log) == Self.leaves(0)) }
        // The member got the bytes back that it had taken away.
        for log in group.logs { #expect(try group.erased(unknown, log) == nil) }
        try group.expectIntact()
    }

    @Test("Whoever has the key of a replica that was revoked takes away nothing with it that others hold")
    func thief() async throws {
        let group = try await Group()
        let commit = try await group.write(group.member)
        for log in [group.founder, group.third] { try await group.meet(log, group.member) }
        try await group.founder.revoke(group.member.replica)
        let erasure = try group.erasure(.all, in: commit, by: 1)
        #expect(try await group.founder.keep([erasure]) == 0)
        #expect(try group.erased(commit, group.founder) == nil)
        // Somebody who has not heard of it believes it, until it hears: then it is seen, and put back.
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
        // Who gets the commit from there gets the reason with it, sees that it does not count, and is told of no erasure.
        try await group.pass(group.third, to: newcomer)
        #expect(try newcomer.read { try $0.erasures(of: commit.hash) } == [])
        #expect(try newcomer.read { try $0.lostBytes(of: newcomer.journal).map(\.commit) } == [commit])
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
        let group = try await Group()
        let commit = try await group.write(group.member)
        for log in [group.founder, group.third] { try await group.meet(log, group.member) }
        for event in 0..<3 { try await group.third.keep([try group.erasure(Self.leaves(event), in: commit, by: 1)]) }
        for pair in [[0, 1], [1, 2]] {
            try await group.third.keep([try group.erasure(.some(LeafSet(events: pair)), in: commit, by: 1)])
        }
        #expect(try group.erased(commit, group.third) == .some(LeafSet(0..<4)))
        try await group.founder.revoke(group.member.replica)
        for segment in try await group.founder.allSegments(of: group.founder.replica) {
            try await group.third.store(segment)
        }
        // What the admin says counts beside five that do not.
        try await group.founder.erase(Self.leaves(2), in: commit)
        let erasures = try group.founder.read { try $0.erasures(of: commit.hash) }
        #expect(try await group.third.keep(erasures) == 1)
        #expect(try group.third.read { try $0.erasures(of: commit.hash) } == erasures)
        #expect(try group.third.read { try $0.heldErasures(of: commit.hash).count } == 6)
        try await group.meet(group.third, group.founder)
        #expect(try group.erased(commit, group.third) == Self.leaves(2))
        #expect(try group.third.read { try $0.heldErasures(of: commit.hash) } == erasures)
        try group.expectIntact()
    }

    @Test("An erasure whose author is an admin only by what comes later names holes once it is one")
    func grantedLater() async throws {
        let group = try await Group()
        let commit = try await group.write(group.founder)
        try await group.founder.signHead()
        try await group.founder.grant(.admin, to: group.third.replica)
        try await group.meet(group.third, group.founder)
        try await group.third.erase(Self.leaves(0), in: commit)
        let late = LogFixture(seed: 9)
        let newcomer = try late.open(journal: group.founder.journal)
        let segments = try await group.third.allSegments(of: group.founder.replica)
        var seen: [Bool] = []
        for segment in segments {
            try await newcomer.store(segment)
            seen.append(try newcomer.read { try $0.lostBytes(of: newcomer.journal).isEmpty })
        }
        #expect(seen.contains(false) && seen.last == true)
        #expect(try group.erased(commit, newcomer) == Self.leaves(0))
        #expect(try newcomer.read { try $0.erasures(of: commit.hash).count } == 1)
        try late.expectIntact()
        try group.expectIntact()
    }

    @Test("Who writes in the place of another erases what that one wrote")
    func successor() async throws {
        let group = try await Group()
        let commit = try await group.write(group.member)
        try await group.meet(group.member, group.founder)
        let line = try ForgedLine(group.founder.journal, seed: 77)
        var introduction = Payload.Introduction(publicKey: line.identity.publicKey, name: "new")
        introduction.previous = group.member.replica
        introduction.handover = try group.identity(1).sign(
            HandoverSignature.message(
                journal: group.founder.journal, from: group.member.replica, to: line.identity.publicKey))
        let first = try line.commit(Payload(), introducedBy: introduction)
        let erasure = try Erasure(of: .all, in: commit, of: group.founder.journal, at: 1, by: line.identity)
        #expect(try await group.founder.keep([erasure]) == 0)
        try await group.founder.store(line.segment([first]))
        #expect(try await group.founder.keep([erasure]) == 1)
        #expect(try group.erased(commit, group.founder) == .all)
        // It falls with the one in whose place it writes, and what it erased is the admin's word then.
        try await group.founder.revoke(group.member.replica)
        #expect(try group.founder.read { try $0.erasures(of: commit.hash).map(\.eraser) } == [group.founder.replica])
        try group.expectIntact()
    }

    @Test("Of commits that are handed on to nobody no erasure is told of")
    func unlisted() async throws {
        let group = try await Group()
        let line = try ForgedLine(group.founder.journal, seed: 5)
        let first = try line.commit(Payload())
        let second = try line.commit(.sample("stranger's"), after: first)
        try await group.founder.store(line.segment([first, second]))
        let commit = CommitID(replica: line.identity.id, sequence: second.sequence, hash: second.hash)
        let erasure = try Erasure(of: .all, in: commit, of: group.founder.journal, at: 1, by: line.identity)
        #expect(try await group.founder.keep([erasure]) == 1)
        #expect(try group.founder.read { try $0.erasureDigest() } == nil)
        // A commit beyond the cut, of which another replica has heard.
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

    @Test("Where a commit about members is healed they are judged anew")
    func healedStatement() async throws {
        let group = try await Group()
        let grant = try #require(try await group.founder.grant(.admin, to: group.third.replica))
        let commit = CommitID(replica: grant.replica, sequence: grant.sequence, hash: grant.hash)
        let segments = try await group.founder.allSegments(of: group.founder.replica)
        for segment in segments { try await group.member.store(segment) }
        // Somebody takes what it says out of the file.
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
        let group = try await Group()
        let line = try ForgedLine(group.founder.journal, seed: 6)
        let first = try line.commit(Payload(membership: [MembershipStatement.withdrawal([1]).encoded()]))
        let error = await #expect(throws: EventLogError.self) {
            try await group.founder.store(line.segment([first]))
        }
        #expect(error?.code == .rejected && error?.message.contains("features") == true)
    }

    @Test("Whoever goes on in the place of a replica that was revoked erases nothing, not even as no member")
    func inPlaceOfRevoked() async throws {
        let group = try await Group()
        let commit = try await group.write(group.member)
        try await group.meet(group.member, group.founder)
        let thief = try group.identity(1)
        func successor(_ seed: UInt8, of former: ReplicaIdentity) async throws -> ReplicaIdentity {
            let line = try ForgedLine(group.founder.journal, seed: seed)
            let message = HandoverSignature.message(
                journal: line.journal, from: former.id, to: line.identity.publicKey)
            let introduction = Payload.Introduction(
                publicKey: line.identity.publicKey, name: "thief", previous: former.id,
                handover: try former.sign(message))
            try await group.founder.store(line.segment([line.commit(Payload(), introducedBy: introduction)]))
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
        #expect(membership.members[last.id] == nil && membership.isInPlace(last.id, of: thief.id))
        for eraser in [try #require(first), last] {
            let erasure = try Erasure(of: .all, in: commit, of: group.founder.journal, at: 1, by: eraser)
            #expect(try await group.founder.keep([erasure]) == 0)
        }
        #expect(try group.erased(commit, group.founder) == nil)
        // What the one that was revoked wrote honestly is named, and so it counts.
        #expect(try #require(try group.founder.commits().first { $0.hash == commit.hash }).counts)
        try group.expectIntact()
    }

    @Test("What the author erased stays erased, though an admin's word took its place that counts no longer")
    func outlivesAdmin() async throws {
        let group = try await Group()
        let commit = try await group.write(group.member)
        try await group.founder.grant(.admin, to: group.third.replica)
        for log in [group.founder, group.third, group.founder] { try await group.meet(log, group.member) }
        // The founder hears of neither.
        try await group.member.erase(Self.leaves(0), in: commit)
        try await group.meet(group.member, group.third)
        try await group.third.erase(.all, in: commit)
        try await group.meet(group.member, group.third)
        #expect(try group.erased(commit, group.member) == .all)
        try await group.founder.revoke(group.third.replica)
        for _ in 0..<2 {
            for log in [group.member, group.third] { try await group.meet(log, group.founder) }
        }
        for log in group.logs { #expect(try group.erased(commit, log) == Self.leaves(0)) }
        try group.expectIntact()
    }

    @Test(
        "In whatever order the author's and an admin's statements come, both hold the same in the end",
        arguments: Seeds.some(40))
    func anyOrderOfBoth(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let group = try await Group()
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
