import Foundation
import StoreSupport
import Testing
import TripStore

// begin EvolvingASchema-retyped
extension Trip {
    static let difficulty = OwnField<Trip, String>("org.example.guide", 1, "difficulty")
    static let level = OwnField<Trip, Int>(
        "org.example.guide", 2, "level",
        replacing: Upcaster(
            difficulty, upgrade: { $0.count * 2 }, downgrade: { String(repeating: "*", count: min(max($0 / 2, 0), 5)) })
    )
}
// end

// begin EvolvingASchema-split
extension Trip {
    static let traveller = OwnField<Trip, String>("org.example.guide", 3, "traveller")
    static let givenName = OwnField<Trip, String>(
        "org.example.guide", 4, "givenName",
        replacing: Upcaster(traveller, upgrade: { $0.split(separator: " ").first.map(String.init) }))
    static let familyName = OwnField<Trip, String>(
        "org.example.guide", 5, "familyName",
        replacing: Upcaster(traveller, upgrade: { $0.split(separator: " ").dropFirst().last.map(String.init) }))
}
// end

// begin EvolvingASchema-kind
struct Expense: OwnEntity {
    let id: Identifier<Expense>
    var title = ""
    var trip: Trip.ID?
    var price: Money?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    init(_ title: String, _ price: Money?, in trip: Trip.ID) {
        self.init(id: .new())
        (self.title, self.price, self.trip) = (title, price, trip)
    }

    static let priceText = FormerField<Expense, String>(3, "priceText")

    static let schema = Schema<Expense>(
        "org.example.guide", 1, "expense",
        [
            // Named "what" in the first version.
            Field(1, "title", \.title, isRequired: true),
            .parent("trip", \.trip),
            Field(
                4, "price", \.price,
                replacing: Upcaster(priceText, upgrade: { Money($0, "EUR") }, downgrade: { $0.amount })),
        ])
}
// end

/// All versions of the app together.
private let guide: [any SchemaPart] = [
    Trip.difficulty, Trip.level, Trip.traveller, Trip.givenName, Trip.familyName, Expense.schema,
]

@Suite("The page on evolving a schema")
struct EvolvingSnippets {
    @Test("A retyped field shows the latest write to either")
    func retyped() async throws {
        let store = try await TripStore.temporary(options: TripStore.Options(schema: guide))
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        // begin EvolvingASchema-use
        try await store.edit(lisbon) { $0[Trip.difficulty] = "***" }
        #expect(try store.trip(lisbon)?[Trip.level] == 6)

        try await store.edit(lisbon) { $0[Trip.level] = 8 }
        #expect(try store.trip(lisbon)?[Trip.difficulty] == "****")
        // end
        await store.close()
    }

    @Test("The parts of a split field are edited apart")
    func split() async throws {
        let store = try await TripStore.temporary(options: TripStore.Options(schema: guide))
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        try await store.edit(lisbon) { $0[Trip.traveller] = "Ana Maria Silva" }
        try await store.edit(lisbon) { $0[Trip.familyName] = nil }
        let trip = try #require(try store.trip(lisbon))
        #expect(trip[Trip.givenName] == "Ana" && trip[Trip.familyName] == nil)
        #expect(trip[Trip.traveller] == "Ana Maria Silva")
        await store.close()
    }

    @Test("A field with another name is the same field, and a replaced one is read and written")
    func ownKind() async throws {
        let store = try await TripStore.temporary(options: TripStore.Options(schema: guide))
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let tram = try await store.create(Expense("Tram", nil, in: lisbon))
        // As the first version writes it.
        let text: FieldChange<Expense> = Internals.change(of: 3, to: Array("2.50".utf8))
        try await store.append([TripEvent(.edited, tram, [text])])
        #expect(try store.entity(tram)?.price == Money("2.50", "EUR"))
        try await store.edit(tram) { $0.price = Money("3.00", "EUR") }
        let lines = try store.blame(tram).lines.map { "\($0.field.name) \($0.field.text)" }
        #expect(lines.contains("priceText 3.00") && lines.contains("title Tram"))
        await store.close()
    }
}
