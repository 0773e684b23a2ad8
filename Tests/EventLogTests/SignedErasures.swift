import Events
import StoreSupport
import Testing

@testable import EventLog

/// A log with a commit of eight events, and another log that holds it; and statements about it, signed by its author.
struct SignedErasures {
    let fixtures = [LogFixture(seed: 1), LogFixture(seed: 2)]
    let logs: [Log]
    let commit: CommitID
    private let identity: ReplicaIdentity

    init() async throws {
        let log = try fixtures[0].open()
        let events = (0..<8).flatMap { Payload.sample("event \($0)").events }
        let written = try #require(try await log.append(Payload(events: events)))
        commit = CommitID(replica: log.replica, sequence: written.sequence, hash: written.hash)
        let other = try fixtures[1].open(journal: log.journal)
        for segment in try await log.allSegments() { try await other.store(segment) }
        logs = [log, other]
        identity = try #require(try KeyFile(path: fixtures[0].folder.path("replica.key")).read().first)
    }

    func erasure(_ leaves: ErasedLeaves, number: UInt32 = 0) throws -> Erasure {
        try Erasure(of: leaves, in: commit, of: logs[0].journal, at: 1, number: number, by: identity)
    }

    /// Each log gets what the other holds.
    func exchange() async throws {
        let held = try logs.map { try $0.read { try $0.erasures(of: commit.hash) } }
        for (log, erasures) in zip(logs, held.reversed()) { try await log.keep(erasures) }
    }

    func expectEqual() throws {
        let digests = try logs.map { try $0.read { try $0.erasureDigest() } }
        #expect(digests[0] == digests[1])
        let erased = try logs.map { try $0.commit(commit).erased }
        #expect(erased[0] == erased[1])
        for fixture in fixtures { try fixture.expectIntact() }
    }
}

extension Log {
    /// A held commit.
    func commit(_ id: CommitID) throws -> RecordedCommit {
        try #require(try commits().first { $0.hash == id.hash })
    }
}
