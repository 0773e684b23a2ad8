import Observation
import ProjectionEngine
import StoreSupport
import Testing

@testable import TripStore

@Suite("Observable models of live queries", .timeLimit(.minutes(10)))
@MainActor
struct LiveModelTests {
    private func trip(_ name: String, _ day: Int) -> Trip {
        Trip(name: name, days: Day(2027, 5, day)...Day(2027, 5, day))
    }

    @Test("A model has its first rows at once, follows the store, and counts its refreshes")
    func follows() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(trip("Lisbon", 1))
        let model = LiveModel(store.live(.trips()))
        #expect(model.rows.map(\.trip.name) == ["Lisbon"])
        #expect(model.refreshes == 1)
        try await store.edit(lisbon) { $0.name = "Porto" }
        await until { model.refreshes == 2 }
        #expect(model.rows.map(\.trip.name) == ["Porto"])
        #expect(model.error == nil)
        try await store.expectInvariants()
    }

    @Test("A model distinguishes loading, no rows and some rows")
    func phases() async throws {
        let outage = Outage()
        let store = try await TripStore.test(outage)
        outage.begin(TripStoreError(.beingBuilt, "The views are being built."))
        let model = LiveModel(store.live(.trips()))
        #expect(model.phase.name == "loading")
        outage.end()
        let undated = try await store.create(Trip(name: "some day"))
        await until { model.phase.name == "empty" }
        try await store.edit(undated) { $0.startDay = Day(2027, 5, 1) }
        await until { model.phase.name == "loaded" }
        #expect(model.rows.map(\.id) == [undated])
        try await store.delete(undated)
        await until { model.phase.name == "empty" }
        try await store.expectInvariants()
    }

    @Test("A model that cannot read keeps its rows, says why, and goes on by itself when the store has news")
    func recovers() async throws {
        let outage = Outage()
        let store = try await TripStore.test(outage)
        let first = try await store.create(trip("first", 1))
        let model = LiveModel(store.live(.trips()))
        outage.begin()
        let second = try await store.create(trip("second", 2))
        await until { model.phase.name == "failed: the medium is gone" }
        #expect(model.rows.map(\.id) == [first])
        outage.end()
        let third = try await store.create(trip("third", 3))
        await until { model.rows.map(\.id) == [first, second, third] }
        #expect(model.phase.name == "loaded")
        try await store.expectInvariants()
    }

    @Test("A model that could not read recovers also where the result is the one that it has")
    func sameResult() async throws {
        let outage = Outage()
        let store = try await TripStore.test(outage)
        let lisbon = try await store.create(trip("Lisbon", 1))
        let model = LiveModel(store.live { try $0.entity(lisbon)?.name })
        outage.begin()
        for name in ["Porto", "Lisbon"] { try await store.append([TripEvent(.edited, lisbon, [.set(\.name, name)])]) }
        await until { model.error != nil }
        outage.end()
        try await store.create(trip("elsewhere", 2))
        await until { model.error == nil }
        #expect(model.latest == "Lisbon" && model.refreshes == 1)
        try await store.expectInvariants()
    }

    @Test("A model tries again on request, without waiting for a change, and follows the store from there")
    func retries() async throws {
        let outage = Outage()
        let store = try await TripStore.test(outage)
        let first = try await store.create(trip("first", 1))
        outage.begin()
        let model = LiveModel(store.live(.trips()))
        #expect(model.phase.name == "failed: the medium is gone" && model.rows.isEmpty)
        outage.begin(Outage.Failure(reason: "still gone"))
        model.retry()
        #expect(model.phase.name == "failed: still gone")
        outage.end()
        model.retry()
        #expect(model.phase.name == "loaded" && model.rows.map(\.id) == [first])
        // Without a failure there is nothing to try again.
        outage.begin()
        model.retry()
        #expect(model.phase.name == "loaded")
        outage.end()
        try await store.delete(first)
        await until { model.phase.name == "empty" }
        try await store.expectInvariants()
    }

    @Test("A model that goes ends its query and its task")
    func goes() async throws {
        let store = try await TripStore.test()
        var model: LiveModel<LiveRows<TripRow>>? = LiveModel(store.live(.trips()))
        weak let gone = model
        let task = try #require(model?.follower?.task)
        model = nil
        #expect(gone == nil)
        await task.value
        try await store.expectInvariants()
    }

    @Test("A model follows once, however often it tries again or loads more")
    func oneTask() async throws {
        let outage = Outage()
        let store = try await TripStore.test(outage)
        for day in 1...3 { try await store.create(trip("\(day)", day)) }
        let model = LiveModel(store.live(.trips(.dated, limit: 2)))
        let first = try #require(model.follower?.task)
        model.loadMore()
        await first.value
        let second = try #require(model.follower?.task)
        outage.begin()
        try await store.create(trip("4", 4))
        await until { model.error != nil }
        outage.end()
        model.retry()
        await second.value
        #expect(model.rows.count == 4)
        try await store.expectInvariants()
    }

    @Test("A model of a store that was closed says so, keeps its rows, and watches no longer")
    func closed() async throws {
        let store = try await TripStore.test()
        try await store.create(trip("Lisbon", 1))
        let model = LiveModel(store.live(.trips()))
        let task = try #require(model.follower?.task)
        await store.close()
        await until { model.error != nil }
        await task.value
        model.retry()
        #expect((model.error as? TripStoreError)?.code == .closed)
        #expect(model.rows.count == 1 && model.follower == nil)
    }
}
