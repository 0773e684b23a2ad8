import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore
@testable import Trips

@Suite("Queries for entities by those that belong to them")
struct RelatedQueryTests {
    private struct Sample {
        let store: TripStore
        let lisbon: Trip.ID
        let porto: Trip.ID
        let empty: Trip.ID
        let ferries: Organization.ID
        let museum: Organization.ID
        let tram: Activity.ID
        let ferry: Transportation.ID

        init() async throws {
            store = try await TripStore.test()
            lisbon = try await store.create(Trip(name: "Lisbon"))
            porto = try await store.create(Trip(name: "Porto"))
            empty = try await store.create(Trip(name: "Empty"))
            ferries = try await store.create(Organization(name: "Ferries"))
            museum = try await store.create(Organization(name: "Museum"))
            tram = try await store.create(
                Activity(name: "Tram", in: lisbon, cost: Money(minorUnits: 300, "EUR"), paid: .inFull))
            ferry = try await store.create(
                Transportation(
                    name: "Ferry", mode: .boat, in: lisbon, cost: Money(minorUnits: 1_000, "EUR"), organization: ferries
                ))
            try await store.create(
                Lodging(
                    name: "Inn", in: porto, cost: Money(minorUnits: 9_000, "EUR"), paid: .inFull, organization: museum))
        }

        func trips(_ condition: (QueryFields<Trip>) -> Condition<Trip>) throws -> [String] {
            try store.fetch(Query<Trip>().where(condition).sorted(by: \.name)).map(\.name)
        }
    }

    @Test("A trip is found by some of its items, by all of them, and by having none")
    func items() async throws {
        let sample = try await Sample()
        #expect(try sample.trips { $0.items.contains { $0.paid != .inFull } } == ["Lisbon"])
        #expect(try sample.trips { $0.items.allSatisfy { $0.paid == .inFull } } == ["Empty", "Porto"])
        #expect(try sample.trips { $0.items.isEmpty } == ["Empty"])
        #expect(try sample.trips { !$0.items.isEmpty && $0.activities.isEmpty } == ["Porto"])
        #expect(try sample.trips { $0.transportations.contains { $0.mode == .boat } } == ["Lisbon"])
        #expect(try sample.trips { $0.name == "Porto" || $0.lodgings.contains { $0.name == "None" } } == ["Porto"])
        try await sample.store.expectInvariants()
    }

    @Test("A condition on others holds beside a predicate that needs the decoded entity")
    func besidePredicate() async throws {
        let sample = try await Sample()
        try await sample.store.create(Activity(name: "Bike", in: sample.porto))
        let query = Query<Activity>().where { $0.trip.matches { $0.name == "Lisbon" } }
            .where(#Predicate<Activity> { $0.name.count == 4 })
        #expect(try sample.store.ids(query) == [sample.tram])
        #expect(try sample.store.count(query) == 1)
        try await sample.store.expectInvariants()
    }

    @Test("Conditions within each other are compiled and asked once for each kind", .timeLimit(.minutes(1)))
    func nested() async throws {
        let sample = try await Sample()
        var words = "name = 'nothing'"
        for _ in 0..<15 { words = "any item (trip (\(words)))" }
        #expect(try sample.store.count(Query<Trip>().where(parsing: words)) == 0)
        try await sample.store.expectInvariants()
    }

    @Test("What is deleted, alone or with its trip, counts for nothing until it is restored")
    func deleted() async throws {
        let sample = try await Sample()
        try await sample.store.delete(sample.ferry)
        #expect(try sample.trips { $0.items.contains { $0.paid != .inFull } } == [])
        try await sample.store.restore(sample.ferry)
        #expect(try sample.trips { $0.items.contains { $0.paid != .inFull } } == ["Lisbon"])
        try await sample.store.delete(sample.lisbon)
        let withFerry = Query<Organization>().where { $0.items.contains { $0.name == "Ferry" } }
        #expect(try sample.store.fetch(withFerry).isEmpty)
        try await sample.store.restore(sample.lisbon)
        #expect(try sample.store.fetch(withFerry).map(\.name) == ["Ferries"])
        try await sample.store.expectInvariants()
    }

    @Test("An item is found by its trip and by its organization")
    func named() async throws {
        let sample = try await Sample()
        let query = Query<Transportation>().where { $0.trip.matches { $0.name.begins(with: "lis") } }
        #expect(try sample.store.ids(query) == [sample.ferry])
        let run = Query<Lodging>().where { $0.organization.matches { $0.name == "Museum" } }
        #expect(try sample.store.fetch(run).map(\.name) == ["Inn"])
        try await sample.store.delete(sample.museum)
        #expect(try sample.store.fetch(run).isEmpty)
        try await sample.store.expectInvariants()
    }

    @Test("Rows come with what they name, and trips with their items, from one snapshot")
    func prefetched() async throws {
        let sample = try await Sample()
        let ferries = try sample.store.fetch(Query<Transportation>(), with: \.organization)
        #expect(ferries.rows.map { ferries[$0]?.name } == ["Ferries"])
        let trips = try sample.store.fetch(withItems: Query<Trip>().sorted(by: \.name).limit(2))
        #expect(trips.rows.map { trips[$0]?.count } == [0, 2] && trips.next != nil)
        try await sample.store.delete(sample.ferries)
        let bare = try sample.store.fetch(Query<Transportation>(), with: \.organization)
        #expect(bare.rows.count == 1 && bare.rows.map { bare[$0] } == [nil])
        try await sample.store.expectInvariants()
    }

    @Test("A live query follows the items of the trips that it asks for")
    func live() async throws {
        let sample = try await Sample()
        let query = Query<Trip>().where { $0.items.contains { $0.paid != .inFull } }
        var updates = sample.store.live(query).makeAsyncIterator()
        #expect(try await updates.next()?.rows.map(\.name) == ["Lisbon"])
        try await sample.store.edit(sample.ferry) { $0.paid = .inFull }
        #expect(try await updates.next()?.rows.map(\.name) == [])
        try await sample.store.expectInvariants()
    }

    @Test("A condition on what is no field of the others is refused, and two of them are equal if they ask the same")
    func values() async throws {
        let sample = try await Sample()
        #expect(throws: TripStoreError.self) {
            try sample.trips { $0.items.contains { $0.effectiveEnd == nil } }
        }
        let (a, b) = (
            Query<Trip>().where { $0.items.contains { $0.name == "Tram" } },
            Query<Trip>().where { $0.activities.contains { $0.name == "Tram" } }
        )
        #expect(a == Query<Trip>().where { $0.items.contains { $0.name == "Tram" } })
        #expect(a != b)
        #expect(a.fingerprint != b.fingerprint)
    }
}
