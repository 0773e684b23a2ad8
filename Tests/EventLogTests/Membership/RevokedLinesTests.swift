import Events
import StoreSupport
import Testing

@testable import EventLog

/// Which commits of revoked replicas are stored, named and requested.
@Suite("Lines of replicas that were revoked")
struct RevokedLinesTests {
    @Test("A member with any number of its own successors is revoked all the same")
    func unrevocable() async throws {
        let pair = try await LogPair()
        let member = try ForgedLine(pair.founder.journal, seed: 8)
        try await pair.founder.grant(.write, to: member.identity.id)
        let first = try member.commit(.sample("member's"))
        try await pair.founder.store(member.segment([first]))
        // As many branches as are kept, each with a head of its own.
        for number in 0..<UInt64(LineFamily.mostBranches) {
            let branch = try member.commit(
                .sample("branch \(number)"), after: first, milliseconds: 1_700_000_000_000 + number)
            try await pair.founder.store(member.segment([branch], after: first))
        }
        try await pair.founder.revoke(member.identity.id)
        let revoked = try #require(try pair.founder.membership()?.members[member.identity.id])
        #expect(revoked.isRevoked && revoked.cuts.allSatisfy { $0.count <= MembershipStatement.mostCuts })
        #expect(try pair.founder.texts().count == 1 + LineFamily.mostBranches, "all that was held counts")
        let names = (0..<1_100).map {
            CommitID(replica: pair.other.replica, sequence: SequenceNumber(UInt64($0) + 1), hash: .zero)
        }
        try await pair.founder.grant(.write, to: pair.other.replica)
        let error = await #expect(throws: EventLogError.self) {
            try await pair.founder.revoke(pair.other.replica, cut: Set(names))
        }
        #expect(error?.code == .noEffect && error?.message.contains("1100") == true)
        try pair.expectIntact()
    }

    @Test("A branch that a cut names is stored, however many others there are")
    func namedBranch() async throws {
        let pair = try await LogPair()
        let member = try ForgedLine(pair.founder.journal, seed: 8)
        try await pair.founder.grant(.write, to: member.identity.id)
        try await pair.meet()
        let first = try member.commit(.sample("member's"))
        let named = try member.commit(.sample("named"), after: first, milliseconds: 1_700_000_001_000)
        for log in [pair.founder, pair.other] { try await log.store(member.segment([first])) }
        try await pair.founder.store(member.segment([named], after: first))
        for number in 0...UInt64(LineFamily.mostBranches) {
            let branch = try member.commit(
                .sample("branch \(number)"), after: first, milliseconds: 1_700_000_000_000 + number)
            try await pair.other.store(member.segment([branch], after: first))
        }
        let refused = await #expect(throws: EventLogError.self) {
            try await pair.other.store(member.segment([named], after: first))
        }
        #expect(refused?.code == .tooManyBranches)
        try await pair.founder.revoke(member.identity.id)
        try await pair.founder.pass(to: pair.other)
        #expect(try pair.other.texts() == ["member's", "named"])
        try pair.expectIntact()
    }

    @Test(
        "While a commit of a cut is missing 1,024 more branches are stored, and then no more",
        arguments: [true, false])
    func branchesOfACut(missingComes: Bool) async throws {
        let fixture = LogFixture()
        let log = try fixture.open(founding: true)
        let member = try ForgedLine(log.journal, seed: 8)
        try await log.grant(.write, to: member.identity.id)
        let first = try member.commit(.sample("first"))
        try await log.store(member.segment([first]))
        func branch(_ number: Int) throws -> LineSegment {
            try member.segment([member.commit(.sample("branch \(number)"), after: first)], after: first)
        }
        let missing = try branch(0)
        try await log.revoke(member.identity.id, cut: [try #require(missing.commitIDs().first)])
        #expect(try log.texts() == [])
        // The line continues with one of them, and all others are branches. There is room for one more.
        let most = LineFamily.mostBranches + MembershipStatement.mostCuts
        #expect(try await log.store((1...most).map(branch)).commits == most)
        if missingComes {
            #expect(try await log.store(missing).commits == 1)
            #expect(try log.texts() == ["first", "branch 0"])
            // Everything that counts is here, and the rest is skipped.
            let stored = try await log.store(branch(most + 1))
            #expect(stored.commits == 0 && stored.passedOver[member.identity.id] != nil)
        } else {
            try await log.store(branch(most + 1))
            let error = await #expect(throws: EventLogError.self) { try await log.store(branch(most + 2)) }
            #expect(error?.code == .tooManyBranches)
            #expect(try log.texts() == [])
        }
        try fixture.expectIntact()
    }

    @Test("More first commits of a revoked replica are requested until as many are held as are kept")
    func manyFirstCommits() async throws {
        let fixture = LogFixture()
        let log = try fixture.open(founding: true)
        let member = try ForgedLine(log.journal, seed: 8)
        try await log.grant(.write, to: member.identity.id)
        func start(_ number: Int) throws -> LineSegment {
            let introduction = Payload.Introduction(publicKey: member.identity.publicKey, name: "start \(number)")
            return try member.segment([member.commit(Payload(), introducedBy: introduction)])
        }
        func isFinished(_ segment: LineSegment) throws -> Bool {
            let head = try #require(segment.commitIDs().last)
            return try log.read { try $0.isFinished(head, in: log.journal) }
        }
        let further = try start(0)
        // The first is the line, and each of the others a branch.
        for number in 1...LineFamily.mostBranches { try await log.store(start(number)) }
        #expect(try !isFinished(further), "it was not revoked")
        try await log.revoke(member.identity.id)
        #expect(try !isFinished(further))
        try await log.store(start(LineFamily.mostBranches + 1))
        #expect(try isFinished(further))
        // Rightly: it would not be kept.
        let error = await #expect(throws: EventLogError.self) { try await log.store(further) }
        #expect(error?.code == .tooManyBranches)
        // Later commits of a held line never were requested.
        let held = ForgedLine.Commit(
            bytes: [], sequence: SequenceNumber(1), hash: try #require(start(1).commitIDs().last).hash)
        #expect(try isFinished(member.segment([member.commit(.sample("late"), after: held)], after: held)))
        try fixture.expectIntact()
    }

    @Test(
        "Nothing is finished of a replica that was revoked as long as its first commit, or one of its cut, is missing")
    func unfinished() async throws {
        let pair = try await LogPair()
        let member = try ForgedLine(pair.founder.journal, seed: 8)
        try await pair.founder.grant(.write, to: member.identity.id)
        let first = try member.commit(.sample("first"))
        let second = try member.commit(.sample("second"), after: first)
        let segments = [try member.segment([first]), try member.segment([second], after: first)]
        for segment in segments { try await pair.founder.store(segment) }
        try await pair.founder.revoke(member.identity.id)
        for segment in try await pair.founder.allSegments(of: pair.founder.replica) {
            try await pair.other.store(segment)
        }
        let beyond = CommitID(replica: member.identity.id, sequence: SequenceNumber(9), hash: .zero)
        func isFinished(_ log: Log) throws -> Bool { try log.read { try $0.isFinished(beyond, in: log.journal) } }
        #expect(try isFinished(pair.founder))
        #expect(try !isFinished(pair.other))
        try await pair.other.store(segments[0])
        #expect(try !isFinished(pair.other))
        try await pair.other.store(segments[1])
        #expect(try isFinished(pair.other))
        try pair.expectIntact()
    }

    @Test("A revocation that keeps everything held names successors that are no members, which may be granted later")
    func successorsThatAreNone() async throws {
        let fixture = LogFixture()
        let log = try fixture.open(founding: true)
        let member = try ForgedLine(log.journal, seed: 200)
        try await log.grant(.write, to: member.identity.id)
        try await log.store(member.segment([member.commit(.sample("member's"))]))
        var successors: [(line: ForgedLine, first: ForgedLine.Commit)] = []
        for seed in 1...UInt8(MembershipResolver.mostSuccessors + 1) {
            let line = try ForgedLine(log.journal, seed: seed)
            let first = try line.firstCommit(after: member.identity, .sample("successor \(seed)"))
            try await log.store(line.segment([first]))
            successors.append((line, first))
        }
        let members = try #require(try log.membership()).members
        let outside = successors.filter { members[$0.line.identity.id] == nil }
        try #require(outside.count == 1)
        let (line, first) = outside[0]
        let before = Set(try log.texts())
        #expect(before.count == 1 + MembershipResolver.mostSuccessors)
        try await log.revoke(member.identity.id)
        #expect(Set(try log.texts()) == before)
        try await log.grant(.write, to: line.identity.id)
        // It is revoked with its predecessor, and its held commits count.
        let granted = try #require(try log.membership()?.members[line.identity.id])
        #expect(granted.isRevoked && granted.revokedBy == log.replica)
        #expect(try log.texts().count == before.count + 1)
        let late = try line.segment([line.commit(.sample("late"), after: first)], after: first)
        #expect(try await log.store(late).commits == 0)
        try fixture.expectIntact()
    }
}
