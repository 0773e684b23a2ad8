import Events
import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("Versions that an append expects")
struct ExpectedVersionTests {
    @Test("The version that a commit left is no longer met once that commit is void")
    func voidedCommit() async throws {
        let store = try await TripStore.founded()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let edited = try await store.edit(trip) { $0.name = "Porto" }
        try await store.void(edited.position)
        #expect(try store.trip(trip)?.name == "Lisbon")
        let events = [TripEvent(.edited, trip, [.set(\.name, "Faro")])]
        let conflict = await #expect(throws: TripStoreError.self) {
            try await store.append(events, expecting: [trip.reference: edited.version])
        }
        #expect(conflict?.code == .versionConflict)
        try await store.append(events)
        #expect(try store.trip(trip)?.name == "Faro")
        // It names the write that it replaced as seen.
        #expect(try store.conflicts(includingResolved: true).isEmpty)
        try await store.expectInvariants()
    }
}
