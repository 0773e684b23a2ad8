import Events
import Foundation
import RandomQuestions
import StoreSupport
import TestSupport
import Testing

@testable import TripStore
@testable import Trips

@Suite("Queries whose condition names entities, or their parents")
struct ListedEntitiesTests {
    /// Two trips with activities and bags, of which one has a lodging as well.
    private struct Sample {
        let store: TripStore
        let lisbon: Trip.ID
        let porto: Trip.ID
        let trams: [Activity.ID]

        init(_ indexes: [Index] = [], trams count: Int = 20) async throws {
            var options = TripStore.Options(
                mapSize: 1 << 30, schema: [Bag.schema], dependencies: ManualClock().dependencies)
            options.indexes = indexes
            store = try await TripStore.temporary(options: options)
            let (lisbon, porto) = (Trip(name: "Lisbon"), Trip(name: "Porto"))
            try await store.create([lisbon, porto])
            (self.lisbon, self.porto) = (lisbon.id, porto.id)
            let planned = (0..<count).map { number in
                var tram = Activity(name: "Tram \(number)", in: lisbon.id)
                tram.start = Moment(milliseconds: Int64(count - number), zone: "UTC")
                tram.notes = number.isMultiple(of: 2) ? "even" : ""
                return tram
            }
            trams = planned.map(\.id)
            try await store.create(planned)
            try await store.create((0..<30).map { Activity(name: "Port \($0)", in: porto.id) })
            try await store.create(Lodging(name: "Inn", in: lisbon.id))
            for trip in [lisbon.id, porto.id] {
                var bag = Bag(id: .new())
                (bag.label, bag.trip) = ("bag", trip)
                try await store.create(bag)
            }
        }
    }

    @Test("Items of a trip are looked up under it, in any order and page by page")
    func items() async throws {
        let sample = try await Sample()
        let store = sample.store
        let even = Query<Activity>().where { $0.trip == sample.lisbon && $0.notes == "even" }
        let found = try store.explain(even.sorted(by: \.name))
        #expect(found.index == "items by trip" && found.rowsLookedAt == 20 && found.rowsGiven == 10)
        #expect(try store.count(even) == 10)
        #expect(try store.count(Query<Activity>().where { $0.trip.isOne(of: [sample.lisbon, sample.porto]) }) == 50)
        let names = try store.fetch(even.sorted(by: \.start)).map(\.name)
        #expect(names == stride(from: 18, through: 0, by: -2).map { "Tram \($0)" })
        for query in [even, even.sorted(by: \.start), even.sorted(by: \.name, .descending)] {
            var (ids, cursor): ([Activity.ID], PageCursor?) = ([], nil)
            repeat {
                let page = try store.fetch(query.limit(3), after: cursor)
                ids += page.map(\.id)
                cursor = page.next
            } while cursor != nil
            #expect(ids == (try store.ids(query)) && Set(ids).count == 10)
        }
        // Those that name no trip lie under none.
        #expect(try store.explain(Query<Activity>().where { $0.trip == nil }).index == nil)
        try await store.delete(sample.lisbon)
        #expect(try store.count(even) == 0)
        try await store.expectInvariants()
    }

    @Test("Entities of an app's kind are looked up under their parent")
    func children() async throws {
        let sample = try await Sample()
        let bags = Query<Bag>().where { $0.trip == sample.lisbon }
        let found = try sample.store.explain(bags)
        #expect(found.index == "entities by parent" && found.rowsLookedAt == 1 && found.rowsGiven == 1)
        let both = Query<Bag>().where { $0.trip.isOne(of: [sample.lisbon, sample.porto, .new()]) }
        #expect(try sample.store.count(both) == 2 && sample.store.explain(both).rowsLookedAt == 2)
        try await sample.store.delete(sample.lisbon)
        #expect(try sample.store.count(both) == 1 && sample.store.fetch(bags).rows.isEmpty)
        try await sample.store.expectInvariants()
    }

    @Test("Entities of some ids are looked up by these, in the query's order, each once; others are none")
    func ids() async throws {
        let sample = try await Sample()
        let (store, trams) = (sample.store, sample.trams)
        let wanted = [trams[7], trams[3], trams[7], .new(), Activity.ID(sample.porto.uuid)]
        let query = Query<Activity>().where { $0.id.isOne(of: wanted) }
        let found = try store.explain(query)
        #expect(found.index == "entities by id" && found.rowsLookedAt == 4 && found.rowsGiven == 2)
        #expect(try store.ids(query) == [trams[3], trams[7]].sorted())
        #expect(try store.ids(query.sorted(by: \.start)) == [trams[7], trams[3]])
        #expect(try store.ids(Query<Activity>().where { $0.id.isOne(of: []) }) == [])
        #expect(try store.count(query.where { $0.notes == "even" }) == 0)
        try await store.delete(trams[3])
        #expect(try store.ids(query) == [trams[7]])
        try await store.expectInvariants()
    }

    @Test("Another trip's event leaves what was found under a trip standing, and one of its own does not")
    func cached() async throws {
        let sample = try await Sample()
        let store = sample.store
        let query = Query<Activity>().where { $0.trip == sample.lisbon && $0.notes == "even" }
        #expect(try store.fetch(query).count == 10)
        let before = store.cacheStatistics
        try await store.create(Activity(name: "Port", in: sample.porto))
        try await store.edit(sample.porto) { $0.name = "Oporto" }
        #expect(try store.fetch(query).count == 10)
        #expect(store.cacheStatistics.hits == before.hits + 1)
        var tram = Activity(name: "Tram", in: sample.lisbon)
        tram.notes = "even"
        try await store.create(tram)
        #expect(try store.fetch(query).count == 11)
        #expect(store.cacheStatistics.hits == before.hits + 1)
        try await store.expectInvariants()
    }

    @Test("An index that has the page in order is taken first, and one that is shorter than the trip")
    func planned() async throws {
        let sample = try await Sample([Index(on: \Activity.trip).then(\Activity.start), Index(on: \Activity.name)])
        let store = sample.store
        let page = Query<Activity>().where { $0.trip == sample.lisbon }.sorted(by: \.start).limit(5)
        let ordered = try store.explain(page)
        #expect(ordered.index == "activity by trip, start" && ordered.rowsLookedAt == 6)
        let named = Query<Activity>().where { $0.trip == sample.lisbon && $0.name == "Tram 3" }
        #expect(try store.explain(named).index == "activity by name")
        try await store.expectInvariants()
    }

    @Test("Choosing a route breaks no bound, and no limit is too large for it")
    func bounds() async throws {
        let sample = try await Sample(trams: 600)
        let rare = Query<Activity>().where { $0.trip == sample.porto && $0.notes == "" }.sorted(by: \.start)
        #expect(try sample.store.fetch(rare.limit(.max)).count == 30)
        #expect(try sample.store.fetch(rare.limit(20).scanning(atMost: 5)).count == 20)
        try await sample.store.expectInvariants()
    }

    @Test("A page of a trip with very many items goes by the order of an index")
    func many() async throws {
        let sample = try await Sample(trams: 2_100)
        let page = Query<Activity>().where { $0.trip == sample.lisbon }.sorted(by: \.start).limit(5)
        let found = try sample.store.explain(page)
        #expect(found.index == "activity by start" && found.rowsLookedAt < 100)
        try await sample.store.expectInvariants()
    }
}
