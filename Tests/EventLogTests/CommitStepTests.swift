import EventLog
import Events
import Foundation
import LMDB
import Platform
import Synchronization
import TestSupport
import Testing

@Suite("Steps beside the sync")
struct CommitStepTests {
    /// Records its calls; its steps finish or fail as the test says.
    private final class Watcher: AppendObserver {
        struct State {
            var notes: [String] = []
            var stepsFinish = true
            var seen: [[Position]] = []
        }

        let state = Mutex(State())

        func note(_ words: String) { state.withLock { $0.notes.append(words) } }
        var notes: [String] { state.withLock { $0.notes } }

        func transactionBegins(_ log: borrowing LogSnapshot) throws { note("begins") }
        func committed(upTo position: Position) { note("committed \(position)") }
        func received(upTo position: Position) {}

        func committing(_ commits: CommitCopies, _ log: borrowing LogSnapshot) -> (any CommitStep)? {
            let positions = try? commits.withCommits { $0.map(\.position) }
            state.withLock { $0.seen.append(positions ?? []) }
            note("committing")
            return Step(watcher: self)
        }
    }

    private struct Step: CommitStep {
        let watcher: Watcher

        func conclude(isDurable: Bool, _ next: @escaping @Sendable () -> Void) -> Bool {
            watcher.note(isDurable ? "durable" : "given up")
            guard isDurable, watcher.state.withLock({ $0.stepsFinish }) else { return false }
            next()
            return true
        }
    }

    private func watched(stepsFinish: Bool = true) throws -> (LogFixture, Log, Watcher) {
        let fixture = LogFixture()
        let log = try fixture.open()
        let watcher = Watcher()
        watcher.state.withLock { $0.stepsFinish = stepsFinish }
        log.setObserver(watcher)
        return (fixture, log, watcher)
    }

    private struct Refused: Error {}

    @Test("A step gets the commits as they will be read, and ends the appenders' wait")
    func finished() async throws {
        let (fixture, log, watcher) = try watched()
        let appended = try await log.append(.sample("one"))
        #expect(appended?.position == Position(2))
        #expect(watcher.notes == ["begins", "committing", "durable"])
        // With the introduction of the line.
        #expect(watcher.state.withLock { $0.seen } == [[Position(1), Position(2)]])
        try fixture.expectIntact()
    }

    @Test("After a failed step the observer is called as without one")
    func failed() async throws {
        let (fixture, log, watcher) = try watched(stepsFinish: false)
        _ = try await log.append(.sample("one"))
        #expect(watcher.notes == ["begins", "committing", "durable", "committed 2"])
        try fixture.expectIntact()
    }

    @Test("Without a commit there is no step")
    func nothingStored() async throws {
        let (fixture, log, watcher) = try watched()
        await #expect(throws: Refused.self) { try await log.append { _ in throw Refused() } }
        #expect(watcher.notes == ["begins"])
        #expect(try log.read { try $0.lastPosition() } == .start)
        try fixture.expectIntact()
    }

    @Test("A commit that is too large for a copy is reported when it is durable")
    func large() async throws {
        let (fixture, log, watcher) = try watched()
        _ = try await log.append(.sample(String(repeating: "x", count: 1 << 20)))
        #expect(watcher.notes == ["begins", "committed 2"])
        try fixture.expectIntact()
    }

    @Test("A step is given up where its commits do not get onto the medium", .enabled(if: MemoryFileSystem.isAvailable))
    func failedCommit() async throws {
        let system = try MemoryFileSystem(kibibytes: 1024)
        let fixture = LogFixture()
        let log = try Log.open(
            at: system.path + "/log", keyPath: system.path + "/replica.key",
            options: Log.Options(
                deviceName: "test", environment: Environment.Options(mapSize: 1 << 30),
                dependencies: fixture.dependencies))
        let watcher = Watcher()
        log.setObserver(watcher)
        var stored = 0
        await #expect(throws: StorageError.self) {
            for _ in 0..<100 {
                _ = try await log.append(.sample(String(repeating: "x", count: 30_000)))
                stored += 1
            }
        }
        #expect(watcher.notes.suffix(3) == ["begins", "committing", "given up"])
        #expect(watcher.notes.count { $0 == "durable" } == stored)
        #expect(try log.commits().count == stored + 1)
        let report = try LogVerifier.verify(EnvironmentRows(at: system.path + "/log"))
        #expect(report.findings == [])
        withExtendedLifetime(system) {}
    }
}
