import StoreSupport
import Testing
import TripStore
import TripStoreTestSupport

@Suite("Failures and delays on demand")
struct FaultInjectorTests {
    private struct Failure: Error {}

    private func store(_ faults: FaultInjector) async throws -> TripStore {
        try await TripStore.temporary(
            options: TripStore.Options(mapSize: 1 << 30, dependencies: ManualClock().dependencies).intercepted(
                by: faults))
    }

    @Test("A write fails as often as configured, writes nothing then, and works again")
    func writes() async throws {
        let faults = FaultInjector()
        let store = try await store(faults)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let position = try store.status().position
        faults.failWrites(with: Failure(), times: 2)
        await #expect(throws: Failure.self) { try await store.edit(lisbon) { $0.name = "Porto" } }
        await #expect(throws: Failure.self) { try await store.undo(.last(by: "")) }
        #expect(try store.status().position == position)
        try await store.edit(lisbon) { $0.name = "Porto" }
        #expect(try store.trip(lisbon)?.name == "Porto")
        #expect(faults.writes == 4)
        try await store.expectInvariants()
    }

    @Test("A query fails likewise, a live one is over then, and a model says why")
    func reads() async throws {
        let faults = FaultInjector()
        let store = try await store(faults)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let reads = faults.reads
        #expect(try store.trip(lisbon)?.name == "Lisbon")
        #expect(faults.reads == reads + 1)
        faults.failReads(with: Failure(), times: 2)
        #expect(throws: Failure.self) { try store.trip(lisbon) }
        #expect(throws: Failure.self) { try store.trips() }
        var query = store.live(lisbon).makeAsyncIterator()
        #expect(try await query.next()??.name == "Lisbon")
        // By an event, which reads nothing first.
        try await store.append([TripEvent(.edited, lisbon, [.set(\.name, "Faro")])])
        faults.failReads(with: Failure())
        await #expect(throws: Failure.self) { _ = try await query.next() }
        #expect(try store.trip(lisbon)?.name == "Faro")
        try await store.expectInvariants()
    }

    @Test("Held writes wait until they are released")
    func held() async throws {
        let faults = FaultInjector()
        let store = try await store(faults)
        faults.holdWrites()
        async let first = store.create(Trip(name: "a"))
        async let second = store.create(Trip(name: "b"))
        await faults.untilHeld(2)
        #expect(try store.status().position == .start)
        faults.releaseWrites()
        _ = try await (first, second)
        #expect(try store.status().trips == 2)
        try await store.expectInvariants()
    }

    @Test("A delay is taken from the test's clock")
    func delay() async throws {
        let clock = StepClock()
        let faults = FaultInjector(clock: clock)
        let store = try await store(faults)
        faults.delayWrites(by: .seconds(3600))
        async let created = store.create(Trip(name: "a"))
        await clock.untilAsleep()
        #expect(try store.status().position == .start)
        clock.wake()
        _ = try await created
        #expect(try store.status().trips == 1)
        try await store.expectInvariants()
    }
}

@Suite("Sample stores")
struct SampleTests {
    @Test("They have as many trips as asked for, with items of every kind, the same for the same seed")
    func samples() async throws {
        let options = TripStore.Options(mapSize: 1 << 30, dependencies: ManualClock().dependencies)
        let store = try await TripStore.sample(trips: 20, seed: 7, options: options)
        let same = try await TripStore.sample(trips: 20, seed: 7, options: options)
        let page = try store.trips(.dated, limit: 100)
        #expect(page.rows.count == 20)
        #expect(page.rows.map(\.trip.id) == (try same.trips(.dated, limit: 100)).rows.map(\.trip.id))
        for row in page.rows {
            let items = try store.items(of: row.id)
            #expect(Set(items.map(\.kind)) == EntityKind.itemKinds)
            #expect(items.allSatisfy { !$0.name.isEmpty })
            #expect(!row.costs.isEmpty)
        }
        #expect(try store.organizations().count == 4)
        try await store.expectInvariants()
    }

    @Test("A broken invariant is named")
    func invariants() async throws {
        let store = try await TripStore.sample(trips: 2, options: TripStore.Options(mapSize: 1 << 30))
        #expect(try await store.violatedInvariants() == [])
    }
}
