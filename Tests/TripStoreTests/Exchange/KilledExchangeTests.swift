import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

@Suite("Killed exchanges")
struct KilledExchangeTests {
    @Test(
        "An exchange whose process is killed, twenty times over, goes on where it was, and both end equal (X1, L1, L2)")
    func killedExchanges() async throws {
        let folders = [TemporaryFolder(), TemporaryFolder()]
        let journal = JournalID(UUID())
        var generator = SeededGenerator(seed: 2)
        var acknowledged: Set<Trip.ID> = []
        var steps = 0
        for round in 0..<20 {
            for (number, folder) in folders.enumerated() {
                let clock = ManualClock(
                    milliseconds: 1_795_435_200_000 + Int64(round) * 60_000, seed: UInt64(round * 2 + number))
                let store = try await TripStore.test(
                    journal: round == 0 ? journal : nil, clock: clock, at: folder.url)
                // Enough that an exchange takes several batches each way.
                for _ in 0..<60 {
                    let notes = String(repeating: "\(generator.next()) ", count: 2000)
                    acknowledged.insert(try await store.create(Trip(name: "Round \(round)", notes: notes)))
                }
                try await store.expectSoundLog()
                await store.close()
            }
            let said = try KilledProcess.run(
                folders.map(\.url.path), lines: Int.random(in: 0...25, using: &generator))
            acknowledged.formUnion(said.compactMap { Trip.ID($0) })
            steps += said.count
        }
        let stores = [try await TripStore.test(at: folders[0].url), try await TripStore.test(at: folders[1].url)]
        try await stores[0].exchange(with: .store(stores[1]))
        try await stores[0].expectEqual(to: stores[1])
        for trip in acknowledged { #expect(try stores[1].trip(trip) != nil) }
        #expect(steps > 20)
        for store in stores { try await store.expectInvariants() }
    }
}
