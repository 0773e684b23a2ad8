import Events
import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("Commits that are prepared before their turn")
struct PlannedCommitTests {
    @Test("One that somebody was quicker than is checked again on what is there then")
    func overtaken() async throws {
        let store = try await TripStore.test()
        let trip = Trip(name: "Lisbon")
        let planned = store.plan([.created(trip)])
        try await store.append([.created(trip)])
        let error = await #expect(throws: TripStoreError.self) { try await store.append(planned) }
        #expect(error?.code == .alreadyExists)

        let version = try store.version(of: trip.id)
        let edit = TripEvent(.edited, trip.id, [.name("Porto")])
        let overtaken = store.plan([edit], expecting: [trip.id.reference: version])
        try await store.edit(trip.id) { $0.notes = "By train" }
        let conflict = await #expect(throws: TripStoreError.self) { try await store.append(overtaken) }
        #expect(conflict?.code == .versionConflict)
        #expect(try store.trip(trip.id)?.name == "Lisbon")
        try await store.expectInvariants()
    }

    @Test("One whose trip was deleted meanwhile is refused, and nothing is written")
    func tripDeletedMeanwhile() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let tram = Activity(name: "Tram", in: trip)
        let planned = store.plan([.created(tram)])
        try await store.delete(trip)
        let error = await #expect(throws: TripStoreError.self) { try await store.append(planned) }
        #expect(error?.code == .unknownTrip)
        #expect(try store.version(of: tram.id) == .none)
        try await store.expectInvariants()
    }

    @Test("One that others wrote beside holds, and sees what stood when it was planned")
    func besideOthers() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let planned = store.plan([TripEvent(.edited, trip, [.name("Porto")])])
        let other = try await store.create(Trip(name: "Berlin"))
        let receipt = try await store.append(planned)
        #expect(try store.trip(trip)?.name == "Porto")
        #expect(try store.trip(other)?.name == "Berlin")
        #expect(receipt.version == (try store.version(of: trip)))
        #expect(try store.conflicts(includingSettled: true).isEmpty)
        try await store.expectInvariants()
    }

    @Test("One that was planned on a commit which counts no longer sees what stands in its place")
    func onVoidedCommit() async throws {
        let store = try await TripStore.founded()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let edited = try #require(try await store.edit(trip) { $0.name = "Porto" })
        let planned = store.plan([TripEvent(.edited, trip, [.name("Faro")])])
        let expecting = store.plan(
            [TripEvent(.edited, trip, [.name("Braga")])], expecting: [trip.reference: edited.version])
        try await store.void(edited.position)
        #expect(try store.trip(trip)?.name == "Lisbon")
        let conflict = await #expect(throws: TripStoreError.self) { try await store.append(expecting) }
        #expect(conflict?.code == .versionConflict)
        try await store.append(planned)
        #expect(try store.trip(trip)?.name == "Faro")
        // It names what it has replaced as seen.
        #expect(try store.conflicts(includingSettled: true).isEmpty)
        try await store.expectInvariants()
    }

    @Test("An item may be planned before the commit that makes its trip is written")
    func tripOfTheCommitBefore() async throws {
        let store = try await TripStore.test()
        let trip = Trip(name: "Lisbon")
        let first = store.plan([.created(trip)])
        let second = store.plan([.created(Activity(name: "Tram", in: trip.id))])
        try await store.append(first)
        try await store.append(second)
        #expect(try store.items(of: trip.id).count == 1)
        try await store.expectInvariants()
    }
}
