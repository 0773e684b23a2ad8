import Foundation
import Testing
import TripStore

@Suite("The page on time travel")
struct TimeTravelSnippets {
    @Test("The store, an entity and a trip's items as they were")
    func past() async throws {
        let store = try await TripStore.temporary()
        let may = Day(2027, 5, 1)..<Day(2027, 6, 1)
        let lisbon = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        try await store.create(Activity(name: "Tram 28", in: lisbon, from: noon))

        // begin TimeTravel-store
        let receipt = try await store.delete(lisbon)
        let before = try await store.asOf(receipt.position - 1)
        let page = try before.trips(.starting(in: may))
        let items = try before.items(of: lisbon)
        // end
        #expect(page.rows.map(\.trip.name) == ["Lisbon"])
        #expect(items.map(\.name) == ["Tram 28"])
        #expect(try store.trips(.starting(in: may)).rows.isEmpty)

        // begin TimeTravel-entity
        let trip = try store.entity(lisbon, asOf: .position(receipt.position - 1))
        let tram = try store.items(of: lisbon, asOf: .position(receipt.position - 1)).first
        let gone = try store.entity(lisbon, asOf: .position(receipt.position))  // nil: it was deleted by then
        // end
        #expect(trip?.name == "Lisbon" && tram?.name == "Tram 28" && gone == nil)

        let lastSunday = Date.now.addingTimeInterval(-604_800)
        // begin TimeTravel-date
        let then = try await store.asOf(lastSunday)
        let countThen = try then.trips().rows.count
        let tripThen = try store.entity(lisbon, asOf: .date(lastSunday))
        // end
        #expect(countThen == 0 && tripThen == nil)

        let notes = Notes()
        func show(_ count: Int) { notes.add("\(count)") }
        // begin TimeTravel-generic
        func count(_ store: some TripQuerying) throws -> Int {
            try store.trips(.dated, limit: 1000).rows.count
        }
        show(try count(store))
        show(try count(before))
        // end
        #expect(notes.all == ["0", "1"])
    }
}
