import BenchmarkData
import Dispatch
import Foundation
import Synchronization
import TripStore

/// The same eight readers alone, and while a writer imports by the thousand.
struct ReadersRow: Row {
    let name = "readers"
    let work = "8 readers while one writer imports"
    let peer = "readers alone"
    private static let readers = 8

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let settings = scratch.settings
        let size = settings.events / 10
        let store = try await TripStore.filled(try scratch.makeFolder("store"), events: size)
        let ids = TripIDs(size / TripGenerator.eventsPerTrip)
        let time = settings.isQuick || settings.isSingle ? 0.5 : 3.0
        let writer = Writer(store, after: ids.count)
        var written = 0
        // The time of a read, so that both are compared as everywhere.
        let paired = try await Paired.measure(settings, repeats: settings.isSingle ? 1 : settings.repeats) {
            writer.prepare(Int(time * 100))
            let before = writer.commits
            let writing = Task { try await writer.write() }
            let rate = try Self.read(store, ids, time)
            written += writer.commits - before
            writing.cancel()
            try await writing.value
            return 1 / rate
        } peer: {
            1 / (try Self.read(store, ids, time))
        }
        return Outcome(measurements: [
            paired.rates(1, goal: .ratioAtLeast(0.7)),
            Measurement(
                detail: "the writer meanwhile",
                ours: .perSecond(Double(written * 1_000) / time / Double(paired.ours.count))),
        ])
    }

    /// Imports until it is cancelled.
    private final class Writer: Sendable {
        private struct Supply {
            var generator: TripGenerator
            var commits: [[TripEvent]] = []
        }

        private let store: TripStore
        private let supply: Mutex<Supply>
        private let count = Atomic<Int>(0)

        init(_ store: TripStore, after trips: Int) {
            self.store = store
            supply = Mutex(Supply(generator: TripGenerator(seed: 3, after: trips)))
        }

        var commits: Int { count.load(ordering: .relaxed) }

        /// Makes commits in advance, so that making them takes nothing from the readers.
        func prepare(_ count: Int) {
            supply.withLock { supply in
                while supply.commits.count < count { supply.commits.append(Self.next(&supply.generator)) }
            }
        }

        private static func next(_ generator: inout TripGenerator) -> [TripEvent] {
            (0..<1_000 / TripGenerator.eventsPerTrip).flatMap { _ in generator.next().events }
        }

        func write() async throws {
            while !Task.isCancelled {
                let events = supply.withLock { supply in
                    supply.commits.isEmpty ? Self.next(&supply.generator) : supply.commits.removeFirst()
                }
                try await store.append(events)
                count.add(1, ordering: .relaxed)
            }
        }
    }

    /// Reads a second of all readers, each a thread that queries a trip, its items and now and then a page.
    private static func read(_ store: TripStore, _ ids: TripIDs, _ time: Double) throws -> Double {
        let tally = Tally()
        let group = DispatchGroup()
        let start = ContinuousClock.now
        for reader in 0..<readers {
            group.enter()
            Thread.detachNewThread {
                do {
                    try read(store, ids.sample(10_000, seed: UInt64(reader) + 20), tally)
                } catch {
                    tally.failures.add(1, ordering: .relaxed)
                }
                group.leave()
            }
        }
        Thread.sleep(forTimeInterval: time)
        tally.isStopped.store(true, ordering: .relaxed)
        group.wait()
        guard tally.failures.load(ordering: .relaxed) == 0 else { throw BenchError("A reader failed.") }
        return Double(tally.reads.load(ordering: .relaxed)) / (ContinuousClock.now - start).seconds
    }

    private static func read(_ store: TripStore, _ ids: [Trip.ID], _ tally: Tally) throws {
        var number = 0
        while !tally.isStopped.load(ordering: .relaxed) {
            let id = ids[number % ids.count]
            guard try store.trip(id) != nil, try store.items(of: id).count == 5 else {
                throw BenchError("A trip or its items are missing.")
            }
            if number % 16 == 0 { _ = try store.trips(.dated, limit: 50) }
            number += 1
            tally.reads.add(2, ordering: .relaxed)
        }
    }

    /// The readers' total.
    private final class Tally: Sendable {
        let isStopped = Atomic<Bool>(false)
        let reads = Atomic<Int>(0)
        let failures = Atomic<Int>(0)
    }
}
