import Observation
import StoreSupport
import Testing
import TripStore

@Suite("Observable models of live queries")
@MainActor
struct LiveModelTests {
    @Test("A model has its first rows at once, follows the store, and counts its refreshes")
    func follows() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 2)))
        let model = LiveModel(store.live(.dated))
        #expect(model.rows.map(\.trip.name) == ["Lisbon"])
        #expect(model.refreshes == 1)
        let (changes, change) = AsyncStream<Void>.makeStream()
        withObservationTracking {
            _ = model.rows
        } onChange: {
            change.yield()
        }
        try await store.edit(lisbon) { $0.name = "Porto" }
        for await _ in changes { break }
        // What observes is told just before the value is there.
        while model.refreshes < 2 { await Task.yield() }
        #expect(model.rows.map(\.trip.name) == ["Porto"])
        #expect(model.refreshes == 2)
        #expect(model.error == nil)
        try await store.expectInvariants()
    }

    @Test("A model that goes ends its query")
    func goes() async throws {
        let store = try await TripStore.test()
        weak var gone: LiveModel<LiveRows<TripRow>>?
        do {
            let model = LiveModel(store.live(.dated))
            gone = model
            #expect(model.refreshes == 1)
        }
        try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 2)))
        while gone != nil { await Task.yield() }
        try await store.expectInvariants()
    }

    @Test("A model of views that were closed says so")
    func closed() async throws {
        let store = try await TripStore.test()
        let model = LiveModel(store.live(.dated))
        await store.close()
        while model.error == nil { await Task.yield() }
        #expect("\(model.error.map { "\($0)" } ?? "")".contains("was closed"))
    }
}
