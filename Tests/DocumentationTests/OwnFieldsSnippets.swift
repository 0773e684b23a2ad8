import Foundation
import Testing
import TripStore

// begin OwnFields-declaring
enum Mood: String, OwnFieldValue { case good, mixed, bad }

extension Trip {
    static let rating = OwnField<Trip, Int>("org.example.trips", 1, "rating") { 1...5 ~= $0 }
    static let mood = OwnField<Trip, Mood>("org.example.trips", 2, "mood")
}
// end

// begin OwnFields-coding
struct Stars: OwnFieldValue {
    var count: Int
    static var coding: OwnFieldCoding<Stars> { .mapped(to: \.count, from: { Stars(count: $0) }) }
}
// end

extension Trip {
    fileprivate static let score = OwnField<Trip, Stars>("org.example.trips", 3, "score")
}

@Suite("The page on own fields")
struct OwnFieldsSnippets {
    @Test("Declaring, writing and reading")
    func use() async throws {
        let store = try await TripStore.temporary()
        // begin OwnFields-use
        var trip = Trip(name: "Lisbon")
        trip[Trip.rating] = 3
        let lisbon = try await store.create(trip)

        try await store.edit(lisbon) { $0[Trip.rating] = 5 }
        try await store.append([TripEvent(.edited, lisbon, [.set(Trip.mood, .good)])])

        let rating = try store.trip(lisbon)?[Trip.rating]
        // end
        #expect(rating == 5)
        #expect(try store.trip(lisbon)?[Trip.mood] == .good)
        try await store.edit(lisbon) { $0[Trip.score] = Stars(count: 4) }
        #expect(try store.trip(lisbon)?[Trip.score] == Stars(count: 4))

        // begin OwnFields-describe
        try await store.describe([Trip.rating, Trip.mood])
        // end
        #expect(try store.fieldDescriptions().map(\.name) == ["rating", "mood"])

        let notes = Notes()
        func show(_ text: String) { notes.add(text) }
        // begin OwnFields-rules
        do {
            try await store.edit(lisbon) { $0[Trip.rating] = 9 }
        } catch let error as TripStoreError where error.code == .invalidValue {
            show(error.message)
        }
        // end
        #expect(notes.all.first?.contains("9 is not allowed by the app's rule for 'rating'") == true, "\(notes.all)")
    }
}
