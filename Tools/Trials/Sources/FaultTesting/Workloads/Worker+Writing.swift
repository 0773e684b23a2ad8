import Synchronization
import TripStoreTestSupport

@testable import TripStore

extension Worker {
    func write(to name: String, bytes: Int) async throws {
        try await repeatUnknown(in: name)
        let number = nextNumber()
        var trip = Trip(name: "Trip \(number)")
        trip.notes = Canary.text(of: trip.id) + String(repeating: "n", count: bytes)
        try await begin(NamedWrite(.create(trip)), in: name)
    }

    private func nextNumber() -> Int {
        state.withLock { state in
            state.number += 1
            return state.number
        }
    }

    private func begin(_ write: NamedWrite, in name: String) async throws {
        _ = try store(name)
        say(.begin(store: name, trip: write.trip, name: write.name))
        try await attempt(write, in: name, isFirst: true)
    }

    /// Tries a write, and prints the outcome.
    private func attempt(_ write: NamedWrite, in name: String, isFirst: Bool) async throws {
        do {
            try await write.run(in: try store(name))
        } catch {
            // A further attempt that wrote nothing says nothing about the first one.
            if !isFirst || (error as? TripStoreError)?.code == .outcomeUnknown {
                if isFirst { say(.unknown(store: name, trip: write.trip, name: write.name)) }
                state.withLock { $0.unknown[name, default: []].append(write) }
            } else {
                say(.refused(store: name, trip: write.trip, name: write.name))
            }
            throw error
        }
        say(.acknowledged(store: name, trip: write.trip, name: write.name))
        if case .create = write.change { state.withLock { $0.trips[name, default: []].append(write.trip) } }
    }

    /// Tries a store's writes with an unknown outcome again, in order.
    private func repeatUnknown(in name: String) async throws {
        while let write = state.withLock({ $0.takeUnknown(in: name) }) {
            try await attempt(write, in: name, isFirst: false)
        }
    }

    func writeFromTasks(_ name: String, _ tasks: Int, _ commits: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<tasks {
                group.addTask { for _ in 0..<commits { try await self.write(to: name, bytes: 40) } }
            }
            try await group.waitForAll()
        }
    }

    func edit(in name: String, _ index: Int) async throws {
        try await repeatUnknown(in: name)
        let trips = state.withLock { $0.trips[name] ?? [] }
        guard !trips.isEmpty else { return }
        try await begin(NamedWrite(.rename(trips[index % trips.count], "Renamed \(nextNumber())")), in: name)
    }

    func erase(in name: String, _ count: Int) async throws {
        let store = try store(name)
        for trip in state.withLock({ Array(($0.trips[name] ?? []).prefix(count)) }) {
            say(.erasing(store: name, trip: trip))
            do { try await store.erase(store.previewErasing(trip)) } catch let error as TripStoreError
                where error.code == .unknownEntity
            {
                // An attempt that failed has erased it.
            }
            say(.erased(store: name, trip: trip))
            state.withLock { $0.trips[name]?.removeAll { $0 == trip } }
        }
    }

    func writeMixed(_ name: String, _ commits: Int, _ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<commits {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: try await write(to: name, bytes: 180_000)
            case 1: try await writeFromTasks(name, 4, 2)
            case 2...4: try await edit(in: name, Int.random(in: 0..<100, using: &random))
            default: try await write(to: name, bytes: Int.random(in: 0..<5000, using: &random))
            }
        }
    }
}
