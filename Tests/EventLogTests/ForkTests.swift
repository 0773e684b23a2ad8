import EventLog
import Events
import Foundation
import StoreSupport
import Testing

/// A store that was copied or restored, and wrote on under the same id, unnoticed.
@Suite("Forked lines")
struct ForkTests {
    /// Two logs that diverged after some commits, neither of which knows that it is a copy.
    private struct Forked {
        let fixtures: [LogFixture]
        let logs: [Log]
        let shared: Int

        init(shared: Int, _ counts: [Int]) async throws {
            var original = LogFixture(seed: 1)
            original.dependencies.fileOrigin = { _ in nil }
            var journal: JournalID?
            do {
                let log = try original.open()
                journal = log.journal
                _ = try await log.appendSamples(shared - 1)
            }
            var fixtures = [original]
            for index in 1..<counts.count { fixtures.append(try original.copied(seed: UInt64(10 + index))) }
            self.fixtures = fixtures
            self.shared = shared
            logs = try fixtures.map { try $0.open() }
            #expect(Set(logs.map(\.replica)).count == 1 && Set(logs.map(\.journal)) == [journal])
            for (index, count) in counts.enumerated() {
                fixtures[index].clock.advance(by: Int64(index))
                _ = try await logs[index].appendSamples(count)
            }
        }

        func expectIntact() throws { for fixture in fixtures { try fixture.expectIntact() } }
    }

    private static func pass(_ from: Log, _ to: Log) async throws {
        for segment in try await from.allSegments() { try await to.store(segment) }
    }

    private static func heads(_ log: Log) throws -> [CommitID] { try log.read { try $0.signedHeads(of: $0.journal()) } }

    private static func forks(_ log: Log) throws -> [Fork] { try log.read { try $0.forks(in: $0.journal()) } }

    @Test(
        "Both branches are kept by everyone, in whatever order they come",
        arguments: [(5, 3, 4), (2, 1, 1), (2, 0, 3), (1030, 3, 1500)])
    func bothAreKept(shared: Int, left: Int, right: Int) async throws {
        let forked = try await Forked(shared: shared, [left, right])
        let id = forked.logs[0].replica
        let others = [LogFixture(seed: 20), LogFixture(seed: 21)]
        let third = try others[0].open(journal: forked.logs[0].journal)
        let fourth = try others[1].open(journal: forked.logs[0].journal)
        try await Self.pass(forked.logs[0], third)
        try await Self.pass(forked.logs[1], third)
        try await Self.pass(forked.logs[1], fourth)
        try await Self.pass(forked.logs[0], fourth)
        try await Self.pass(third, forked.logs[0])
        try await Self.pass(third, forked.logs[1])
        let all = forked.logs + [third, fourth]
        let hashes = try all.map { try Set($0.commits().map(\.hash)) }
        #expect(hashes[0].count == shared + left + right && Set(hashes).count == 1)
        #expect(Set(try all.map(Self.heads)).count == 1)
        let forks = try all.map(Self.forks)
        #expect(Set(forks).count == 1)
        if left > 0 && right > 0 {
            #expect(forks[0].map(\.sequence) == [SequenceNumber(UInt64(shared + 1))])
            #expect(forks[0].first?.branches.count == 2 && forks[0].first?.replica == id)
        } else {
            #expect(forks[0] == [])
        }
        try forked.expectIntact()
        for fixture in others { try fixture.expectIntact() }
    }

    @Test("A replica that learns that its line continued elsewhere writes under a new id, says so, and loses nothing")
    func goesOnAsAnother() async throws {
        let forked = try await Forked(shared: 3, [2, 2])
        let former = forked.logs[0].replica
        let written = Set(try forked.logs[0].commits().map(\.hash))
        var change: IdentityChange?
        for segment in try await forked.logs[1].allSegments() {
            if let found = try await forked.logs[0].store(segment).identityChange { change = found }
        }
        #expect(change?.previous == former)
        #expect(forked.logs[0].replica != former)
        #expect(try forked.logs[0].lastIdentityChange() == change)
        let appended = try #require(try await forked.logs[0].append(.sample("later")))
        #expect(appended.sequence.rawValue == 2 && appended.replica == forked.logs[0].replica)
        let commits = try forked.logs[0].commits()
        #expect(written.isSubset(of: commits.map(\.hash)))
        #expect(commits[commits.count - 2].payload?.introduction?.previous == former)
        // Its own earlier unsigned commits can be forwarded.
        #expect(try Self.heads(forked.logs[0]).filter { $0.replica == former }.count == 2)
        // Another handle on the log notices with its next commit.
        #expect(try forked.fixtures[0].open().replica == forked.logs[0].replica)
        try forked.expectIntact()
    }

    @Test("Three that went on apart are three branches, and a copy of a branch is a branch of it")
    func threeBranches() async throws {
        let forked = try await Forked(shared: 4, [3, 3, 3])
        let target = LogFixture(seed: 30)
        let log = try target.open(journal: forked.logs[0].journal)
        for other in [1, 2, 0] { try await Self.pass(forked.logs[other], log) }
        let forks = try Self.forks(log)
        #expect(forks.map(\.branches.count) == [3])
        #expect(try log.commits().count == 4 + 9)
        // Again, and in segments that overlap: nothing is stored twice.
        for other in [0, 2, 1] { try await Self.pass(forked.logs[other], log) }
        #expect(try log.commits().count == 4 + 9)
        try target.expectIntact()
    }

    @Test("Two logs that wrote with one key from the first commit on are two branches")
    func fromTheFirst() async throws {
        var fixtures = [LogFixture(seed: 1), LogFixture(seed: 2)]
        for index in fixtures.indices { fixtures[index].dependencies.newKey = { Array(repeating: 7, count: 32) } }
        let journal = JournalID(UUID())
        let logs = try fixtures.map { try $0.open(journal: journal) }
        #expect(logs[0].replica == logs[1].replica)
        for (index, log) in logs.enumerated() {
            fixtures[index].clock.advance(by: Int64(index * 1000))
            _ = try await log.appendSamples(2)
        }
        let target = LogFixture(seed: 3)
        let log = try target.open(journal: journal)
        for one in logs { try await Self.pass(one, log) }
        #expect(try log.commits().map(\.header.sequence.rawValue) == [1, 2, 3, 1, 2, 3])
        #expect(try Self.forks(log).map(\.sequence.rawValue) == [1])
        try target.expectIntact()
    }

    @Test("A segment whose start is not here is refused, and what is needed is named")
    func missingStart() async throws {
        let forked = try await Forked(shared: 3, [1100, 1])
        let target = LogFixture(seed: 3)
        let log = try target.open(journal: forked.logs[0].journal)
        let segments = try await forked.logs[0].allSegments()
        try #require(segments.count == 2)
        await #expect {
            try await log.store(segments[1])
        } throws: { error in
            guard let error = error as? EventLogError, error.code == .missingStart else { return false }
            return error.message.contains("\(segments[1].previous)")
                && error.message.contains("commit \(segments[0].last)")
        }
        #expect(try log.isEmpty())
        try await log.store(segments)
        #expect(try log.commits().count == 1103)
        try target.expectIntact()
    }

    @Test("Samples of a line lead to the last commit that both hold", arguments: [(5, 3, 40), (300, 1, 1)])
    func samples(shared: Int, left: Int, right: Int) async throws {
        let forked = try await Forked(shared: shared, [left, right])
        let (ours, theirs) = (forked.logs[0], forked.logs[1])
        let journal = ours.journal
        // Commits after one that no signature vouches for are not requested.
        try await ours.signHead()
        let samples = try ours.read { try $0.samples(of: ours.replica, in: journal) }
        let known = try theirs.read { log in try samples.filter { try log.holds($0, in: journal) } }
        let last = try #require(known.last?.sequence.rawValue)
        #expect(last <= shared && last * 2 + UInt64(2 * left) >= shared)
        try forked.expectIntact()
    }
}
