import BenchmarkData
import Foundation
import TripStore

/// Many tasks that each append small durable commits one after the other, beside a single such task.
struct ManyTasksRow: Row {
    let name = "many-tasks"
    let work = "64 tasks appending small durable commits"
    let peer = "one task"
    private static let tasks = 64

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let log = try await throughLog(scratch)
        let store = try await throughStore(scratch)
        return Outcome(measurements: [
            log.quietest(1).rates(1, "the log", goal: .ratioAtLeast(25)),
            store.quietest(1).rates(1, "the store, visible in views", goal: nil),
        ])
    }

    private func throughLog(_ scratch: ScratchDirectory) async throws -> Paired {
        let filled = try await FilledLog(try scratch.makeFolder("log"), eventsPerCommit: 1)
        let log = filled.log
        return try await measure(scratch.settings) { count in
            filled.make(count).map(\.payload)
        } append: { payload in
            _ = try await log.append(payload)
        }
    }

    /// The same as edits of a store's trips, each visible when its append returns.
    private func throughStore(_ scratch: ScratchDirectory) async throws -> Paired {
        let store = try await TripStore.filled(try scratch.makeFolder("store"), events: 10_000)
        let trips = TripIDs(10_000 / TripGenerator.eventsPerTrip)
        var seed: UInt64 = 40
        return try await measure(scratch.settings) { count in
            seed += 1
            return trips.sample(count, seed: seed).enumerated().map { number, trip in
                TripEvent(.edited, trip, [.set(\.notes, "Seats 14 A and B; number \(seed) \(number).")])
            }
        } append: { event in
            try await store.append([event])
        }
    }

    private func measure<Work: Sendable>(
        _ settings: Settings, make: (Int) -> [Work], append: @escaping @Sendable (Work) async throws -> Void
    ) async throws -> Paired {
        let each = settings.count(200)
        return try await Paired.measure(settings, repeats: settings.isSingle ? 1 : settings.repeats * 6 + 3) {
            let work = (0..<Self.tasks).map { _ in make(each) }
            return try await seconds {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for part in work { group.addTask { for one in part { try await append(one) } } }
                    try await group.waitForAll()
                }
            } / Double(each * Self.tasks)
        } peer: {
            let work = make(each * 2)
            return try await seconds { for one in work { try await append(one) } } / Double(each * 2)
        }
    }
}
