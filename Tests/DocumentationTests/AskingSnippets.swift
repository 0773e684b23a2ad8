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
        let today = Date(timeIntervalSince1970: 0)
        // begin Asking-predicates
        let trams = Query<Activity>()
            .where(#Predicate { !$0.hidesLocation && $0.name.contains("Tram") })
            .where(#Predicate { if let start = $0.start { start.date >= today } else { false } })
        // end
        #expect(try store.count(trams) == 0)
        let tram = try #require(try store.first(Query<Activity>().where(#Predicate { $0.name == "Tram" })))
        try await store.edit(tram.id) { $0.start = Moment(today, "Europe/Lisbon") }
        #expect(try store.fetch(trams).map(\.name) == ["Tram"])
        try ask(of: store)
        try await follow(unpaid, in: store)
        // begin Asking-batches
        try await store.editAll(unpaid) { $0.notes = "Pay before departure" }
        try await store.deleteAll(Query<Activity>().where { $0.name.begins(with: "Draft") })
        // end
        #expect(try store.count(Query<Activity>()) == 2)
        await store.close()
    }

    @Test("Entities that belong together, and groups")
    func related() async throws {
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(
            Trip(name: "Lisbon", destination: "Lisboa", days: Day(2027, 5, 3)...Day(2027, 5, 8)))
        let tram = Activity(
            name: "Tram", in: lisbon, from: Moment(milliseconds: 1_809_345_600_000, zone: "Europe/Lisbon"),
            cost: Money(minorUnits: 3_20, "EUR"))
        try await store.create(tram)
        // begin Asking-related
        let open = Query<Trip>().where { $0.startDay >= Day(2027, 5, 1) && $0.items.contains { $0.paid != .inFull } }
        let free = Query<Trip>().where { $0.transportations.isEmpty || $0.lodgings.allSatisfy { $0.cost == nil } }
        let there = Query<Activity>().where { $0.trip.matches { $0.destination.contains("lis") } }
        // end
        #expect(try store.ids(open) == [lisbon] && store.ids(free) == [lisbon] && store.ids(there) == [tram.id])
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
        // begin Asking-groups
        let months = try store.groups(
            of: Query<Activity>(), by: [.month(of: \.start), .value(\.paid), .currency(of: \.cost)], measuring: \.cost)
        for month in months { print(month.keys[0], month.keys[1], month.count, month.costs.first?.minorUnits ?? 0) }

        let names = try store.distinct(\.name, of: Query<Activity>())
        // end
        #expect(printed == ["2027-05 none 1 320"] && names.map(\.description) == ["Tram"])
        await store.close()
    }

    @Test("Indexes")
    func indexes() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tripstore-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var printed: [QueryExplanation] = []
        func print(_ explanation: QueryExplanation) { printed.append(explanation) }
        // begin Asking-indexes
        var options = TripStore.Options()
        options.indexes = [Index(on: \Activity.cost), Index(on: \Activity.paid).then(\Activity.start)]
        let store = try await TripStore.open(at: folder, options: options)

        let dear = Query<Activity>().where { $0.cost > Money(minorUnits: 100_00, "EUR") }.sorted(by: \.cost).limit(20)
        print(try store.explain(dear))
        // end
        #expect(printed.map(\.index) == ["activity by cost"])
        await store.close()
    }

    private func ask(of store: TripStore) throws {
        var shown: [String] = []
        func show(_ rows: [Activity]) { shown = rows.map(\.name) }
        func complain(_ message: String, at position: Int) { Issue.record("\(message) \(position)") }
        // begin Asking-words
        let typed = "paid != inFull and cost > 100 EUR"
        do {
            let asked = try Query<Activity>(in: store).where(parsing: typed).sorted(parsing: "-start,~name")
            show(try store.fetch(asked).rows)
        } catch let error as QueryTextError {
            complain(error.message, at: error.position)
        }
        // end
        #expect(shown == ["Castle", "Draft of a day"])
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
