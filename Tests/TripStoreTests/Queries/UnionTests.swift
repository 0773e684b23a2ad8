import Foundation
import Logging
import StoreSupport
import TestSupport
import Testing
import TripStoreTestSupport
import Trips

@testable import TripStore

@Suite("Alternatives by several indexes")
struct UnionTests {
    private static let cost = Index(on: \Activity.cost)
    private static let reservation = Index(on: \Activity.reservation)
    private static let cheap = Money(minorUnits: 500, "EUR")

    private static func store(_ indexes: [Index]) async throws -> TripStore {
        var options = TripStore.Options(mapSize: 1 << 30, dependencies: ManualClock().dependencies)
        options.logger.logLevel = .critical
        options.indexes = indexes
        let store = try await TripStore.temporary(options: options)
        let trip = try await store.create(Trip(name: "Lisbon"))
        try await store.create(
            (0..<200).map {
                Activity(
                    name: "Tram \($0)", in: trip, cost: Money(minorUnits: Int64($0 * 100), "EUR"),
                    reservation: "R\($0 % 50)")
            })
        return store
    }

    private static let query = Query<Activity>().where { $0.cost < cheap || $0.reservation == "R3" }

    @Test("Alternatives of which each has an index are looked up in these, and what is in both is there once")
    func union() async throws {
        let store = try await Self.store([Self.cost, Self.reservation])
        let found = try store.fetch(Self.query.sorted(by: \.cost))
        #expect(found.map(\.name) == [0, 1, 2, 3, 4, 53, 103, 153].map { "Tram \($0)" })
        let explanation = try store.explain(Self.query)
        #expect(explanation.index == "activity by cost, and activity by reservation")
        #expect(explanation.rowsLookedAt == 9 && explanation.rowsGiven == 8)
        #expect(try store.count(Self.query) == 8)
        #expect(Set(try store.ids(Self.query)) == Set(found.map(\.id)))
        try await store.expectInvariants()
    }

    @Test("Pages of alternatives go on at their rows")
    func pages() async throws {
        let store = try await Self.store([Self.cost, Self.reservation])
        var (names, cursor): ([String], PageCursor?) = ([], nil)
        repeat {
            let page = try store.fetch(Self.query.sorted(by: \.cost, .descending).limit(3), after: cursor)
            names += page.map(\.name)
            cursor = page.next
        } while cursor != nil
        #expect(names == [153, 103, 53, 4, 3, 2, 1, 0].map { "Tram \($0)" })
        try await store.expectInvariants()
    }

    @Test("A scan is chosen where one alternative has no index, or they are longer together", arguments: [true, false])
    func scan(isLong: Bool) async throws {
        let store = try await Self.store([Self.cost, Self.reservation])
        let query =
            isLong
            ? Query<Activity>().where { $0.cost > Self.cheap || $0.reservation == "R3" }
            : Query<Activity>().where { $0.cost < Self.cheap || $0.notes == "none" }
        #expect(try store.explain(query).index == nil)
        #expect(try store.count(query) == (isLong ? 195 : 5))
        try await store.expectInvariants()
    }

    @Test("Sums, counts and ids of many entities are cached: what they read takes no room")
    func cached() async throws {
        var options = TripStore.Options(mapSize: 1 << 30, dependencies: ManualClock().dependencies)
        options.logger.logLevel = .critical
        // A quarter of it is less than what the queries read.
        options.cacheLimit = 64 << 10
        let store = try await TripStore.temporary(options: options)
        let trip = try await store.create(Trip(name: "Lisbon"))
        try await store.create(
            (0..<200).map { Activity(name: "Tram \($0)", in: trip, cost: Money(minorUnits: Int64($0), "EUR")) })
        let query = Query<Activity>().where { $0.cost != nil }
        for _ in 0..<2 {
            #expect(try store.groups(of: query, measuring: \.cost).first?.costs.first?.minorUnits == 19_900)
            #expect(try store.count(query) == 200)
            #expect(try store.ids(query).count == 200)
            #expect(try store.exists(query))
        }
        #expect(store.cacheStatistics.hits == 4)
        try await store.expectInvariants()
    }
}
