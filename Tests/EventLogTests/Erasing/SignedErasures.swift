import Events
import LMDB
import StoreSupport
import Testing

@testable import EventLog

/// A log with a commit of eight events, and another log that holds it; and erasures of it, signed by its author.
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

    func expectIntact() throws { for fixture in fixtures { try fixture.expectIntact() } }
}

extension Log {
    /// A held commit.
    func commit(_ id: CommitID) throws -> RecordedCommit {
        try #require(try commits().first { $0.hash == id.hash })
    }

    /// Removes leaves of a commit from the file, as a medium may lose them.
    func lose(_ leaves: ErasedLeaves, of commit: CommitID) throws {
        let tables = tables
        try environment.write { transaction in
            let log = LogSnapshot(transaction.reading.alias(), tables)
            let position = try #require(try log.position(of: commit, in: log.journal()))
            let bytes = try #require(try log.storedCommit(at: position)).view.without(leaves)
            try transaction.put(position.rawValue, commit.hash.bytes, bytes, in: tables.log)
        }
    }

    /// The missing part of a commit as it is stored: what is only hidden is there.
    func missing(of commit: CommitID) throws -> ErasedLeaves? {
        try read { log in
            let position = try #require(try log.position(of: commit, in: log.journal()))
            return try log.storedCommit(at: position)?.view.erased
        }
    }
}
