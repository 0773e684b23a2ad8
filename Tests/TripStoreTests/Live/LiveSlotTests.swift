import StoreSupport
import Testing
import TripStore

@Suite("Models of views", .timeLimit(.minutes(10)))
@MainActor
struct LiveSlotTests {
    @Test("A view keeps its model as long as it asks the same store for the same rows")
    func keeps() async throws {
        let store = try await TripStore.test()
        let other = try await TripStore.test()
        let slot = LiveSlot<TripRow>()
        let first = slot.model(of: .trips(limit: 2), in: store)
        #expect(slot.model(of: .trips(.dated, limit: 2), in: store) === first)
        let wider = slot.model(of: .trips(limit: 3), in: store)
        #expect(wider !== first)
        let reversed = slot.model(of: .trips(.dated.reversed, limit: 3), in: store)
        #expect(reversed !== wider)
        #expect(slot.model(of: .trips(.dated.reversed, limit: 3), in: other) !== reversed)
        try await store.expectInvariants()
    }

    @Test("A view that is given another trip shows that one's items, and the model of the first goes")
    func anotherTrip() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let porto = try await store.create(Trip(name: "Porto"))
        try await store.create(Activity(name: "Tram", in: lisbon, from: .sample(1)))
        try await store.create(Activity(name: "Bridge", in: porto, from: .sample(1)))
        let slot = LiveSlot<TripItem>()
        weak let first = slot.model(of: .items(of: lisbon), in: store)
        #expect(first?.rows.map(\.name) == ["Tram"])
        #expect(slot.model(of: .items(of: porto), in: store).rows.map(\.name) == ["Bridge"])
        #expect(first == nil)
        try await store.expectInvariants()
    }

    @Test("A view without a store is loading, and has its rows once the store is there")
    func storeThatComes() async throws {
        let slot = LiveSlot<TripRow>()
        let waiting = slot.model(of: .trips(.undated), in: nil)
        waiting.retry()
        waiting.loadMore()
        #expect(waiting.phase.name == "loading" && waiting.rows.isEmpty && !waiting.hasMore)
        #expect(slot.model(of: .trips(.undated), in: nil) === waiting)
        let store = try await TripStore.test()
        try await store.create(Trip(name: "Lisbon"))
        let model = slot.model(of: .trips(.undated), in: store)
        #expect(model.phase.name == "loaded" && model.rows.map(\.trip.name) == ["Lisbon"])
        try await store.expectInvariants()
    }

    @Test("Each request asks for what the query of its name returns")
    func requests() async throws {
        let store = try await TripStore.sample(trips: 4)
        let trip = try #require(try store.trips().rows.first).id
        let trips = LiveSlot<TripRow>().model(of: .trips(.dated.reversed, limit: 3), in: store)
        #expect(try trips.rows == store.trips(.dated.reversed, limit: 3).rows)
        let items = LiveSlot<TripItem>().model(of: .items(of: trip), in: store)
        #expect(try !items.rows.isEmpty && items.rows == Array(store.items(of: trip)))
        let activities = LiveSlot<Activity>().model(of: .activities(of: trip), in: store)
        #expect(try !activities.rows.isEmpty && activities.rows == Array(store.activities(of: trip)))
        let organizations = LiveSlot<Organization>().model(of: .organizations(limit: 2), in: store)
        #expect(try organizations.rows.count == 2 && organizations.rows == Array(store.organizations(limit: 2)))
        let unfiled = LiveSlot<TripItem>().model(of: .unfiledItems, in: store)
        #expect(try unfiled.phase.name == "empty" && store.unfiledItems().isEmpty)
        #expect(FetchRequest.items(of: trip) != .unfiledItems)
        #expect(FetchRequest.organizations(named: "A") != .organizations(named: "B"))
        let query = Query<Activity>().where { $0.trip == trip }.sorted(by: \.name).limit(2)
        let found = LiveSlot<Activity>().model(of: .rows(of: query), in: store)
        #expect(try !found.rows.isEmpty && found.rows == store.fetch(query).rows)
        let request = FetchRequest.rows(of: query)
        #expect(request == .rows(of: query) && request != .rows(of: query.limit(3)))
        #expect(request != .rows(of: query.where { $0.name == "A" }))
        try await store.expectInvariants()
    }
}
