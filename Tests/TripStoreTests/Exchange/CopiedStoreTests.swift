import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("Copied and restored stores")
struct CopiedStoreTests {
    private func open(_ folder: TemporaryFolder, seed: UInt64, seesCopies: Bool) async throws -> TripStore {
        let clock = ManualClock(seed: seed)
        clock.advance(by: Int64(seed) * 1000)
        return try await CopiedStores.open(folder, clock, named: "device \(seed)", seesCopies: seesCopies)
    }

    private func copied(_ folder: TemporaryFolder) throws -> TemporaryFolder { try CopiedStores.copy(of: folder) }

    @Test(
        "A copy that both continue loses no edit of either, all replicas end equal, and the fork is reported",
        arguments: [true, false])
    func bothUsed(isSeen: Bool) async throws {
        let folder = TemporaryFolder()
        let trip: Trip.ID
        do {
            let store = try await open(folder, seed: 1, seesCopies: isSeen)
            trip = try await store.create(Trip(name: "Lisbon"))
            await store.close()
        }
        let copy = try copied(folder)
        let original = try await open(folder, seed: 2, seesCopies: isSeen)
        let other = try await open(copy, seed: 3, seesCopies: isSeen)
        let id = original.replica
        #expect((other.replica == id) == !isSeen)
        try await original.edit(trip) { $0.destination = "Lisboa" }
        try await other.edit(trip) { $0.notes = "By train" }
        let third = try await TripStore.test(journal: original.journal, clock: ManualClock(seed: 4))
        // A third replica spreads it before the two meet.
        try await third.exchange(with: .store(original))
        let report = try await third.exchange(with: .store(other))
        try await original.exchange(with: .store(third))
        try await other.exchange(with: .store(third))
        let stores = [original, other, third]
        for store in stores {
            #expect(try store.trip(trip)?.destination == "Lisboa")
            #expect(try store.trip(trip)?.notes == "By train")
            #expect(try store.history(of: trip).count == 3)
            #expect(try store.status().forks.map(\.replica) == (isSeen ? [] : [id]))
        }
        #expect(report.forks.isEmpty == isSeen)
        #expect(Set(stores.map(\.replica)).count == 3)
        if !isSeen {
            // Both noticed another writer under their id.
            #expect(original.replica != id && other.replica != id)
            #expect(try original.status().identityChange?.previous == id)
        }
        // They continue, each under an id of its own, and their writes reach all.
        try await original.edit(trip) { $0.name = "Lisbon 1" }
        try await other.edit(trip) { $0.isProtected = true }
        try await original.exchange(with: .store(other))
        try await third.exchange(with: .store(other))
        #expect(Set(try stores.map { try $0.digests() }).count == 1)
        #expect(try third.status().forks == original.status().forks)
        for store in stores { try await store.expectInvariants() }
    }

    @Test("A store put back to an older copy gets back what it had handed on, and goes on under a new id")
    func restored() async throws {
        let folder = TemporaryFolder()
        let peer = try await TripStore.test(clock: ManualClock(seed: 9))
        let trip = try await peer.create(Trip(name: "Lisbon"))
        do {
            let store = try await open(folder, seed: 1, seesCopies: false)
            try await store.exchange(with: .store(peer))
            try await store.edit(trip) { $0.notes = "first" }
            await store.close()
        }
        let backup = try copied(folder)
        let id: ReplicaID
        do {
            let store = try await open(folder, seed: 2, seesCopies: false)
            id = store.replica
            try await store.edit(trip) { $0.notes = "second" }
            try await store.exchange(with: .store(peer))
            await store.close()
        }
        let restored = try await open(backup, seed: 3, seesCopies: false)
        #expect(restored.replica == id)
        #expect(try restored.trip(trip)?.notes == "first")
        let report = try await restored.exchange(with: .store(peer))
        #expect(report.identityChange?.previous == id && restored.replica != id)
        #expect(try restored.trip(trip)?.notes == "second")
        #expect(try restored.status().forks.isEmpty)
        try await restored.edit(trip) { $0.notes = "third" }
        try await restored.exchange(with: .store(peer))
        #expect(try peer.trip(trip)?.notes == "third")
        #expect(try peer.digests() == restored.digests())
        for store in [peer, restored] { try await store.expectInvariants() }
    }
}
