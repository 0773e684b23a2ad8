import Foundation
import Testing
import TripProjections
import TripStore
import TripStoreTestSupport

/// What an app has: something that saves and shows whether it is at it.
@MainActor
private final class Form {
    let store: TripStore
    let trip: Trip.ID
    var isSaving = false
    var problem: (any Error)?

    init(_ store: TripStore, _ trip: Trip.ID) {
        self.store = store
        self.trip = trip
    }

    func save(_ name: String) async {
        isSaving = true
        do { try await store.edit(trip) { $0.name = name } } catch { problem = error }
        isSaving = false
    }
}

@Suite("The page on testing")
struct TestingSnippets {
    @Test("Temporary stores and sample trips")
    func samples() async throws {
        // begin Testing-sample
        let store = try await TripStore.sample(trips: 12, seed: 7)  // the same trips for the same seed
        let page = try store.trips()
        // end
        #expect(page.rows.count == 12)

        // begin Testing-samples
        var samples = SampleTrips(seed: 8, firstDay: Day(2030, 1, 1))
        let ids = try await samples.write(3, to: store, by: "ana")
        // end
        #expect(ids.count == 3)
        #expect(try store.trips().rows.count == 15)
    }

    @Test("Time that stands still")
    func clock() async throws {
        // begin Testing-clock
        let clock = ManualClock()  // the first of January 2027, until it is moved
        let store = try await TripStore.temporary(options: TripStore.Options(dependencies: clock.dependencies))
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let then = try #require(try store.trip(lisbon)?.createdAt)
        clock.advance(by: 3_600_000)
        try await store.edit(lisbon) { $0.name = "Porto" }
        #expect(try store.trip(lisbon)?.updatedAt == then.addingTimeInterval(3600))
        // end
    }

    @Test("Failures and delays")
    @MainActor
    func failures() async throws {
        // begin Testing-faults
        let faults = FaultInjector()
        let store = try await TripStore.temporary(options: TripStore.Options(interceptor: faults))
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let form = Form(store, lisbon)  // of your app

        faults.failWrites(with: CocoaError(.fileWriteOutOfSpace))
        await form.save("Porto")
        #expect(form.problem is CocoaError)
        #expect(try store.trip(lisbon)?.name == "Lisbon")
        // end

        // begin Testing-delays
        faults.holdWrites()
        let saving = Task { await form.save("Porto") }
        await faults.untilHeld()
        #expect(form.isSaving)
        faults.releaseWrites()
        await saving.value
        #expect(!form.isSaving)
        // end
        #expect(try store.trip(lisbon)?.name == "Porto")
    }

    @Test("Laws of projections, and invariants")
    func laws() async throws {
        // begin Testing-laws
        let byName = EntityProjection<Trip>("by-name", version: 1) { trip, sink in
            sink.put(Array(trip.name.utf8.prefix(200)) + [0] + trip.id.uuid.bytes)
        }
        #expect(try await ProjectionLaws.violations(of: [byName]).isEmpty)
        // end

        // begin Testing-broken
        let careless = EntityProjection<Trip>("by-name", version: 1) { trip, sink in
            sink.put(Array(trip.name.utf8.prefix(200)))  // two trips of one name, and one without a name
        }
        let violations = try await ProjectionLaws.violations(of: [careless], seeds: [1])
        #expect(!violations.isEmpty)  // each says which law, which view, which seed, and how
        // end

        // begin Testing-invariants
        let store = try await TripStore.sample(trips: 3)
        #expect(try await store.violatedInvariants().isEmpty)
        // end
        for violation in violations { print(violation) }
    }
}
