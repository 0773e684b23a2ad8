import Events
import Foundation
import Logging
import ProjectionEngine
import StoreSupport
import TestSupport
import Testing

@testable import TripStore
@testable import Trips

@Suite("Indexes")
struct IndexTests {
    private static func options(_ indexes: [Index] = [], _ clock: ManualClock = ManualClock()) -> TripStore.Options {
        var options = TripStore.Options(mapSize: 1 << 30, dependencies: clock.dependencies)
        options.logger.logLevel = .critical
        options.indexes = indexes
        return options
    }

    private static let cheap = Query<Activity>().where { $0.cost < Money(minorUnits: 1_000, "EUR") }
    private static let byCost = Index(on: \Activity.cost)

    private static func fill(_ store: TripStore, _ count: Int = 50) async throws {
        let trip = try await store.create(Trip(name: "Lisbon"))
        try await store.create(
            (0..<count).map {
                Activity(name: "Tram \($0)", in: trip, cost: Money(minorUnits: Int64($0 * 100), "EUR"))
            })
    }

    @Test("A query says by which index it is answered, and how many rows were looked at")
    func explained() async throws {
        let store = try await TripStore.temporary(options: Self.options([Self.byCost]))
        try await Self.fill(store)
        let found = try store.explain(Self.cheap.sorted(by: \.cost).limit(5))
        #expect(found.index == "activity by cost")
        #expect(found.rowsLookedAt == 6)
        #expect(found.rowsGiven == 5)
        #expect(!found.isSorted)
        let sorted = try store.explain(Self.cheap.sorted(by: \.name))
        #expect(sorted.index == "activity by cost" && sorted.rowsLookedAt == 10 && sorted.isSorted)
        let scan = try store.explain(Query<Activity>().where { $0.notes == "" })
        #expect(scan.index == nil && scan.rowsLookedAt == 50)
        try await store.expectInvariants()
    }

    @Test("One of no values is found without looking at a row")
    func none() async throws {
        let store = try await TripStore.temporary(options: Self.options([Self.byCost]))
        try await Self.fill(store)
        let found = try store.explain(Query<Activity>().where { $0.cost.isOne(of: []) }.sorted(by: \.cost).limit(3))
        #expect(found.index == "activity by cost" && found.rowsLookedAt == 0 && found.rowsGiven == 0)
    }

    @Test("Where no index serves it, a query that allows few rows is refused")
    func bounded() async throws {
        let store = try await TripStore.temporary(options: Self.options())
        try await Self.fill(store)
        #expect(try store.count(Self.cheap.scanning(atMost: 50)) == 10)
        let error = #expect(throws: TripStoreError.self) { try store.fetch(Self.cheap.scanning(atMost: 49)) }
        #expect(error?.code == .needsIndex)
        #expect(error?.message.contains("49") == true)
        try await store.expectInvariants()
    }

    @Test("So is one that an index puts in order alone, if it has to look at more for its page")
    func boundedInOrder() async throws {
        let store = try await TripStore.temporary(options: Self.options([Self.byCost]))
        try await Self.fill(store)
        let last = Query<Activity>().where { $0.name.contains("Tram 49") }.sorted(by: \.cost).limit(5)
        #expect(try store.fetch(last.scanning(atMost: 50)).count == 1)
        let error = #expect(throws: TripStoreError.self) { try store.fetch(last.scanning(atMost: 49)) }
        #expect(error?.code == .needsIndex)
        // A page that is found sooner is given.
        #expect(try store.fetch(Query<Activity>().sorted(by: \.cost).limit(5).scanning(atMost: 6)).count == 5)
        try await store.expectInvariants()
    }

    @Test(
        "A page goes on at its row among others of the same values, forwards and backwards, and reads no more than it gives"
    )
    func sameValues() async throws {
        let store = try await TripStore.temporary(options: Self.options([Index(on: \Activity.paid)]))
        try await Self.fill(store, 300)
        try await Self.expectPages(
            Query<Activity>().sorted(by: \.paid), Query<Activity>().sorted(by: \.paid, .descending), store: store)
        try await store.expectInvariants()
    }

    @Test("Large and small groups of equal values follow each other on pages in either direction, cleared ones last")
    func groups() async throws {
        let store = try await TripStore.temporary(options: Self.options([Self.byCost]))
        let trip = try await store.create(Trip(name: "Lisbon"))
        // Many of a value, few, many, many without one, and one more.
        for (cost, count) in [(1, 100), (2, 10), (3, 100), (nil, 100), (4, 1)] as [(Int64?, Int)] {
            try await store.create(
                (0..<count).map { number in
                    Activity(name: "Tram \(number)", in: trip, cost: cost.map { Money(minorUnits: $0, "EUR") })
                })
        }
        let query = Query<Activity>().sorted(by: \.cost)
        let ids = try store.read { try $0.ids(query) }
        #expect(ids.count == 311)
        try await Self.expectPages(query, Query<Activity>().sorted(by: \.cost, .descending), store: store)
        try await store.expectInvariants()
    }

    /// Page by page there are the same rows as at once.
    private static func expectPages(_ queries: Query<Activity>..., store: TripStore) async throws {
        for query in queries {
            for limit in [1, 20, 64, 150] {
                var (found, cursor): ([Activity], PageCursor?) = ([], nil)
                repeat {
                    let page = try store.fetch(query.limit(limit), after: cursor)
                    found += page.rows
                    cursor = page.next
                } while cursor != nil
                #expect(found == (try store.fetch(query).rows), "\(limit) a page")
            }
        }
    }

    @Test("A reversed order walks the index backwards, cleared values last, and further pages go on at their row")
    func reversed() async throws {
        let store = try await TripStore.temporary(options: Self.options([Self.byCost, Index(on: \Activity.paid)]))
        try await Self.fill(store, 300)
        let trip = try #require(try store.trips(.undated).first).trip.id
        try await store.create((0..<100).map { Activity(name: "Walk \($0)", in: trip) })
        let byCost = Query<Activity>().sorted(by: \.cost).reversed
        let byPaid = Query<Activity>().sorted(by: \.paid).reversed
        for query in [byCost, byPaid] {
            let found = try store.explain(query.limit(5))
            #expect(found.rowsLookedAt == 6 && found.rowsGiven == 5 && !found.isSorted)
        }
        #expect(try store.fetch(byCost.limit(2)).map(\.name) == ["Tram 299", "Tram 298"])
        #expect(try store.ids(byPaid) == store.ids(Query<Activity>()).reversed())
        let cheap = try store.explain(Self.cheap.sorted(by: \.cost).reversed.limit(3))
        #expect(cheap.index == "activity by cost" && cheap.rowsLookedAt == 4 && !cheap.isSorted)
        try await Self.expectPages(byCost, byPaid, store: store)
        // Half of the rows are before the page.
        let first = try store.fetch(byPaid.limit(200))
        try store.read { views in
            var run = try views.run(byPaid.limit(5), limit: 5)
            let start = try #require(first.next).sortValues(in: byPaid, run.query)
            _ = try run.forEachOfPage(after: start, through: nil, in: views) { _ in }
            #expect(run.rowsLookedAt == 6)
        }
        // Values in one direction and ids in the other are sorted after they are read.
        #expect(try store.explain(Query<Activity>().sorted(by: \.cost, .descending).reversed.limit(5)).isSorted)
        try await store.expectInvariants()
    }

    @Test("An entity with the id of a template or of a trip, and of another kind, is not hidden and hides nothing")
    func idsOfOtherKinds() async throws {
        let store = try await TripStore.temporary(options: Self.options([Self.byCost]))
        var template = Trip(name: "Model")
        template.isTemplate = true
        try await store.create(template)
        let museum = Organization(id: Identifier(template.id.uuid), name: "Museum")
        try await store.create(museum)
        #expect(try store.ids(Query<Organization>()) == [museum.id] && store.exists(Query<Organization>()))
        try await Self.fill(store, 3)
        let trip = try #require(try store.trips(.undated).first).trip.id
        try await store.create(Organization(id: Identifier(trip.uuid), name: "Trams"))
        try await store.delete(Organization.ID(trip.uuid))
        #expect(try store.count(Self.cheap) == 3 && store.fetch(Self.cheap).count == 3)
        #expect(try store.groups(of: Self.cheap).map(\.count) == [3])
        try await store.expectInvariants()
    }

    @Test("A page among many equal values reads no more than it gives")
    func fewRows() async throws {
        let store = try await TripStore.temporary(options: Self.options([Index(on: \Activity.paid)]))
        try await Self.fill(store, 300)
        for order in [QueryOrder.ascending, .descending] {
            let query = Query<Activity>().sorted(by: \.paid, order).limit(20)
            #expect(try store.explain(query).rowsLookedAt < 100)
        }
        try await store.expectInvariants()
    }

    @Test("An order with few matches in it is not walked where other conditions leave few rows")
    func chosen() async throws {
        let store = try await TripStore.temporary(options: Self.options([Index(on: \Activity.organization)]))
        try await Self.fill(store, 2_000)
        let organization = try await store.create(Organization(name: "Trams"))
        let all = try store.ids(Query<Activity>())
        try await store.edit(all) { $0.start = Moment(milliseconds: 1, zone: "UTC") }
        // They are the last in the order of time.
        try await store.edit(Array(all.prefix(600))) { activity in
            activity.organization = organization
            activity.start = Moment(milliseconds: 2, zone: "UTC")
        }
        let query = Query<Activity>().where { $0.organization == organization }.sorted(by: \.start).limit(20)
        #expect(try store.explain(query).index == "activity by organization")
        #expect(try store.explain(query).rowsLookedAt == 600)
        #expect(try store.explain(Query<Activity>().sorted(by: \.start).limit(20)).index == "activity by start")
        try await store.expectInvariants()
    }

    @Test("An index that is asked for later is made while the store is opened, and others keep it up to date")
    func later() async throws {
        let temporary = TemporaryFolder()
        do {
            let folder = temporary.url
            let clock = ManualClock()
            var store = try await TripStore.open(at: folder, options: Self.options([], clock))
            try await Self.fill(store)
            #expect(try store.explain(Self.cheap).index == nil)
            await store.close()
            store = try await TripStore.open(at: folder, options: Self.options([Self.byCost], clock))
            #expect(try store.explain(Self.cheap).index == "activity by cost")
            #expect(try store.count(Self.cheap) == 10)
            await store.close()
            // Another app, which does not know it.
            store = try await TripStore.open(at: folder, options: Self.options([], clock))
            try await Self.fill(store, 5)
            #expect(try store.count(Self.cheap) == 15)
            #expect(try store.explain(Self.cheap).index == "activity by cost")
            try await store.expectInvariants()
            // Views that are built again have it too.
            try await store.rebuildViews()
            #expect(try store.explain(Self.cheap).index == "activity by cost")
            try await store.expectInvariants()
            await store.close()
        }
    }

    @Test(
        "A change of one entity leaves the cached rows of another range of an index standing, and those of a scan not")
    func cached() async throws {
        let store = try await TripStore.temporary(options: Self.options([Self.byCost]))
        try await Self.fill(store)
        let dear = Query<Activity>().where { $0.cost > Money(minorUnits: 4_000, "EUR") }
        let scan = Query<Activity>().where { $0.notes == "" }
        _ = (try store.fetch(dear), try store.fetch(scan))
        let before = store.cacheStatistics
        let trip = try await store.create(Trip(name: "Porto"))
        try await store.create(Activity(name: "Cheap", in: trip, cost: Money(minorUnits: 1, "EUR")))
        _ = try store.fetch(dear)
        #expect(store.cacheStatistics.hits == before.hits + 1)
        _ = try store.fetch(scan)
        #expect(store.cacheStatistics.hits == before.hits + 1)
        try await store.expectInvariants()
    }

    @Test("In the past, too, a query is answered by an index")
    func past() async throws {
        let store = try await TripStore.temporary(options: Self.options([Self.byCost]))
        try await Self.fill(store)
        let position = try store.status().position
        try await Self.fill(store)
        let past = try await store.asOf(position)
        #expect(try past.count(Self.cheap) == 10)
        #expect(try past.explain(Self.cheap).index == "activity by cost")
        try await store.expectInvariants()
    }

    @Test(
        "What can have no index is refused, with why",
        arguments: [
            (Index(on: \Trip.effectiveEndDay), "no field"),
            (Index(on: \Trip.startDay, asPeopleDo: true), "no text"),
            (Index(on: \Trip.name).then(\Activity.name), "several kinds"),
            (Index(on: \Trip.name).then(\Trip.startDay).then(\Trip.endDay).then(\Trip.notes), "4 fields"),
        ])
    func refused(index: Index, reason: String) async throws {
        let error = await #expect(throws: TripStoreError.self) {
            _ = try await TripStore.temporary(options: Self.options([index]))
        }
        #expect(error?.code == .unusableOption)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test("Definitions are read as they were written, and those of other versions are not")
    func definitions() throws {
        for index in Index.builtIn + Index.onDemand + [Self.byCost] {
            #expect(IndexDefinition(index.bytes) == index.definition)
        }
        var other = Self.byCost.bytes
        other[0] += 1
        #expect(IndexDefinition(other) == nil)
        for count in 0..<Self.byCost.bytes.count {
            #expect(IndexDefinition(Array(Self.byCost.bytes.prefix(count))) == nil)
        }
    }
}
