import Foundation
import Observation
import StoreSupport
import Testing
import TripStore

// begin LiveQueries-observation
@MainActor
final class ItemFollower {
    let model: LiveModel<LiveRows<TripItem>>
    private let show: ([String]) -> Void

    init(_ model: LiveModel<LiveRows<TripItem>>, show: @escaping ([String]) -> Void) {
        self.model = model
        self.show = show
    }

    func follow() {
        withObservationTracking {
            show(model.rows.map(\.name))
        } onChange: { [weak self] in
            // Told once, just before the new value is there: so look again a moment later.
            Task { @MainActor in self?.follow() }
        }
    }
}
// end

@Suite("The page on live queries")
struct LiveQueriesSnippets {
    @Test("The loop, its changes, and the kinds of queries")
    func loop() async throws {
        let store = try await TripStore.temporary()
        let notes = Notes()
        @Sendable func show(_ rows: [TripRow], _ changes: RowChanges<Trip.ID>) {
            notes.add("\(rows.count) \(changes.inserted.count) \(changes.changed.count) \(changes.removed.count)")
        }
        let task = Task {
            // begin LiveQueries-loop
            let may = Day(2027, 5, 1)..<Day(2027, 6, 1)
            for try await update in store.live(.trips(.starting(in: may))) {
                show(update.rows, update.changes)
            }
            // end
        }
        await notes.wait(for: 1)
        let lisbon = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        await notes.wait(for: 2)
        try await store.edit(lisbon) { $0.name = "Porto" }
        await notes.wait(for: 3)
        try await store.delete(lisbon)
        await notes.wait(for: 4)
        task.cancel()
        try await task.value
        #expect(notes.all == ["0 0 0 0", "1 1 0 0", "1 0 1 0", "0 0 0 1"])
        try await store.restore(lisbon)

        // begin LiveQueries-kinds
        let page = store.live(.trips(.dated, limit: 20))  // LiveRows<TripRow>
        let items = store.live(.items(of: lisbon))  // LiveRows<TripItem>
        let activities = store.live(.activities(of: lisbon))  // LiveRows<Activity>
        let airlines = store.live(.organizations(named: "air"))  // LiveRows<Organization>
        let unfiled = store.live(.unfiledItems)  // LiveRows<TripItem>
        let trip = store.live(lisbon)  // Trip?, and likewise for every other id
        let totals = store.live { try $0.totals(of: lisbon) }  // Totals
        let history = store.live(historyOf: lisbon)  // [HistoryEntry]
        // end
        for query in [items, unfiled] { #expect(try await query.first { _ in true }?.rows.isEmpty == true) }
        #expect(try await page.first { _ in true }?.rows.count == 1)
        #expect(try await activities.first { _ in true }?.rows.isEmpty == true)
        #expect(try await airlines.first { _ in true }?.rows.isEmpty == true)
        #expect(try await trip.first { _ in true }??.name == "Porto")
        #expect(try await totals.first { _ in true }?.itemCount == 0)
        #expect(try await history.first { _ in true }?.count == 4)
    }

    @Test("Any query")
    func any() async throws {
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        try await store.create(Activity(name: "Tram 28", in: lisbon, from: noon, cost: Money("3.10", "EUR")))

        // begin LiveQueries-any
        let headline = store.live { views in
            let next = try views.trips(.starting(in: Day(2027, 1, 1)..<Day(2028, 1, 1)), limit: 1).rows.first
            let cost = try views.totals(of: lisbon).costs.first?.minorUnits ?? 0
            return "\(next?.trip.name ?? "nothing planned"), Lisbon costs \(cost)"
        }
        // end
        var iterator = headline.makeAsyncIterator()
        #expect(try await iterator.next() == "Lisbon, Lisbon costs 310")
        try await store.edit(lisbon) { $0.notes = "the result stays the same" }
        try await store.edit(lisbon) { $0.name = "Porto" }
        #expect(try await iterator.next() == "Porto, Lisbon costs 310")
    }

    @Test("A model without SwiftUI, which goes with its follower", .timeLimit(.minutes(10)))
    @MainActor
    func model() async throws {
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let notes = Notes()
        var follower: ItemFollower? = ItemFollower(LiveModel(store.live(.items(of: lisbon)))) {
            notes.add($0.joined(separator: ","))
        }
        follower?.follow()
        #expect(notes.all == [""])
        try await store.create(Activity(name: "Tram 28", in: lisbon, from: noon))
        await notes.wait(for: 2)
        #expect(notes.all == ["", "Tram 28"] && follower?.model.error == nil)
        weak let model = follower?.model
        follower = nil
        while model != nil { await Task.yield() }
    }

    @Test("Another process, which may only read, follows as well")
    func reader() async throws {
        let place = Folder()
        let folder = place.url
        let store = try await TripStore.open(at: folder)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let notes = Notes()
        @Sendable func show(_ trip: Trip?) { notes.add(trip?.name ?? "gone") }
        let task = Task {
            // begin LiveQueries-reader
            let reader = try await TripStore.open(at: folder, options: .readOnly)
            for try await trip in reader.live(lisbon) {
                show(trip)
            }
            // end
        }
        await notes.wait(for: 1)
        try await store.delete(lisbon)
        await notes.wait(for: 2)
        task.cancel()
        try await task.value
        #expect(notes.all == ["Lisbon", "gone"])
    }

    @Test("The statistics of the cache")
    func cache() async throws {
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        // begin LiveQueries-cache
        let first = try store.items(of: lisbon)  // read and decoded
        let second = try store.items(of: lisbon)  // from the cache
        // end
        let statistics = Internals.cache(of: store)
        #expect(Array(first) == Array(second))
        #expect(statistics.hits == 1 && statistics.misses == 1 && statistics.entries == 1)
    }
}
