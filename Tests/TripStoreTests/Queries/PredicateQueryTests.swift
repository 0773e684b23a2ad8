import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore
@testable import Trips

@Suite("Queries by Foundation's predicates")
struct PredicateQueryTests {
    private static func store() async throws -> TripStore {
        let store = try await TripStore.test()
        try await store.create(Trip(id: lisbon, name: "Of the activities"))
        try await store.create(Trip(id: alentejo, name: "South"))
        try await store.create(Organization(id: tap, name: "TAP Air Portugal", email: "info@example.org"))
        try await store.create(activities)
        try await store.create(trips)
        return store
    }

    /// Expects what the predicate selects of all entities, as evaluated on each of them.
    private func expect<Entity: TripEntity>(_ asked: Case<Entity>, in store: TripStore) throws {
        let query = Query<Entity>().where(asked.predicate)
        #expect(query.condition == asked.conditions.condition, "\(asked.name): \(query.words)")
        #expect(query.predicates.count == asked.evaluated, "\(asked.name)")
        let all = try store.fetch(Query<Entity>())
        let expected = try all.filter(asked.predicate).map(\.id)
        #expect(try store.fetch(query).map(\.id) == expected, "\(asked.name): \(query.words)")
        #expect(try store.count(query) == expected.count && store.exists(query) == !expected.isEmpty)
        #expect(try store.read { try $0.ids(query) } == expected && store.first(query)?.id == expected.first)
        guard !Self.uniform.contains(asked.name) else { return }
        #expect((1..<all.count).contains(expected.count), "\(asked.name): \(expected.count) of \(all.count)")
    }

    @Test("Parts that can be are conditions, and the results are those of the evaluation")
    func cases() async throws {
        let store = try await Self.store()
        for asked in Self.texts + Self.others { try expect(asked, in: store) }
        for asked in Self.days { try expect(asked, in: store) }
        let organizations = Query<Organization>().where(#Predicate { $0.email.contains("example") && $0.phone == "" })
        #expect(try store.count(organizations) == 1)
        let ferry = TransportationMode.boat
        try await store.create(Transportation(name: "Ferry", mode: ferry, in: Self.lisbon))
        let ferries = Query<Transportation>().where(#Predicate { $0.mode == ferry })
        #expect(try store.count(ferries) == 1 && ferries.predicates.isEmpty)
        try await store.expectInvariants()
    }

    @Test("A predicate is joined with conditions, orders and limits, and holds for the past")
    func joined() async throws {
        let store = try await Self.store()
        let query = Query<Activity>().where { $0.trip == Self.lisbon }.where(#Predicate { $0.name.contains("r") })
            .where(#Predicate { $0.name.count > 4 }).sorted(by: \.name, .descending).limit(2)
        let names = ["Évora", "Tram 28", "São Jorge; day 2"].map(\.decomposedStringWithCanonicalMapping)
        let page = try store.fetch(query)
        let rest = try store.fetch(query, after: page.next)
        #expect(Set((page.rows + rest.rows).map(\.name.decomposedStringWithCanonicalMapping)) == Set(names))
        #expect(page.count == 2 && rest.count == 1 && rest.next == nil)
        let before = try store.status().position
        try await store.editAll(query) { $0.name = "x" }
        #expect(try store.count(query) == 0)
        #expect(try await store.asOf(before).fetch(query) == page)
        try await store.expectInvariants()
    }

    @Test("A live query has another result when the predicate becomes true")
    func live() async throws {
        let store = try await Self.store()
        let query = Query<Trip>().where(#Predicate { $0.name.count > 6 })
        var updates = store.live(query).makeAsyncIterator()
        #expect(try await Set(updates.next()?.rows.map(\.name) ?? []) == ["Of the activities", "Someday"])
        try await store.edit(Self.trips[3].id) { $0.name = "June again" }
        let names = try await updates.next()?.rows.map(\.name) ?? []
        #expect(Set(names) == ["Of the activities", "Someday", "June again"])
        try await store.expectInvariants()
    }

    @Test("What cannot be evaluated is an error that names the entity, unless a condition excludes it")
    func failures() async throws {
        let store = try await Self.store()
        let noon = Self.noon
        let query = Query<Activity>().where(#Predicate { $0.start!.date >= noon })
        let error = #expect(throws: TripStoreError.self) { try store.fetch(query) }
        // Ids of one millisecond are in no order.
        let withoutStart = Self.activities.filter { $0.start == nil }.map(\.reference)
        #expect(error?.code == .predicateFailed && error?.entity.map(withoutStart.contains) == true)
        #expect(error?.cause is PredicateError && error?.message.contains("if let") == true)
        var updates = store.live(query).makeAsyncIterator()
        await #expect(throws: TripStoreError.self) { try await updates.next() }
        for guarded in [
            #Predicate<Activity> { $0.start != nil && $0.start!.date >= noon },
            #Predicate<Activity> { $0.start!.date >= noon && $0.start != nil },
        ] { #expect(try store.count(Query<Activity>().where(guarded)) == 3) }
        try await store.expectInvariants()
    }
}
