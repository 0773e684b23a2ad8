import Foundation
import StoreSupport
import Synchronization
import TestSupport
import Testing
import TripStore

@Suite("Live queries")
struct LiveQueryTests {
    private static let may = Day(2027, 5, 1)..<Day(2027, 6, 1)

    private func trip(_ name: String, _ day: Int) -> Trip {
        Trip(name: name, days: Day(2027, 5, day)...Day(2027, 5, day))
    }

    @Test("A query returns rows at once, and then what was inserted, removed and changed")
    func changes() async throws {
        let store = try await TripStore.test()
        let first = try await store.create(trip("first", 1))
        var updates = store.live(.trips(.starting(in: Self.may))).makeAsyncIterator()

        var update = try #require(try await updates.next())
        #expect(update.rows.map(\.trip.name) == ["first"])
        #expect(update.changes.inserted == [first])

        let second = try await store.create(trip("second", 2))
        update = try #require(try await updates.next())
        #expect(update.rows.map(\.trip.name) == ["first", "second"])
        #expect(update.changes == RowChanges(from: [], to: update.rows.filter { $0.id == second }))

        try await store.edit(first) { $0.name = "renamed" }
        update = try #require(try await updates.next())
        #expect(update.changes.changed == [first])
        #expect(update.changes.inserted.isEmpty && update.changes.removed.isEmpty)

        // The totals of a trip are part of its row.
        try await store.create(Activity(name: "Tram", in: second, from: .sample(1), cost: Money("3.10", "EUR")))
        update = try #require(try await updates.next())
        #expect(update.changes.changed == [second])
        #expect(update.rows.last?.itemCount == 1)

        try await store.delete(first)
        update = try #require(try await updates.next())
        #expect(update.changes.removed == [first])
        #expect(update.rows.map(\.id) == [second])
        #expect(update.position == (try store.status().position))
        try await store.expectInvariants()
    }

    @Test("Nothing is emitted while the result stays the same, whatever else is written")
    func silence() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(trip("Lisbon", 1))
        let elsewhere = try await store.create(Trip(name: "elsewhere", days: Day(2028, 1, 1)...Day(2028, 1, 2)))
        var updates = store.live(.trips(.starting(in: Self.may))).makeAsyncIterator()
        _ = try await updates.next()
        let runs = Mutex(0)
        var counted = store.live { views in
            runs.withLock { $0 += 1 }
            return try views.entity(lisbon)?.name
        }.makeAsyncIterator()
        #expect(try await counted.next() == "Lisbon")

        // Writes that do not change the result: to another trip, to another field, and a change that is reverted.
        try await store.edit(elsewhere) { $0.notes = "nobody asks" }
        try await store.edit(lisbon) { $0.name = "Porto" }
        try await store.edit(lisbon) { $0.name = "Lisbon" }
        try await store.edit(elsewhere) { $0.notes = "still not" }
        try await store.edit(lisbon) { $0.name = "Faro" }
        let update = try #require(try await updates.next())
        #expect(update.rows.map(\.trip.name) == ["Faro"])
        #expect(try await counted.next() == "Faro")
        #expect(runs.withLock { $0 } == 2)
        try await store.expectInvariants()
    }

    @Test("A query that read nothing which changed is not even run again")
    func precision() async throws {
        let store = try await TripStore.test()
        let ids = try await (0..<20).asyncMap { try await store.create(trip("\($0)", $0 + 1)) }
        let runs = Mutex(0)
        var query = store.live { views in
            runs.withLock { $0 += 1 }
            return try views.items(of: ids[0]).count
        }.makeAsyncIterator()
        #expect(try await query.next() == 0)
        for id in ids.dropFirst() { try await store.create(Activity(name: "Tram", in: id, from: .sample(1))) }
        try await store.create(Activity(name: "Tram", in: ids[0], from: .sample(1)))
        #expect(try await query.next() == 1)
        #expect(runs.withLock { $0 } == 2)
        try await store.expectInvariants()
    }

    @Test("A consumer that does not look gets the newest result and holds up neither the writer nor another consumer")
    func slowConsumer() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(trip("0", 1))
        var slow = store.live(lisbon).makeAsyncIterator()
        var quick = store.live(lisbon).makeAsyncIterator()
        #expect(try await slow.next()??.name == "0")
        #expect(try await quick.next()??.name == "0")
        for number in 1...50 {
            try await store.edit(lisbon) { $0.name = "\(number)" }
            #expect(try await quick.next()??.name == "\(number)")
        }
        #expect(try await slow.next()??.name == "50")
        try await store.expectInvariants()
    }

    @Test("An entity's query says when it goes and comes")
    func comingAndGoing() async throws {
        let store = try await TripStore.test()
        let trip = Trip(name: "Lisbon")
        var query = store.live(trip.id).makeAsyncIterator()
        #expect(try await query.next() == .some(nil))
        try await store.create(trip)
        #expect(try await query.next()??.name == "Lisbon")
        try await store.delete(trip.id)
        #expect(try await query.next() == .some(nil))
        try await store.restore(trip.id)
        #expect(try await query.next()??.name == "Lisbon")
        try await store.expectInvariants()
    }

    @Test("An item's query notices that its trip was deleted")
    func hiddenItem() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(trip("Lisbon", 1))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon, from: .sample(1)))
        var query = store.live(tram).makeAsyncIterator()
        #expect(try await query.next()??.name == "Tram")
        try await store.delete(lisbon)
        #expect(try await query.next() == .some(nil))
        try await store.expectInvariants()
    }

    @Test("The history of an entity is live as well")
    func liveHistory() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(trip("Lisbon", 1))
        var query = store.live(historyOf: lisbon).makeAsyncIterator()
        #expect(try await query.next()?.count == 1)
        try await store.edit(lisbon) { $0.name = "Porto" }
        #expect(try await query.next()?.count == 2)
        try await store.expectInvariants()
    }

    @Test("A query ends when its task is cancelled")
    func cancellation() async throws {
        let store = try await TripStore.test()
        let (started, starts) = AsyncStream<Void>.makeStream()
        let task = Task {
            var count = 0
            for try await _ in store.live(.trips()) {
                count += 1
                starts.yield()
            }
            return count
        }
        for await _ in started { break }
        task.cancel()
        #expect(try await task.value == 1)
        try await store.expectInvariants()
    }

    @Test("Changes through another handle of the store are noticed, as those of another process are")
    func otherHandle() async throws {
        let folder = TemporaryFolder()
        let store = try await TripStore.test(at: folder.url)
        let other = try await TripStore.test(at: folder.url)
        var query = store.live(.trips()).makeAsyncIterator()
        #expect(try await query.next()?.rows.isEmpty == true)
        let lisbon = try await other.create(trip("Lisbon", 1))
        #expect(try await query.next()?.rows.map(\.id) == [lisbon])
        var reading = try await TripStore.open(at: folder.url, options: .readOnly).live(lisbon).makeAsyncIterator()
        #expect(try await reading.next()??.name == "Lisbon")
        try await other.edit(lisbon) { $0.name = "Porto" }
        #expect(try await reading.next()??.name == "Porto")
        try await store.expectInvariants()
    }

    @Test("A rebuild of the views is no change")
    func rebuild() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(trip("Lisbon", 1))
        var query = store.live(.trips()).makeAsyncIterator()
        _ = try await query.next()
        try await store.rebuildViews()
        try await store.edit(lisbon) { $0.name = "Porto" }
        #expect(try await query.next()?.rows.map(\.trip.name) == ["Porto"])
        try await store.expectInvariants()
    }

    @Test("What a live query ends with is what a fresh query returns, under random events", arguments: Seeds.some(6))
    func randomEvents(seed: UInt64) async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: seed))
        var writer = RandomWriter(seed: seed)
        let query = Query<Trip>.overlapping(Day(2027, 1, 20)..<Day(2027, 3, 1))
        var live = store.live(.trips(query, limit: 10)).makeAsyncIterator()
        var rows = try await live.next()?.rows ?? []
        for _ in 0..<120 {
            try await writer.write(to: store)
            let fresh = try store.read { try $0.trips(query, limit: 10).rows }
            if fresh != rows {
                let update = try #require(try await live.next())
                #expect(update.changes == RowChanges(from: rows, to: fresh))
                rows = update.rows
            }
            #expect(rows == fresh)
        }
        try await store.expectInvariants()
    }
}

extension Sequence {
    func asyncMap<T>(_ body: (Element) async throws -> T) async rethrows -> [T] {
        var result: [T] = []
        for element in self { result.append(try await body(element)) }
        return result
    }
}
