import Foundation
import StoreSupport
import Testing
import TripStore

private struct Souvenir: OwnEntity {
    let id: Identifier<Souvenir>
    var what = ""
    var trip: Trip.ID?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    // begin Search-kind
    static let schema = Schema<Souvenir>(
        "org.example.souvenirs", 1, "souvenir",
        [Field(1, "what", \.what, isRequired: true, isSearched: true), .parent("trip", \.trip)])
    // end
}

// begin Search-field
extension Trip {
    static let keywords = OwnSet<Trip, String>("org.example.souvenirs", 2, "keywords", isSearched: true)
}
// end

@Suite("The page on searching")
struct SearchSnippets {
    @Test("Searching with an index, a page after another, live")
    func search() async throws {
        let place = Folder()
        let folder = place.url
        let notes = Notes()
        func print(_ parts: Any...) { notes.add(parts.map { "\($0)" }.joined(separator: " ")) }
        // begin Search-indexed
        let options = TripStore.Options(search: .indexed)
        let store = try await TripStore.open(at: folder, options: options)
        // end
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let tram = try await store.create(Activity(name: "Tram 28", in: lisbon, notes: "Through Lisbon"))
        do {
            // begin Search-wait
            let receipt = try await store.commit { $0.create(Trip(name: "Porto")) }
            try await store.searchViews.catchUp(to: receipt.position)
            let found = try store.search("porto")
            // end
            #expect(found.count == 1)
        }
        // begin Search-first
        for hit in try store.search("lis tram") {
            print(hit.name, hit.trip.map { "in trip \($0)" } ?? "")
            for passage in hit.passages {
                print(passage.fieldName, passage.ranges.map { passage.text[$0] })  // where it was found
            }
        }
        // end
        #expect(notes.all == ["Tram 28 in trip \(lisbon)", "name [\"Tram\"]", "notes [\"Lisbon\"]"])
        // begin Search-page
        let page = try store.search("\"tram 28\"", kinds: [Activity.self], in: lisbon, limit: 20)
        let next = try page.next.map {
            try store.search("\"tram 28\"", kinds: [Activity.self], in: lisbon, limit: 20, after: $0)
        }
        // end
        #expect(page.map(\.entity) == [tram.reference] && next == nil)
        let shown = Notes()
        let show: @Sendable ([String]) -> Void = { shown.add($0.joined(separator: ", ")) }
        let task = Task {
            // begin Search-live
            for try await update in store.live(.search("lis tram", limit: 20)) {
                show(update.rows.map(\.name))
            }
            // end
        }
        await shown.wait(for: 1)
        try await store.edit(tram) { $0.name = "Tram 12" }
        await shown.wait(for: 2)
        task.cancel()
        try await task.value
        #expect(shown.all == ["Tram 28", "Tram 12"])
        try await store.expectInvariants()
    }

    @Test("Fields that ask for it")
    func fields() async throws {
        // begin Search-options
        let options = TripStore.Options(schema: [Souvenir.schema, Trip.keywords], search: .indexed)
        // end
        let store = try await TripStore.temporary(options: options)
        let trip = try await store.create(Trip(name: "t"))
        try await store.edit(trip) { $0[Trip.keywords] = ["beach"] }
        try await store.searchViews.catchUp()
        #expect(try store.search("beach").map(\.id) == [trip.reference])
        try await store.expectInvariants()
    }
}
