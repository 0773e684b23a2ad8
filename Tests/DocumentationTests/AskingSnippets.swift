import Foundation
import Testing
import TripStore

@Suite("The page on asking")
struct AskingSnippets {
    @Test("Fetching, counting, the past, live results and many edits")
    func use() async throws {
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        for (name, cost) in [("Castle", 150_00 as Int64), ("Tram", 3_20), ("Draft of a day", 200_00)] {
            try await store.create(Activity(name: name, in: lisbon, cost: Money(minorUnits: cost, "EUR")))
        }
        let before = try store.status().position
        // begin Asking-fetch
        let unpaid = Query<Activity>()
            .where { $0.paid != .inFull && $0.cost > Money(minorUnits: 100_00, "EUR") }
            .sorted(by: \.start)
            .limit(20)

        let page = try store.fetch(unpaid)
        let next = try store.fetch(unpaid, after: page.next)
        let count = try store.count(unpaid)
        // end
        #expect(page.map(\.name) == ["Castle", "Draft of a day"] && count == 2 && next == page)
        // begin Asking-past
        let past = try await store.asOf(before)
        let then = try past.fetch(unpaid)
        // end
        #expect(then == page)
        try await follow(unpaid, in: store)
        // begin Asking-batches
        try await store.editAll(unpaid) { $0.notes = "Pay before departure" }
        try await store.deleteAll(Query<Activity>().where { $0.name.begins(with: "Draft") })
        // end
        #expect(try store.count(Query<Activity>()) == 2)
        await store.close()
    }

    private func follow(_ unpaid: Query<Activity>, in store: TripStore) async throws {
        let shown = AsyncStream.makeStream(of: Int.self)
        @Sendable func show(_ rows: [Activity]) { shown.continuation.yield(rows.count) }
        let task = Task {
            // begin Asking-live
            for try await update in store.live(unpaid) { show(update.rows) }
            // end
        }
        for await count in shown.stream {
            #expect(count == 2)
            break
        }
        task.cancel()
        _ = try? await task.value
    }
}
