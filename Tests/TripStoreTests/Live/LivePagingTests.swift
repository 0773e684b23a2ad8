import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Models that load more", .timeLimit(.minutes(10)))
@MainActor
struct LivePagingTests {
    /// Trips on days of May, named after them.
    private func write(_ days: [Int], to store: TripStore) async throws {
        for day in days { try await store.create(trip(day)) }
    }

    private func trip(_ day: Int) -> Trip { Trip(name: "\(day)", days: Day(2027, 5, day)...Day(2027, 5, day)) }

    private func days(_ model: LiveModel<LiveRows<TripRow>>) -> [Int] { model.rows.compactMap { Int($0.trip.name) } }

    @Test("Each call reads a page more, until there is none")
    func pages() async throws {
        let store = try await TripStore.test()
        try await write(Array(1...8), to: store)
        let model = LiveModel(store.live(.trips(.dated, limit: 3)))
        #expect(days(model) == [1, 2, 3] && model.hasMore)
        model.loadMore()
        #expect(days(model) == Array(1...6) && model.hasMore)
        #expect(model.latest?.changes.inserted == model.rows[3...].map(\.id))
        model.loadMore()
        #expect(days(model) == Array(1...8) && !model.hasMore)
        let refreshes = model.refreshes
        model.loadMore()
        #expect(days(model) == Array(1...8) && model.refreshes == refreshes)
        // A row that is added behind the last one belongs to its page.
        try await write([9], to: store)
        await until { days(model) == Array(1...9) }
        #expect(!model.hasMore)
        try await store.expectInvariants()
    }

    @Test("Rows that come in before the newest page push none out of the list")
    func insertions() async throws {
        let store = try await TripStore.test()
        try await write([2, 4, 6, 8, 10, 12], to: store)
        let model = LiveModel(store.live(.trips(.dated, limit: 2)))
        model.loadMore()
        #expect(days(model) == [2, 4, 6, 8])
        try await write([1, 3], to: store)
        await until { model.rows.count == 6 }
        #expect(days(model) == [1, 2, 3, 4, 6, 8])
        model.loadMore()
        #expect(days(model) == [1, 2, 3, 4, 6, 8, 10, 12] && !model.hasMore)
        try await store.expectInvariants()
    }

    @Test("When all rows that are shown go, those behind them are shown")
    func deletions() async throws {
        let store = try await TripStore.test()
        try await write(Array(1...8), to: store)
        let model = LiveModel(store.live(.trips(.dated, limit: 2)))
        model.loadMore()
        let shown = model.rows.map(\.id)
        try await store.commit { commit in
            for id in shown { commit.delete(id) }
        }
        await until { days(model) == [5, 6] }
        #expect(model.hasMore)
        try await store.expectInvariants()
    }

    @Test("A page that cannot be read leaves the rows, and is read when it is tried again")
    func failure() async throws {
        let outage = Outage()
        let store = try await TripStore.test(outage)
        try await write(Array(1...4), to: store)
        let model = LiveModel(store.live(.trips(.dated, limit: 2)))
        outage.begin()
        model.loadMore()
        #expect(days(model) == [1, 2] && model.phase.name == "failed: the medium is gone")
        outage.end()
        model.retry()
        #expect(days(model) == Array(1...4) && model.phase.name == "loaded")
        try await store.expectInvariants()
    }

    @Test("A query that begins with a cursor goes on from there and shows nothing before it")
    func fromCursor() async throws {
        let store = try await TripStore.test()
        try await write(Array(1...6), to: store)
        let cursor = try store.trips(.dated, limit: 2).next
        let model = LiveModel(store.live(.trips(.dated, limit: 2, after: cursor)))
        model.loadMore()
        #expect(days(model) == [3, 4, 5, 6])
        try await store.expectInvariants()
    }

    @Test("Rows without pages have no more to load")
    func withoutPages() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(trip(1))
        try await store.create(Activity(name: "Tram", in: lisbon, from: .sample(1)))
        let model = LiveModel(store.live(.items(of: lisbon)))
        model.loadMore()
        #expect(model.rows.count == 1 && !model.hasMore && model.refreshes == 1)
        try await store.expectInvariants()
    }

    private nonisolated static let queries: [Query<Trip>] = {
        let days = Day(2027, 1, 20)..<Day(2027, 3, 1)
        let queries: [Query<Trip>] = [.dated, .undated, .starting(in: days), .overlapping(days)]
        return queries + queries.map(\.reversed)
    }()

    @Test(
        "Under random events the list is every row up to where the page was asked for, and one page",
        arguments: queries, Seeds.some(2))
    func randomEvents(query: Query<Trip>, seed: UInt64) async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: seed))
        var writer = RandomWriter(seed: seed)
        while try store.trips(query, limit: 6).rows.count < 6 { try await writer.write(to: store) }
        let model = LiveModel(store.live(.trips(query, limit: 3)))
        let cursor = try #require(model.latest?.next)
        model.loadMore()
        for _ in 0..<60 {
            try await writer.write(to: store)
            let all = try store.trips(query, limit: 1000).rows
            let behind = try store.trips(query, limit: 1000, after: cursor).rows
            let expected = Array(all.dropLast(behind.count) + behind.prefix(3))
            await until { model.rows == expected && model.hasMore == (behind.count > 3) }
        }
        try await store.expectInvariants()
    }

    @Test(
        "A query's model reads its pages, too: in the order of an index, and sorted",
        arguments: [
            Query<Trip>().sorted(by: \.startDay).limit(2), Query<Trip>().sorted(by: \.destination).limit(2),
            Query<Trip>().limit(2),
        ])
    func queries(query: Query<Trip>) async throws {
        let store = try await TripStore.test()
        // The order of days is that of destinations and of ids.
        func write(_ day: Int) async throws {
            var trip = Trip(id: Trip.ID(UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(day)))))
            (trip.name, trip.startDay, trip.endDay) = ("\(day)", Day(2027, 5, day), Day(2027, 5, day))
            trip.destination = day < 10 ? "0\(day)" : "\(day)"
            try await store.create(trip)
        }
        for day in [2, 4, 6, 8, 10, 12] { try await write(day) }
        let model = LiveModel(store.live(query))
        func days() -> [Int] { model.rows.compactMap { Int($0.name) } }
        #expect(days() == [2, 4] && model.hasMore)
        model.loadMore()
        #expect(days() == [2, 4, 6, 8] && model.hasMore)
        for day in [1, 3] { try await write(day) }
        await until { model.rows.count == 6 }
        #expect(days() == [1, 2, 3, 4, 6, 8] && model.hasMore)
        model.loadMore()
        #expect(days() == [1, 2, 3, 4, 6, 8, 10, 12] && !model.hasMore)
        try await store.expectInvariants()
    }

    @Test(
        "A query that may look at all of many entities runs on another thread; one with an index, or in a small store, does not"
    )
    func threads() async throws {
        let store = try await TripStore.test()
        let noted = Query<Trip>().where { $0.notes == "x" }
        #expect(!store.live(noted).isScan)
        try await store.create((0..<1_001).map { Trip(name: "\($0)") })
        #expect(store.live(noted).isScan)
        #expect(store.live(noted.sorted(by: \.startDay).limit(5)).isScan)
        #expect(store.live(Query<Trip>().sorted(by: \.startDay).limit(5)).isScan)
        #expect(store.live(.undated).isScan && !store.live(.undated.limit(5)).isScan)
        #expect(!store.live(.starting(in: Day(2027, 5, 1)...Day(2027, 5, 2))).isScan)
        var options = TripStore.Options(mapSize: 1 << 30, dependencies: ManualClock().dependencies)
        options.indexes = [Index(on: \Trip.startDay)]
        let dated = try await TripStore.temporary(options: options)
        try await dated.create((0..<1_001).map { Trip(name: "\($0)") })
        #expect(!dated.live(Query<Trip>().sorted(by: \.startDay).limit(5)).isScan)
        #expect(!dated.live(Query<Trip>().where { $0.startDay == Day(2027, 5, 1) }).isScan)
        try await dated.expectInvariants()
        let model = LiveModel(store.live(noted))
        await until { model.latest != nil }
        let trip = Trip(name: "noted", notes: "x")
        try await store.create(trip)
        await until { model.rows.map(\.id) == [trip.id] }
        try await store.expectInvariants()
    }
}
