import Foundation
import Testing
import TripStore

// begin Collections-declaring
extension Trip {
    static let labels = OwnSet<Trip, String>("org.example.trips", 4, "labels")
    static let packed = OwnMap<Trip, String, Bool>("org.example.trips", 5, "packed")
    static let visits = OwnCounter<Trip>("org.example.trips", 6, "visits")
    static let stops = OwnList<Trip, String>("org.example.trips", 7, "stops")
}
// end

@Suite("The page on collections")
struct CollectionsSnippets {
    @Test("Editing, and adding without reading")
    func use() async throws {
        let fields: [any SchemaPart] = [Trip.labels, Trip.packed, Trip.visits, Trip.stops]
        let store = try await TripStore.temporary(options: TripStore.Options(schema: fields))
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        // begin Collections-use
        try await store.edit(lisbon) {
            $0[Trip.labels].insert("sea")
            $0[Trip.packed]["passport"] = true
            $0[Trip.visits] += 1
            $0[Trip.stops].insert("Sintra", at: 0)
        }
        // end
        // begin Collections-blind
        try await store.append([
            TripEvent(.edited, lisbon, [.add(1, to: Trip.visits), .insert("sun", into: Trip.labels)])
        ])
        // end
        // begin Collections-rebalancing
        try await store.rebalance(Trip.stops, of: lisbon)
        // end
        let trip = try #require(try store.trip(lisbon))
        #expect(trip[Trip.labels] == ["sea", "sun"] && trip[Trip.visits] == 2 && trip[Trip.stops] == ["Sintra"])
        #expect(trip[Trip.packed] == ["passport": true])
    }
}
