import Foundation
import Testing
import TripStore

@Suite("The first page")
struct LandingSnippets {
    @Test("Its overview")
    func overview() async throws {
        let place = Folder()
        let folder = place.url
        // begin Landing-overview
        let store = try await TripStore.open(at: folder)
        let lisbon = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        let receipt = try await store.edit(lisbon) { $0.name = "Lisbon and Porto" }

        let page = try store.trips(.starting(in: Day(2027, 5, 1)..<Day(2027, 6, 1)))
        let history = try store.history(of: lisbon)
        try await store.undo(receipt)
        // end
        #expect(page.rows.map(\.trip.name) == ["Lisbon and Porto"])
        #expect(history.count == 2)
        #expect(try store.trip(lisbon)?.name == "Lisbon")
    }
}
