import Foundation
import Logging
import StoreSupport
import TestSupport
import Testing

@testable import ProjectionEngine
@testable import TripStore
@testable import Trips

@Suite("Indexes that a store makes once queries lack them")
struct DemandedIndexTests {
    private static let trams = Organization(name: "Trams")
    private static let name = "activity by organization"
    private static let query = Query<Activity>().where { $0.organization == trams.id }

    /// One activity in a thousand names an organization.
    private static func store(activities count: Int) async throws -> TripStore {
        var options = TripStore.Options(mapSize: 1 << 30, dependencies: ManualClock().dependencies)
        options.logger.logLevel = .critical
        let store = try await TripStore.temporary(options: options)
        let trip = try await store.create(Trip(name: "Lisbon"))
        try await store.create(trams)
        try await store.create(
            (0..<count).map { Activity(name: "Tram", in: trip, organization: $0 % 1_000 == 0 ? trams.id : nil) })
        return store
    }

    private static func made(_ store: TripStore) throws -> [String] { try store.status().indexes.map(\.name) }

    @Test("A query that looks at thousands of entities gets its index, made beside the views that serve")
    func many() async throws {
        let store = try await Self.store(activities: 5_000)
        #expect(try !Self.made(store).contains(Self.name))
        let scan = try store.explain(Self.query)
        #expect(scan.index == nil && scan.rowsLookedAt == 5_000 && scan.rowsGiven == 5)
        try await store.views.rebuild?.value
        #expect(try Self.made(store).filter { !Index.builtIn.map(\.name).contains($0) } == [Self.name])
        let found = try store.explain(Self.query)
        #expect(found.index == Self.name && found.rowsLookedAt == 5 && found.rowsGiven == 5)
        let trip = try #require(try store.trips(.undated).first).trip.id
        try await store.create(Activity(name: "Ferry", in: trip, organization: Self.trams.id))
        #expect(try store.count(Self.query) == 6)
        try await store.rebuildViews()
        #expect(try store.explain(Self.query).index == Self.name)
        try await store.expectInvariants()
    }

    @Test("A query of few entities makes none, unless it is refused for want of one")
    func few() async throws {
        let store = try await Self.store(activities: 50)
        #expect(try store.count(Self.query) == 1)
        await store.views.awaitTurn()
        #expect(await store.views.rebuild == nil)
        #expect(try store.explain(Self.query).index == nil)
        let error = #expect(throws: TripStoreError.self) { try store.fetch(Self.query.scanning(atMost: 10)) }
        #expect(error?.code == .needsIndex)
        try await store.views.rebuild?.value
        #expect(try store.fetch(Self.query.scanning(atMost: 10)).count == 1)
        try await store.expectInvariants()
    }
}
