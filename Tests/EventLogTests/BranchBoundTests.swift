import Events
import StoreSupport
import Testing

@testable import EventLog

@Suite("Lines that are forked on purpose", .timeLimit(.minutes(10)))
struct BranchBoundTests {
    /// A chain of branches, each of which leaves the one before: the longest paths possible.
    private static func branches(_ count: Int, _ line: ForgedLine) throws -> [LineSegment] {
        var last = try line.commit(Payload())
        var segments = [try line.segment([last])]
        for number in 0..<count {
            let next = try line.commit(.sample("line \(number)"), after: last)
            let branch = try line.commit(.sample("branch \(number)"), after: last)
            segments.append(try line.segment([next], after: last))
            segments.append(try line.segment([branch], after: last))
            last = branch
        }
        return segments
    }

    @Test("Beyond 64 branches of a replica its further ones are refused, and all other lines continue")
    func furtherBranchesAreRefused() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        let forger = try ForgedLine(log.journal, seed: 1)
        let segments = try Self.branches(LineFamily.mostBranches, forger)
        for segment in segments { try await log.store(segment) }
        let first = try forger.commit(Payload())
        let further = try forger.segment([forger.commit(.sample("one more"), after: first)], after: first)
        await #expect {
            try await log.store(further)
        } throws: { ($0 as? EventLogError)?.code == .tooManyBranches }
        // Held lines grow: the newest branch, and those of others.
        let head = try #require(try log.read { try $0.signedHeads(of: log.journal) }.max { $0.sequence < $1.sequence })
        let end = ForgedLine.Commit(bytes: [], sequence: head.sequence, hash: head.hash)
        let next = try forger.segment([forger.commit(.sample("on"), after: end)], after: end)
        #expect(try await log.store(next).commits == 1)
        let other = try ForgedLine(log.journal, seed: 2)
        #expect(try await log.store(other.segment([other.commit(Payload())])).commits == 1)
        try fixture.expectIntact()
    }

    @Test("Heads are those that nothing held follows, however the branches leave each other")
    func headsOfManyBranches() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        let forger = try ForgedLine(log.journal, seed: 1)
        let segments = try Self.branches(LineFamily.mostBranches, forger)
        for segment in segments { try await log.store(segment) }
        let (heads, all) = try log.read { log in
            let journal = try log.journal()
            var all: Set<CommitID> = []
            for family in try log.families(of: journal) {
                all.formUnion(try log.samples(of: family.replica, in: journal))
            }
            return (try log.signedHeads(of: journal), all)
        }
        #expect(heads.count == LineFamily.mostBranches + 1)
        try log.read { log in
            let journal = try log.journal()
            #expect(Set(try log.withoutPredecessors(all, in: journal)) == Set(heads))
            #expect(try log.heldSigned(Array(all), in: journal) == all)
            for head in heads {
                #expect(try all.filter { try $0 != head && log.precedes(head, $0, in: journal) } == [])
            }
        }
        try fixture.expectIntact()
    }
}
