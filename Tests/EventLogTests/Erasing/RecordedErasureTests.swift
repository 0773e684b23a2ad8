import Events
import Foundation
import LMDB
import StoreSupport
import Synchronization
import Testing

@testable import EventLog

/// Keeps what a log records.
private final class KeptLedger: LogLedger {
    private let kept = Mutex<[LedgerEntry]>([])
    var entries: [LedgerEntry] { kept.withLock { $0 } }

    func record(_ entry: LedgerEntry, after cursor: [UInt8]?, _ log: borrowing LogSnapshot) throws -> [UInt8] {
        kept.withLock { kept in
            kept.append(entry)
            return Self.cursor(kept.count)
        }
    }

    func catchUp(_ log: Log) async throws {}

    static func cursor(_ count: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: count)] }
}

@Suite("Erasures that a ledger records")
struct RecordedErasureTests {
    private static let minute: Int64 = 60_000
    private static let week: Int64 = 7 * 86_400_000

    /// A log with a ledger, whose clock goes on by a minute each time that it is read.
    private func open(_ fixture: LogFixture, _ journal: JournalID, _ ledger: KeptLedger) throws -> Log {
        var dependencies = fixture.dependencies
        dependencies.now = { [clock = fixture.clock] in
            defer { clock.advance(by: Self.minute) }
            return clock.now
        }
        var environment = Environment.Options(.creating, mapSize: 1 << 30)
        environment.idleTime = .infinity
        var options = Log.Options(journal: journal, environment: environment, dependencies: dependencies)
        options.ledger = ledger
        return try Log.open(
            at: fixture.folder.path("log"), keyPath: fixture.folder.path("replica.key"), options: options)
    }

    @Test("A log that replays what another recorded removes the same bytes, and others when that one would")
    func replayed() async throws {
        let group = try await ErasingGroup()
        let founder = group.founder
        let fixtures = (LogFixture(seed: 4), LogFixture(seed: 5))
        let ledger = KeptLedger()
        let recorder = try open(fixtures.0, founder.journal, ledger)
        let replayer = try open(fixtures.1, founder.journal, KeptLedger())
        var replayed = 0
        func replay() async throws {
            let entries = ledger.entries
            while replayed < entries.count {
                let entry = entries[replayed]
                try await replayer.replay(
                    ReplayedEntry(
                        segments: entry.segments.map(\.segment), erasures: entry.erasures, time: entry.time,
                        cursors: (
                            before: replayed == 0 ? nil : KeptLedger.cursor(replayed),
                            after: KeptLedger.cursor(replayed + 1)
                        )))
                replayed += 1
            }
        }
        let commit = try await group.write(founder)
        try await founder.pass(to: recorder)
        // Each is held from when it comes.
        for event in 0..<2 {
            try await founder.erase(.events(event), in: commit)
            try await founder.pass(to: recorder)
            fixtures.0.clock.advance(by: Self.week / 7)
        }
        try await replay()
        fixtures.1.clock.now = fixtures.0.clock.now
        let times = try recorder.statedErasures().compactMap { stated -> Int64? in
            if case .pending(let time) = stated.state { time } else { nil }
        }
        #expect(Set(times).count == 2)
        #expect(try replayer.nextRemoval() == recorder.nextRemoval())
        // The second is due half a minute after the clock is read.
        fixtures.0.clock.now = try #require(times.max()) - Self.minute / 2
        #expect(try await recorder.removeDue() == 1)
        #expect(try recorder.missing(of: commit) == .events(0))
        try await replay()
        #expect(try replayer.missing(of: commit) == .events(0))
        #expect(try await recorder.removeDue() == 1)
        try await replay()
        for log in [recorder, replayer] { #expect(try log.missing(of: commit) == .events(0, 1)) }
        try group.expectIntact()
        for fixture in [fixtures.0, fixtures.1] { try fixture.expectIntact() }
    }
}
