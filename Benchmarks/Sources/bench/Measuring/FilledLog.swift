import BenchmarkData
import EventLog
import Events
import Foundation
import TripStore

/// A log that the generator fills, at the path where a store of that folder has it.
final class FilledLog {
    let folder: URL
    let log: Log
    private let clock = BenchClock()
    private let eventsPerCommit: Int
    private var generator: CommitGenerator

    init(_ folder: URL, eventsPerCommit: Int = 1_000, seed: UInt64 = 1) async throws {
        self.folder = folder
        self.eventsPerCommit = eventsPerCommit
        generator = CommitGenerator(seed: seed, eventsPerCommit: eventsPerCommit)
        log = try Self.open(folder, clock.dependencies)
        _ = try await log.append(generator.organizationsPayload())
    }

    /// Opens the log of a store's folder by itself.
    static func open(_ folder: URL, _ dependencies: Dependencies = .forgetful) throws -> Log {
        try Log.open(
            at: folder.path + "/log", keyPath: folder.path + "/replica.key",
            options: Log.Options(schema: TripStore.schema, dependencies: dependencies))
    }

    /// The next commits, not appended yet.
    func make(_ count: Int) -> [Made] {
        (0..<count).map { _ in
            let payload = generator.nextPayload()
            return Made(number: generator.commitCount, payload: payload)
        }
    }

    /// Bytes that the log keeps for a commit beside its payload: hash, header, salt and envelope. Measured on the
    /// newest commit, and the same for all of a line but for two bytes or so.
    func overhead() throws -> Int {
        try log.read { snapshot in
            guard let commit = try snapshot.commit(at: snapshot.lastPosition()), let payload = commit.view.payloadBytes
            else { return 0 }
            return commit.hash.bytes.count + commit.view.bytes.count - payload.count
        }
    }

    /// A commit that was made and not appended yet.
    struct Made: Sendable {
        let number: Int
        let payload: Payload
    }

    /// Appends a commit by itself; returns when it is durable.
    func append(_ commit: Made) async throws {
        clock.set(commit.number)
        _ = try await log.append(commit.payload)
    }

    /// Appends commits in bulk; returns when all are durable.
    func append(_ commits: [Made]) async throws {
        guard let last = commits.last else { return }
        clock.set(last.number)
        try await log.append(commits.map(\.payload))
    }

    /// Continues until there are that many events in all.
    func fill(_ events: Int) async throws {
        var rest = events / eventsPerCommit
        while rest > 0 {
            let count = min(rest, max(1, 100_000 / eventsPerCommit))
            try await append(make(count))
            rest -= count
        }
    }

    /// A store's folder whose log holds that many events, and which has no views yet.
    static func make(_ folder: URL, events: Int, eventsPerCommit: Int = 1_000) async throws {
        let filled = try await FilledLog(folder, eventsPerCommit: eventsPerCommit)
        try await filled.fill(events)
    }
}
