import Events
import StoreSupport
import Testing

@testable import EventLog

/// The logs of a founder and of others, which it granted the role write; tests pass commits between them by hand.
struct ErasingGroup {
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
            try await log.pass(to: founder)
        }
        for log in logs.dropFirst() { try await founder.pass(to: log) }
    }

    /// Everything that both have, until nothing is new.
    func meet(_ one: Log, _ other: Log) async throws {
        for _ in 0..<2 {
            try await one.pass(to: other)
            try await other.pass(to: one)
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

    /// Lets time pass on every replica.
    func advance(days: Int) {
        for fixture in fixtures { fixture.clock.advance(by: Int64(days) * 86_400_000) }
    }

    /// Runs `body` while the clocks of some replicas are 400 days ahead.
    func ahead<T>(_ numbers: Range<Int> = 0..<3, _ body: () async throws -> T) async throws -> T {
        let lead = Int64(400 * 86_400_000)
        for fixture in fixtures[numbers] { fixture.clock.advance(by: lead) }
        let result = try await body()
        for fixture in fixtures[numbers] { fixture.clock.advance(by: -lead) }
        return result
    }

    func findings(_ number: Int) throws -> [String] {
        try LogVerifier.verify(EnvironmentRows(at: fixtures[number].folder.path("log"))).findings.map(\.code)
    }

    /// Expects that no bytes are removed, however long erasures have been known.
    func expectNothingDue() async throws {
        advance(days: 400)
        for log in logs { #expect(try await log.removeDue() == 0) }
        try expectIntact()
    }

    func expectIntact() throws { for fixture in fixtures { try fixture.expectIntact() } }
}

extension ErasedLeaves {
    /// Some events of a commit.
    static func events(_ events: Int...) -> ErasedLeaves { .some(LeafSet(events: events)) }
}
