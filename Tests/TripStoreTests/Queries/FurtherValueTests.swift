import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

private let further: [any SchemaPart] = SharedCollections.all + RelatedKinds.all + Trip.evolving

/// Each answer is compared with a plain evaluation of the entities.
@Suite("Queries of collections, references that read as nil, and fields that replace others")
struct FurtherValueTests {
    private static func expect<Entity: TripEntity>(_ query: Query<Entity>, in store: TripStore, _ expected: [Entity])
        throws
    {
        #expect(try store.fetch(query).rows == expected, "\(query.words)")
        #expect(try store.ids(query) == expected.map(\.id) && store.count(query) == expected.count)
        #expect(try store.exists(query) == !expected.isEmpty && store.first(query) == expected.first)
        if let first = expected.first, expected.count > 1 {
            let page = try store.fetch(query.limit(1))
            #expect(page.rows == [first])
            #expect(try store.fetch(query.limit(1), after: page.next).rows == [expected[1]])
        }
    }

    private static func counts<Entity: TripEntity, Value: OwnFieldValue>(
        _ query: Query<Entity>, by key: GroupKey<Entity>, as type: Value.Type, in store: TripStore
    ) throws -> [Value?: Int] {
        let groups = try store.groups(of: query, by: [key]).map { ($0.keys.first?.value(as: type), $0.count) }
        return Dictionary(groups) { $0 + $1 }
    }

    private static func expectChores(of people: [Person.ID], _ lisbon: Trip.ID, in store: TripStore) throws {
        let chores = Query<Chore>()
        let all = try store.entities(Chore.self, in: lisbon).rows.sorted { $0.id < $1.id }
        #expect(all.count == 8)
        for person in people {
            let isTheirs = { (chore: Chore) in chore.person == person }
            try expect(chores.where { $0.person == person }, in: store, all.filter(isTheirs))
            try expect(chores.where { $0.person != person }, in: store, all.filter { !isTheirs($0) })
            try expect(
                chores.where { $0.person == person || $0.what == "map" }, in: store,
                all.filter { isTheirs($0) || $0.what == "map" })
            try expect(
                chores.where { $0.person.matches { $0.id == person } && $0.what != "map" }, in: store,
                all.filter { isTheirs($0) && $0.what != "map" })
            try expect(
                chores.where(#Predicate<Chore> { $0.what.count > 3 }).where { $0.person == person }, in: store,
                all.filter { isTheirs($0) && $0.what.count > 3 })
        }
        try expect(chores.where { $0.person == nil }, in: store, all.filter { $0.person == nil })
        let ordered = people.sorted().map(Optional.some) + [nil]
        try expect(
            chores.sorted(by: \.person), in: store, ordered.flatMap { person in all.filter { $0.person == person } })
        let expected = Dictionary(grouping: all, by: \.person).mapValues(\.count)
        #expect(try counts(chores, by: .value(\.person), as: Person.ID.self, in: store) == expected)
    }

    @Test("A reference to what is deleted is nil for conditions, orders and groups, until that is restored")
    func nullified() async throws {
        let store = try await TripStore.test(schema: further)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        var people: [Person.ID] = []
        for name in ["Ana", "Ben", "Eve"] { people.append(try await store.create(Person(name, of: nil))) }
        for (number, what) in ["visa", "tickets", "tram", "map", "bags", "tip", "hat", "map"].enumerated() {
            var chore = Chore(what, of: lisbon)
            if number % 4 < 3 { chore.person = people[number % 4] }
            try await store.create(chore)
        }
        try Self.expectChores(of: people, lisbon, in: store)
        try await store.delete(people[0])
        try await store.delete(people[2])
        try Self.expectChores(of: people, lisbon, in: store)
        #expect(try store.count(Query<Chore>().where { $0.person == nil }) == 6)
        try await store.restore(people[2])
        try Self.expectChores(of: people, lisbon, in: store)
        #expect(try store.count(Query<Chore>().where { $0.person == nil }) == 4)
        try await store.expectInvariants()
    }

    @Test("A set and a list are asked for elements and a map for keys, as they are now")
    func collections() async throws {
        let store = try await TripStore.test(schema: further)
        for number in 0..<12 {
            var trip = Trip(name: "Trip \(number)")
            if number % 2 == 0 { trip[Trip.labels].insert("sea") }
            if number % 3 == 0 { trip[Trip.labels].insert("") }
            if number % 4 < 2 { trip[Trip.packed]["hat"] = number % 4 == 0 }
            if number % 5 > 1 { trip[Trip.stops] = ["Sintra", "Évora"] }
            try await store.create(trip)
        }
        for trip in try store.fetch(Query<Trip>()).rows.prefix(5) {
            try await store.edit(trip.id) { trip in
                trip[Trip.labels].remove("sea")
                trip[Trip.packed]["hat"] = nil
                trip[Trip.stops].removeAll { $0 == "Sintra" }
            }
        }
        let all = try store.fetch(Query<Trip>()).rows
        let trips = Query<Trip>()
        for label in ["sea", "", "hat"] {
            try Self.expect(
                trips.where { $0[Trip.labels].contains(label) }, in: store,
                all.filter { $0[Trip.labels].contains(label) })
            try Self.expect(
                trips.where { $0[Trip.packed].contains(label) || $0.name == "Trip 1" }, in: store,
                all.filter { $0[Trip.packed].keys.contains(label) || $0.name == "Trip 1" })
        }
        for stop in ["Sintra", "Évora", "Tomar"] {
            try Self.expect(
                trips.where { !$0[Trip.stops].contains(stop) && $0[Trip.labels].contains("sea") }, in: store,
                all.filter { !$0[Trip.stops].contains(stop) && $0[Trip.labels].contains("sea") })
        }
        #expect(
            try Self.counts(
                trips.where { $0[Trip.stops].contains("Sintra") }, by: .value(\.name), as: String.self, in: store
            ).count == all.count { $0[Trip.stops].contains("Sintra") })
        try await store.expectInvariants()
    }

    @Test("A field that replaces others has the value of the newest write for conditions, orders, groups and sums")
    func replaced() async throws {
        let store = try await TripStore.test(schema: further)
        var tickets: [Ticket.ID] = []
        for number in 0..<9 {
            tickets.append(
                try await store.create(Ticket("\(number)", number % 3 == 0 ? nil : Money(minorUnits: 100, "EUR"))))
        }
        for (number, ticket) in tickets.enumerated() where number % 2 == 0 {
            // The first version of the app writes or clears the field that it knows, and its text may be no amount.
            let text = number % 4 == 0 ? "\(number % 3 + 1).00" : number == 2 ? "free" : nil
            try await store.append([TripEvent(.edited, ticket, [Ticket.writing(text)])])
        }
        try await store.edit(tickets[4]) { $0.price = Money(minorUnits: 700, "EUR") }
        let all = try store.entities(Ticket.self).rows.sorted { $0.id < $1.id }
        let query = Query<Ticket>()
        for amount in [100, 200, 300, 700] as [Int64] {
            let price = Money(minorUnits: amount, "EUR")
            try Self.expect(query.where { $0.price == price }, in: store, all.filter { $0.price == price })
            try Self.expect(
                query.where { $0.price >= price || $0.what == "1" }, in: store,
                all.filter { ($0.price?.minorUnits ?? 0) >= amount || $0.what == "1" })
        }
        try Self.expect(query.where { $0.price == nil }, in: store, all.filter { $0.price == nil })
        let ordered: [Int64?] = [100, 300, 700, nil]
        try Self.expect(
            query.sorted(by: \.price), in: store,
            ordered.flatMap { amount in all.filter { $0.price?.minorUnits == amount } })
        let expected = Dictionary(grouping: all, by: \.price).mapValues(\.count)
        #expect(try Self.counts(query, by: .value(\.price), as: Money.self, in: store) == expected)
        let sums = try store.groups(of: query, measuring: \.price)
        #expect(sums.first?.costs.map(\.minorUnits) == [all.reduce(0) { $0 + Int128($1.price?.minorUnits ?? 0) }])
        #expect(sums.first?.count == 9 && sums.first?.maximum?.value(as: Money.self) == Money(minorUnits: 700, "EUR"))
        try await store.expectInvariants()
    }

    @Test("Trips are asked by an app's field that replaces another, whichever version wrote last")
    func replacedOfTrips() async throws {
        let store = try await TripStore.test(schema: further)
        for number in 0..<6 {
            let id = try await store.create(Trip(name: "Trip \(number)"))
            try await store.edit(id) { $0[Trip.limit] = 10 }
            if number % 2 == 0 { try await store.edit(id) { $0[Trip.budgetText] = "\(20 + number)" } }
            if number % 3 == 0 { try await store.edit(id) { $0[Trip.limit] = 30 } }
        }
        let all = try store.fetch(Query<Trip>()).rows
        for limit in [10, 22, 24, 30] {
            #expect(all.contains { $0[Trip.limit] == limit })
            try Self.expect(
                Query<Trip>().where { $0[Trip.limit] == limit }, in: store, all.filter { $0[Trip.limit] == limit })
        }
        try Self.expect(
            Query<Trip>().sorted(by: Trip.limit), in: store,
            [10, 22, 24, 30].flatMap { limit in all.filter { $0[Trip.limit] == limit } })
        let expected = Dictionary(grouping: all) { $0[Trip.limit] }.mapValues(\.count)
        #expect(try Self.counts(Query<Trip>(), by: .value(Trip.limit), as: Int.self, in: store) == expected)
        try await store.expectInvariants()
    }
}
