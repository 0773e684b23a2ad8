import Events
import Foundation
import LMDB
import Platform
import StoreSupport
import Testing

@testable import EventLog

/// How much members and strangers may add, and that it keeps no honest replica out.
@Suite("Bounds of membership")
struct MembershipBoundsTests {
    private func fillWithStrangers(_ log: Log) async throws {
        for seed in 0..<UInt8(ReceivingQuotas.strangerLines) {
            let line = try ForgedLine(log.journal, seed: seed &+ 100)
            try await log.store(line.segment([line.commit(.sample("stranger's"))]))
        }
        let late = try ForgedLine(log.journal, seed: 99)
        let error = await #expect(throws: EventLogError.self) {
            try await log.store(late.segment([late.commit(.sample("stranger's"))]))
        }
        #expect(error?.code == .quotaExceeded && error?.quota == .strangerLines)
    }

    @Test(
        "However many strangers there are, invited replicas and predecessors of members are accepted"
    )
    func strangersKeepNobodyAway() async throws {
        let pair = try await LogPair()
        _ = try await pair.founder.append(.sample("founder's"))
        let code = try await pair.founder.invite(.write)
        try await fillWithStrangers(pair.founder)
        try await pair.other.join(code)
        _ = try await pair.other.append(.sample("invited"))
        try await pair.other.pass(to: pair.founder)
        #expect(try await pair.founder.admitRequests() == [pair.other.replica])
        #expect(try pair.founder.texts() == ["founder's", "invited"])

        let former = pair.other.replica
        try await pair.meet()
        try await pair.other.worker.run { try pair.other.prepareClose() }
        var copy = try pair.fixtures.1.copied(seed: 9)
        copy.dependencies.fileOrigin = { _ in FileOrigin(inode: 77, birthTime: 0) }
        let again = try copy.open()
        #expect(again.replica != former)
        _ = try await again.append(.sample("restored"))
        try await again.pass(to: pair.founder)
        #expect(try pair.founder.texts() == ["founder's", "invited", "restored"])
        try pair.expectIntact()
        try copy.expectIntact()
    }

    @Test("A replica with a used-up invitation, or one beyond the bound of waiting ones, is kept like a stranger")
    func waitingHasBounds() async throws {
        let fixture = LogFixture()
        var options = Log.Options(
            environment: Environment.Options(.creating, mapSize: 1 << 30), dependencies: fixture.dependencies)
        options.quotas.waitingLines = 2
        options.quotas.waitingBytes = 5_000
        let log = try Log.open(
            at: fixture.folder.path("log"), keyPath: fixture.folder.path("replica.key"), options: options)
        _ = try await log.append(.sample("founder's"))
        let code = try await log.invite(.write, uses: 9)
        func line(_ seed: UInt8) throws -> (line: ForgedLine, commits: [ForgedLine.Commit]) {
            let line = try ForgedLine(log.journal, seed: seed)
            let first = try line.commit(Payload())
            return (line, [first, try line.request(code, after: first)])
        }
        for seed in UInt8(1)...2 {
            let (line, commits) = try line(seed)
            try await log.store(line.segment(commits))
        }
        #expect(try log.membership()?.requests.count == 2)
        let (third, commits) = try line(3)
        let error = await #expect(throws: EventLogError.self) { try await log.store(third.segment(commits)) }
        #expect(error?.code == .quotaExceeded && error?.message.contains("ask to become members") == true)
        let (first, held) = try line(1)
        let large = try first.commit(.sample(String(repeating: "x", count: 6_000)), after: held[1])
        let tooLarge = await #expect(throws: EventLogError.self) {
            try await log.store(first.segment([large], after: held[1]))
        }
        #expect(tooLarge?.code == .quotaExceeded && tooLarge?.message.contains("5000") == true)
        try fixture.expectIntact()
    }

    @Test("A former admin's statements reach replicas that first learn of its revocation, however many there are")
    func formerAdmin() async throws {
        let pair = try await LogPair()
        try await pair.founder.grant(.admin, to: pair.other.replica)
        try await pair.meet()
        let grantee = try ForgedLine(pair.founder.journal, seed: 8)
        for number in 0..<300 {
            let key = [UInt8](repeating: UInt8(number & 255), count: 32)
            _ = try await pair.other.append(
                Payload(membership: [MembershipStatement.withdrawal(key).encoded()]))
        }
        try await pair.other.grant(.write, to: grantee.identity.id)
        try await pair.meet()
        try await pair.founder.revoke(pair.other.replica)
        let third = LogFixture(seed: 3)
        let newcomer = try third.open(journal: pair.founder.journal)
        try await pair.founder.pass(to: newcomer)
        #expect(try newcomer.membership()?.role(of: grantee.identity.id) == .write)
        try pair.expectIntact()
        try third.expectIntact()
    }

    @Test("Voiding commits that are not held derives nothing again")
    func voidOfNothing() async throws {
        let pair = try await LogPair()
        try await pair.founder.grant(.write, to: pair.other.replica)
        try await pair.meet()
        _ = try await pair.other.append(.sample("other's"))
        try await pair.meet()
        let before = try pair.founder.read { try $0.rewriteCount() }
        let invented = CommitID(replica: pair.other.replica, sequence: SequenceNumber(77), hash: .zero)
        _ = try await pair.other.append(
            Payload(membership: [MembershipStatement.void(invented, isVoid: true).encoded()]))
        try await pair.meet()
        #expect(try pair.founder.membership()?.voids.keys.contains(invented) == true)
        #expect(try pair.founder.read { try $0.rewriteCount() } == before)
        try pair.expectIntact()
    }

    @Test("Introductions that decide nothing do not have the members resolved anew")
    func introductions() async throws {
        let pair = try await LogPair()
        _ = try await pair.founder.append(.sample("founder's"))
        let before = try pair.founder.read { try $0.meta(MetaKey.membership) }
        let stranger = try ForgedLine(pair.founder.journal, seed: 8)
        try await pair.founder.store(stranger.segment([stranger.commit(.sample("stranger's"))]))
        #expect(try pair.founder.read { try $0.meta(MetaKey.membership) } == before)
        try await pair.founder.grant(.write, to: stranger.identity.id)
        #expect(try pair.founder.texts() == ["founder's", "stranger's"])
        try pair.expectIntact()
    }

    @Test("Branches use up no replica's quota, and no bound on replicas excludes those that an admin granted")
    func boundedReplicas() async throws {
        let fixture = LogFixture()
        var options = Log.Options(
            environment: Environment.Options(.creating, mapSize: 1 << 30), dependencies: fixture.dependencies)
        options.quotas.lines = 3
        let log = try Log.open(
            at: fixture.folder.path("log"), keyPath: fixture.folder.path("replica.key"), options: options)
        _ = try await log.append(.sample("founder's"))
        let member = try ForgedLine(log.journal, seed: 1)
        try await log.grant(.write, to: member.identity.id)
        let first = try member.commit(Payload())
        try await log.store(member.segment([first]))
        for number in 0..<8 {
            try await log.store(
                member.segment([member.commit(.sample("branch \(number)"), after: first)], after: first))
        }
        let stranger = try ForgedLine(log.journal, seed: 2)
        try await log.store(stranger.segment([stranger.commit(.sample("third"))]))
        let other = try ForgedLine(log.journal, seed: 3)
        let segment = try other.segment([other.commit(.sample("fourth"))])
        let error = await #expect(throws: EventLogError.self) { try await log.store(segment) }
        #expect(error?.quota == .lines)
        try await log.grant(.write, to: other.identity.id)
        try await log.store(segment)
        #expect(try log.texts().contains("fourth"))
        try fixture.expectIntact()
    }

    @Test("With many first commits no more than 16 replicas are granted")
    func boundedGrantees() async throws {
        let fixture = LogFixture()
        let log = try fixture.open(founding: true)
        _ = try await log.append(.sample("founder's"))
        let code = try await log.invite(.write)
        let guest = try ForgedLine(log.journal, seed: 1)
        let formers = try (2...21).map { try ForgedLine(log.journal, seed: UInt8($0)) }
        var starts: [ForgedLine.Commit] = []
        for former in formers {
            try await log.store(former.segment([former.commit(.sample("former"))]))
            let start = try guest.firstCommit(after: former.identity)
            try await log.store(guest.segment([start]))
            starts.append(start)
        }
        try await log.store(guest.segment([guest.request(code, after: starts[0])], after: starts[0]))
        #expect(try await log.admitRequests().count == Membership.mostGrantees)
        try fixture.expectIntact()
    }

    @Test("Of who is no admin no large commit about members is taken in, and one that says too much says nothing")
    func boundedStatements() async throws {
        let fixture = LogFixture()
        let log = try fixture.open(founding: true)
        _ = try await log.append(.sample("founder's"))
        let member = try ForgedLine(log.journal, seed: 1)
        try await log.grant(.write, to: member.identity.id)
        let first = try member.commit(Payload())
        try await log.store(member.segment([first]))
        let cut = Set(
            try (1...100).map {
                CommitID(
                    replica: try #require(ReplicaID([UInt8](repeating: 9, count: 16))), sequence: SequenceNumber($0),
                    hash: .zero)
            })
        let large = MembershipStatement.revocation(log.replica, cut: cut).encoded()
        let segment = try member.segment([member.commit(Payload(membership: [large]), after: first)], after: first)
        let error = await #expect(throws: EventLogError.self) { try await log.store(segment) }
        #expect(error?.quota == .statementBytes)
        // An admin's is accepted, but not beyond the format's limit for a commit.
        try await log.grant(.admin, to: member.identity.id)
        let grant = MembershipStatement.grant(
            try #require(ReplicaID([UInt8](repeating: 8, count: 16))), .write, invitation: nil
        ).encoded()
        let much = [grant] + [[UInt8]](repeating: large, count: 25)
        #expect(much.reduce(0) { $0 + $1.count } > Payload.mostStatementBytes)
        let commits = [try member.commit(Payload(membership: much), after: first)]
        try await log.store(member.segment(commits, after: first))
        #expect(try log.membership()?.members.count == 2)
        let within = try member.commit(Payload(membership: Array(much.prefix(10))), after: commits[0])
        try await log.store(member.segment([within], after: commits[0]))
        #expect(try log.membership()?.members.count == 3)
        try fixture.expectIntact()
    }
}
