import Foundation
import Logging
import StoreSupport
import TestSupport
import Testing
import TripStore
import Trips

@Suite("The cache of decoded results")
struct CacheTests {
    @Test("An event on one trip leaves the other trips' results in place (V6)")
    func exactness() async throws {
        let store = try await TripStore.test()
        var trips: [Trip.ID] = []
        for number in 0..<30 {
            let day = Day(2027, 1, 1).advanced(by: number)
            trips.append(try await store.create(Trip(name: "\(number)", days: day...day)))
            try await store.create(Activity(name: "Tram", in: trips[number], from: .sample(number)))
        }
        func readAll() throws {
            for trip in trips {
                _ = try store.activities(of: trip)
                _ = try store.items(of: trip)
                _ = try store.totals(of: trip)
            }
        }
        try readAll()
        let before = store.cacheStatistics
        #expect(before.entries == 90)
        try readAll()
        #expect(store.cacheStatistics.hits == before.hits + 90)
        #expect(store.cacheStatistics.misses == before.misses)

        // The activities, the items and the totals all ask whether the trip is there; nothing of another trip does.
        try await store.edit(trips[7]) { $0.name = "seven" }
        #expect(try store.trip(trips[7])?.name == "seven")
        #expect(try store.totals(of: trips[7]).itemCount == 1)
        #expect(store.cacheStatistics.dropped == before.dropped + 3)
        #expect(store.cacheStatistics.entries == 88)
        try await store.create(Activity(name: "Castle", in: trips[8], from: .sample(1)))
        #expect(try store.items(of: trips[8]).count == 2)
        #expect(store.cacheStatistics.dropped == before.dropped + 6)
        try await store.expectInvariants()
    }

    @Test("An edit drops the pages that show the trip, though it keeps its place in the list, and no other page (V6)")
    func pages() async throws {
        let store = try await TripStore.test()
        let days = (0..<20).map { Day(2027, 1, 1).advanced(by: $0) }
        let trips = try await days.asyncMap { try await store.create(Trip(name: "\($0)", days: $0...$0)) }
        let queries: [Query<Trip>] = [
            .starting(in: days[2]..<days[6]), .starting(in: days[2]..<days[6]).reversed,
            .overlapping(days[2]..<days[6]), .starting(in: days[8]..<days[12]), .overlapping(days[8]..<days[12]),
        ]
        for query in queries { _ = try store.trips(query) }
        let before = store.cacheStatistics
        #expect(before.entries == queries.count)
        try await store.edit(trips[4]) { $0.notes = "other notes" }
        for query in queries.prefix(3) {
            #expect(try store.trips(query).rows.first { $0.id == trips[4] }?.trip.notes == "other notes")
        }
        #expect(store.cacheStatistics.dropped == before.dropped + 3)
        _ = try queries.map { try store.trips($0) }
        #expect(store.cacheStatistics.misses == before.misses + 3)
        try await store.expectInvariants()
    }

    @Test("A result from the cache equals one read anew, under random events", arguments: Seeds.some(8))
    func truth(seed: UInt64) async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: seed))
        var writer = RandomWriter(seed: seed)
        let queries: [Query<Trip>] = [
            .dated, .dated.reversed, .undated, .starting(in: Day(2027, 1, 10)..<Day(2027, 2, 1)),
            .overlapping(Day(2027, 2, 1)..<Day(2027, 2, 10)), .overlapping(Day(2027, 2, 1)..<Day(2027, 2, 2)).reversed,
        ]
        for _ in 0..<100 {
            try await writer.write(to: store)
            for query in queries {
                let cached = try store.trips(query, limit: 5)
                let fresh = try store.read { try $0.trips(query, limit: 5) }
                #expect(cached == fresh)
                if let next = cached.next {
                    #expect(
                        try store.trips(query, limit: 5, after: next)
                            == store.read { try $0.trips(query, limit: 5, after: next) })
                }
            }
            for trip in writer.trips {
                #expect(try store.trip(trip) == store.read { try $0.entity(trip) })
                #expect(try store.items(of: trip).rows == store.read { try $0.items(of: trip).rows })
                #expect(try store.totals(of: trip) == store.read { try $0.totals(of: trip) })
            }
            for activity in writer.activities {
                #expect(try store.entity(activity) == store.read { try $0.entity(activity) })
            }
        }
        let statistics = store.cacheStatistics
        #expect(statistics.hits > statistics.misses)
        try await store.expectInvariants()
    }

    @Test("That there is none is cached as well, and dropped when there is one")
    func absence() async throws {
        let store = try await TripStore.test()
        let trip = Trip(name: "Lisbon")
        #expect(try store.items(of: trip.id).isEmpty)
        #expect(try store.items(of: trip.id).isEmpty)
        #expect(store.cacheStatistics.hits == 1)
        try await store.append([.created(trip), .created(Activity(name: "Tram", in: trip.id))])
        #expect(try store.items(of: trip.id).map(\.name) == ["Tram"])
        try await store.expectInvariants()
    }

    @Test("A change through another handle is seen, and a rebuild drops everything")
    func otherHandles() async throws {
        let folder = TemporaryFolder()
        let store = try await TripStore.test(at: folder.url)
        let other = try await TripStore.test(at: folder.url)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        func names(_ store: TripStore) throws -> [String] { try store.trips(.undated).rows.map(\.trip.name) }
        #expect(try names(store) == ["Lisbon"])
        #expect(try names(other) == ["Lisbon"])
        #expect(try names(other) == ["Lisbon"])
        #expect(other.cacheStatistics.hits == 1)
        try await other.edit(lisbon) { $0.name = "Porto" }
        #expect(try names(store) == ["Porto"])
        #expect(try store.trip(lisbon)?.name == "Porto")
        try await store.rebuildViews()
        #expect(try names(store) == ["Porto"])
        #expect(try names(other) == ["Porto"])
        #expect(try other.trip(lisbon)?.name == "Porto")
        try await store.expectInvariants()
    }

    @Test("What is kept stays under its bound, and what was used longest ago makes room")
    func bound() async throws {
        var options = TripStore.Options(mapSize: 1 << 30, cacheLimit: 40_000)
        options.logger.logLevel = .critical
        let store = try await TripStore.temporary(options: options)
        var trips: [Trip.ID] = []
        for number in 0..<200 {
            let trip = Trip(name: "\(number)")
            let notes = String(repeating: "x", count: 200)
            try await store.append([.created(trip), .created(Activity(name: "Tram", in: trip.id, notes: notes))])
            trips.append(trip.id)
        }
        for trip in trips {
            _ = try store.items(of: trip)
            _ = try store.items(of: trips[0])
            #expect(store.cacheStatistics.bytes <= 40_000)
        }
        #expect(store.cacheStatistics.entries > 10)
        #expect(store.cacheStatistics.entries < 100)
        let hits = store.cacheStatistics.hits
        _ = try store.items(of: trips[0])
        #expect(store.cacheStatistics.hits == hits + 1)
        _ = try store.items(of: trips[1])
        #expect(store.cacheStatistics.hits == hits + 1)
        try await store.expectInvariants()
    }

    @Test("A small result of many rows is kept where what it read is too much to keep, until any of its views changes")
    func widened() async throws {
        var options = TripStore.Options(mapSize: 1 << 30, cacheLimit: 40_000)
        options.logger.logLevel = .critical
        let store = try await TripStore.temporary(options: options)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        try await store.create((0..<300).map { Activity(name: "Tram \($0)", in: lisbon, notes: "x") })
        let noted = Query<Activity>().where { $0.trip == lisbon && $0.notes == "x" }
        for _ in 0..<2 { #expect(try store.count(noted) == 300) }
        #expect(store.cacheStatistics.hits == 1)
        #expect(store.cacheStatistics.bytes < 10_000)
        // Entities of another trip lie in the same views.
        try await store.create(Trip(name: "Porto"))
        #expect(try store.count(noted) == 300)
        #expect(store.cacheStatistics.hits == 1)
        #expect(store.cacheStatistics.dropped > 0)
        try await store.expectInvariants()
    }

    @Test("Readers on many threads see what was written before they asked")
    func threads() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "0"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    var last = 0
                    while last < 200 {
                        let number = Int(try store.trip(lisbon)?.name ?? "") ?? -1
                        #expect(number >= last)
                        last = number
                        await Task.yield()
                    }
                }
            }
            group.addTask {
                for number in 1...200 {
                    try await store.edit(lisbon) { $0.name = "\(number)" }
                    #expect(try store.trip(lisbon)?.name == "\(number)")
                }
            }
            try await group.waitForAll()
        }
        try await store.expectInvariants()
    }
}
