import Foundation
import StoreSupport
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

// begin OwnFields-kind
struct Packing: OwnEntity {
    let id: Identifier<Packing>
    var what = ""
    var trip: Trip.ID?
    var count = 1
    var isPacked = false
    var stored = StoredState()

    init(id: ID) { self.id = id }

    init(_ what: String, in trip: Trip.ID) {
        self.init(id: .new())
        self.what = what
        self.trip = trip
    }

    static let schema = Schema<Packing>(
        "org.example.trips", 1, "packing",
        [
            Field(1, "what", \.what, isRequired: true),
            .parent("trip", \.trip),
            Field(3, "count", \.count) { $0 > 0 },
            Field(4, "isPacked", \.isPacked),
        ])

    static let labels = OwnSet<Packing, String>("org.example.trips", 10, "labels")
}
// end

extension Trip {
    fileprivate static let score = OwnField<Trip, Stars>("org.example.trips", 3, "score")
}

@Suite("The page on own fields")
struct OwnFieldsSnippets {
    @Test("Declaring, writing and reading")
    func use() async throws {
        let place = Folder()
        let folder = place.url
        // begin OwnFields-open
        let options = TripStore.Options(schema: [Trip.rating, Trip.mood, Packing.schema, Packing.labels])
        let store = try await TripStore.open(at: folder, options: options)
        // end
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
        let scoring = try await TripStore.temporary(options: TripStore.Options(schema: [Trip.score]))
        let porto = try await scoring.create(Trip(name: "Porto"))
        try await scoring.edit(porto) { $0[Trip.score] = Stars(count: 4) }
        #expect(try scoring.trip(porto)?[Trip.score] == Stars(count: 4))

        // begin OwnFields-describe
        try await store.describe([Trip.rating, Trip.mood, Packing.schema])
        // end
        #expect(try Internals.describedFields(of: store).prefix(2) == ["rating", "mood"])

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
        await store.close()
    }

    @Test("A kind of its own")
    func kinds() async throws {
        let store = try await TripStore.temporary(
            options: TripStore.Options(schema: [Packing.schema, Packing.labels]))
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        // begin OwnFields-useKind
        let socks = try await store.create(Packing("socks", in: lisbon))
        try await store.edit(socks) {
            $0.isPacked = true
            $0[Packing.labels].insert("warm")
        }

        let packing = try store.entities(Packing.self, in: lisbon)
        let everything = try store.entities(Packing.self)
        let one = try store.entity(socks)
        // end
        #expect(packing.rows == everything.rows && packing.first == one)
        #expect(one?.isPacked == true && one?[Packing.labels] == ["warm"])
        await store.close()
    }
}
