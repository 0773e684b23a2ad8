import EventLog
import Foundation
import Logging
import StoreSupport
import TestSupport
import Testing
import TripStore

@Suite("Clones that were cut off")
struct KilledCloneTests {
    private let folder = TemporaryFolder()
    private var source: URL { folder.url.appendingPathComponent("source") }
    private var clone: URL { folder.url.appendingPathComponent("clone") }
    private var note: String { clone.path + "/clone.unfinished" }

    /// Not ahead of the system's clock, which the killed processes use.
    private static func clock(_ seed: UInt64) -> ManualClock {
        ManualClock(milliseconds: 1_795_435_200_000, seed: seed)
    }

    /// A store of some MiB, so that it takes several steps to clone it.
    private func fill(_ url: URL, seed: UInt64 = 1, trips: Int = 80) async throws {
        let store = try await TripStore.test(clock: Self.clock(seed), at: url)
        var generator = SeededGenerator(seed: 5)
        for number in 0..<trips {
            let notes = String(repeating: "\(generator.next()) ", count: 2000)
            try await store.create(Trip(name: "\(number)", notes: notes))
        }
        await store.close()
    }

    private func goOn(_ target: ExchangeTarget? = nil) async throws -> (store: TripStore, report: ExchangeReport) {
        var options = TripStore.Options(
            deviceName: "clone", mapSize: 1 << 30, dependencies: Self.clock(7).dependencies)
        options.logger.logLevel = .critical
        return try await TripStore.clone(target ?? .folder(source), to: clone, options: options)
    }

    private func expectWhole(_ store: TripStore, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(!TripStore.isUnfinishedClone(at: clone), sourceLocation: sourceLocation)
        let original = try await TripStore.test(clock: Self.clock(8), at: source)
        try await store.expectEqual(to: original, sourceLocation: sourceLocation)
        #expect(store.replica != original.replica, sourceLocation: sourceLocation)
        for store in [store, original] { try await store.expectInvariants(sourceLocation: sourceLocation) }
        await original.close()
    }

    @Test("A clone whose process is killed at any moment is continued by the next, and is then whole")
    func killed() async throws {
        try await fill(source)
        let paths = ["", "/log", "/log/data.mdb", "/replica.key", "/views", "/log/wal"].map { clone.path + $0 }
        var cutOff = 0
        for round in 0..<paths.count + 8 {
            if round < paths.count {
                try KilledProcess.run(["clone", source.path, clone.path], untilThereIs: paths[round])
            } else {
                _ = try KilledProcess.run(["clone", source.path, clone.path], lines: round - paths.count)
            }
            // It may have ended before the signal.
            if TripStore.exists(at: clone) && !TripStore.isUnfinishedClone(at: clone) {
                try await expectWhole(try await TripStore.test(clock: Self.clock(7), at: clone))
            } else {
                cutOff += 1
                let (store, _) = try await goOn()
                try await expectWhole(store)
                await store.close()
            }
            try FileManager.default.removeItem(at: clone)
        }
        #expect(cutOff > 4)
    }

    @Test("A clone that is killed again and again comes to its end, and what it had is not fetched twice")
    func againAndAgain() async throws {
        try await fill(source, trips: 120)
        for lines in 0..<4 where lines == 0 || TripStore.isUnfinishedClone(at: clone) {
            _ = try KilledProcess.run(["clone", source.path, clone.path], lines: lines)
        }
        // They may have ended before the signals.
        guard TripStore.isUnfinishedClone(at: clone) || !TripStore.exists(at: clone) else {
            return try await expectWhole(try await TripStore.test(clock: Self.clock(7), at: clone))
        }
        let (store, report) = try await goOn()
        #expect(report.received.commits + Int(report.positionBefore.rawValue) == 121)
        try await expectWhole(store)
    }

    @Test("What was written to an unfinished clone stays, and the clone goes on all the same")
    func writtenToMeanwhile() async throws {
        try await fill(source, trips: 3)
        // As after a clone that was killed before anything arrived.
        try layNote(journal: try await journal(of: source))
        let mine: Trip.ID
        do {
            let store = try await TripStore.test(
                journal: try await journal(of: source), clock: Self.clock(7), at: clone)
            mine = try await store.create(Trip(name: "Mine"))
            await store.close()
        }
        #expect(TripStore.isUnfinishedClone(at: clone))
        let (store, report) = try await goOn()
        #expect(report.received.commits == 4 && report.sent.commits == 2)
        #expect(try store.trip(mine)?.name == "Mine")
        try await expectWhole(store)
    }

    @Test("Status names an unfinished clone until an exchange with its source has come to its end")
    func status() async throws {
        try await fill(source, trips: 3)
        let other = folder.url.appendingPathComponent("other")
        do { await (try await TripStore.clone(.folder(source), to: other)).store.close() }
        try layNote(journal: try await journal(of: source))
        let store = try await TripStore.test(
            journal: try await journal(of: source), clock: Self.clock(7), at: clone)
        #expect(try store.status().unfinishedClone == source.path)
        // Another source may hold less.
        try await store.exchange(with: .folder(other))
        #expect(try store.status().unfinishedClone == source.path)
        await #expect(throws: (any Error).self) { try await store.exchange(with: .folder(folder.url)) }
        #expect(TripStore.isUnfinishedClone(at: clone))
        try await store.exchange(with: .folder(source))
        #expect(try store.status().unfinishedClone == nil)
        try await expectWhole(store)
    }

    @Test("Another target with another journal is refused with both journals, and what is there stays as it is")
    func otherJournal() async throws {
        try await fill(source)
        _ = try KilledProcess.run(["clone", source.path, clone.path], lines: 3)
        try #require(TripStore.isUnfinishedClone(at: clone))
        let other = folder.url.appendingPathComponent("other")
        try await fill(other, seed: 3, trips: 2)
        for _ in 0..<2 {
            let error = await #expect(throws: TripStoreError.self) { _ = try await goOn(.folder(other)) }
            #expect(error?.code == .otherJournal)
            for words in [
                "\(try await journal(of: source))", "\(try await journal(of: other))", clone.path, source.path,
            ] {
                #expect(error?.message.contains(words) == true, "\(words)")
            }
        }
        let (store, _) = try await goOn()
        try await expectWhole(store)
        // Complete now, it is refused like any store.
        let error = await #expect(throws: TripStoreError.self) { _ = try await goOn() }
        #expect(error?.code == .notAStore && error?.message.contains("already") == true)
    }

    @Test("A store that was begun in the place of a clone that was cut off is not mixed with the target")
    func anotherStoreThere() async throws {
        try await fill(source, trips: 2)
        try layNote(journal: try await journal(of: source))
        try await fill(clone, seed: 4, trips: 1)
        let error = await #expect(throws: TripStoreError.self) { _ = try await goOn() }
        #expect(error?.code == .otherJournal)
        let store = try await TripStore.test(clock: Self.clock(7), at: clone)
        #expect(try store.status().position == Position(2))
        try await store.expectInvariants()
    }

    @Test(
        "A clone whose creation was cut off early begins anew",
        arguments: [[], ["log/"], ["log/", "views/"], ["log/", "replica.key"]])
    func early(names: [String]) async throws {
        try await fill(source, trips: 2)
        try layNote(journal: try await journal(of: source))
        for name in names {
            let url = clone.appendingPathComponent(name)
            if name.hasSuffix("/") {
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            } else {
                try Data().write(to: url)
            }
        }
        let (store, _) = try await goOn()
        try await expectWhole(store)
    }

    @Test("A store with another journal in which nothing was ever written joins the target's")
    func emptyStore() async throws {
        try await fill(source, trips: 2)
        // Over this carrier only the exchange reveals the journal.
        try layNote(journal: nil)
        do { await (try await TripStore.test(clock: Self.clock(7), at: clone)).close() }
        let (store, _) = try await goOn()
        try await expectWhole(store)
    }

    @Test(
        "A note that cannot be read still marks an unfinished clone", arguments: ["", "nonsense", "tripstore clone v1"])
    func unreadableNote(text: String) async throws {
        try await fill(source, trips: 2)
        try FileManager.default.createDirectory(at: clone, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: note))
        let (store, _) = try await goOn()
        try await expectWhole(store)
    }

    private func journal(of url: URL) async throws -> JournalID {
        var options = TripStore.Options(access: .readOnly, waitsForViews: false)
        options.logger.logLevel = .critical
        return try await TripStore.open(at: url, options: options).journal
    }

    private func layNote(journal: JournalID?) throws {
        try FileManager.default.createDirectory(at: clone, withIntermediateDirectories: true)
        let text = "tripstore clone v1\n\(journal.map { "\($0)" } ?? "unknown")\n\(source.path)\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: note))
    }
}
