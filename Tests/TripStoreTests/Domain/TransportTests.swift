import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("Journeys, stays and whole days")
struct TransportTests {
    private static func flight(in trip: Trip.ID) -> Transportation {
        var flight = Transportation(name: "To Porto", mode: .plane, in: trip)
        (flight.carrier, flight.number, flight.seat, flight.travelClass) = ("TAP", "TP 1928", "12A", "economy")
        flight.departure = TravelPlace(
            name: "Lisbon", code: "LIS", terminal: "1", gate: "12",
            address: Address(city: "Lisboa", coordinates: Coordinates(latitude: 38.77, longitude: -9.13)))
        flight.arrival = TravelPlace(name: "Porto", code: "OPO")
        return flight
    }

    @Test("A gate learnt on one device and a terminal corrected on another both count")
    func mergeByPart() async throws {
        let phone = try await TripStore.test(clock: ManualClock(seed: 1))
        let laptop = try await TripStore.test(clock: ManualClock(seed: 2))
        let trip = try await phone.create(Trip(name: "Porto"))
        let flight = try await phone.create(Self.flight(in: trip))
        try await laptop.exchange(with: .store(phone))
        try await phone.edit(flight) { $0.departure.gate = "7" }
        try await laptop.edit(flight) {
            $0.departure.terminal = "2"
            $0.seat = "1C"
        }
        try await laptop.exchange(with: .store(phone))
        try await phone.expectEqual(to: laptop)
        let merged = try #require(try phone.entity(flight))
        #expect((merged.departure.gate, merged.departure.terminal, merged.seat) == ("7", "2", "1C"))
        #expect(merged.departure.code == "LIS" && merged.arrival == Self.flight(in: trip).arrival)
        #expect(try phone.conflicts().rows.isEmpty)
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("Links and contacts that two devices add concurrently are all there, and each edit is undone by itself")
    func lists() async throws {
        let phone = try await TripStore.test(clock: ManualClock(seed: 1))
        let laptop = try await TripStore.test(clock: ManualClock(seed: 2))
        let trip = try await phone.create(Trip(name: "Porto"))
        let stay = try await phone.create(Lodging(name: "Inn", in: trip))
        try await laptop.exchange(with: .store(phone))
        let receipt = try await phone.edit(stay) {
            $0.links.append(Link("https://inn.example"))
            $0.contacts = [Contact(name: "Reception", phone: "+351 2")]
        }
        try await laptop.edit(stay) {
            $0.links.append(Link("https://map.example", title: "Map"))
            $0.contacts.append(Contact(name: "Ana", role: "night porter"))
        }
        try await laptop.exchange(with: .store(phone))
        try await phone.expectEqual(to: laptop)
        let merged = try #require(try phone.entity(stay))
        #expect(Set(merged.links) == [Link("https://inn.example"), Link("https://map.example", title: "Map")])
        #expect(Set(merged.contacts.map(\.name)) == ["Reception", "Ana"])
        try await phone.undo(receipt)
        #expect(try phone.entity(stay)?.links == [Link("https://map.example", title: "Map")])
        #expect(try phone.entity(stay)?.contacts.map(\.name) == ["Ana"])
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("Parts of places, the carrier and the category are asked by words, by properties and by predicates")
    func asking() async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: 3))
        let trip = try await store.create(Trip(name: "Porto"))
        let flight = try await store.create(Self.flight(in: trip))
        var train = Transportation(name: "Back", mode: .train, in: trip)
        (train.carrier, train.departure.code, train.category) = ("CP", "94-2006", "rail")
        try await store.create(train)
        let all = Query<Transportation>()
        let queries = [
            try all.where(parsing: "carrier = \"TAP\""), try all.where(parsing: "departureCode = \"LIS\""),
            try all.where(parsing: "departureAddress within 20 km of 38.7, -9.1"),
            try all.where(parsing: "arrivalCode begins with \"op\" and category is none"),
            all.where { $0.carrier == "TAP" }, all.where { $0.departure.code == "LIS" },
            all.where {
                $0.departure.address.isWithin(meters: 20_000, of: Coordinates(latitude: 38.7, longitude: -9.1))
            },
            all.where(#Predicate { $0.carrier == "TAP" }), all.where(#Predicate { $0.departure.code == "LIS" }),
            all.where(#Predicate { $0.travelClass == "economy" && $0.arrival.name.contains("ort") }),
        ]
        for query in queries { #expect(try store.fetch(query).rows.map(\.id) == [flight], "\(query)") }
        #expect(try store.fetch(all.sorted(by: \.departure.code)).rows.map(\.carrier) == ["CP", "TAP"])
        try await store.expectInvariants()
    }

    @Test("What a link is asked for is found")
    func askingForLinks() async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: 4))
        let trip = try await store.create(Trip(name: "Porto"))
        var museum = Activity(name: "Museum", in: trip)
        museum.links = [Link("https://museum.example")]
        try await store.create(museum)
        try await store.create(Activity(name: "Walk", in: trip))
        let query = Query<Activity>().where { $0.links.contains(Link("https://museum.example")) }
        #expect(try store.fetch(query).rows.map(\.name) == ["Museum"])
        try await store.expectInvariants()
    }

    @Test("Items of whole days stand at the beginning of their first day in UTC, before others of that time")
    func wholeDays() async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: 5))
        let trip = try await store.create(Trip(name: "Porto", days: Day(2027, 5, 1)...Day(2027, 5, 3)))
        func add(_ name: String, _ time: String) async throws {
            try await store.create(Activity(name: name, in: trip, from: try Moment(parsing: time, in: "Europe/Lisbon")))
        }
        try await add("evening before", "2027-05-01T23:00")
        try await add("morning", "2027-05-02T08:00")
        try await store.create(Activity(name: "no time", in: trip))
        try await store.create(Activity(name: "festival", in: trip, days: Day(2027, 5, 2)...Day(2027, 5, 3)))
        #expect(
            try store.items(of: trip).rows.map(\.name) == ["evening before", "festival", "morning", "no time"])
        try await store.expectInvariants()
    }

    @Test("A cancelled item counts only what is paid in the totals of its trip, and all of it again once it is not")
    func totals() async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: 6))
        let trip = try await store.create(Trip(name: "Porto"))
        try await store.create(Activity(name: "Museum", in: trip, cost: Money(minorUnits: 1000, "EUR")))
        let tour = try await store.create(
            Activity(name: "Tour", in: trip, cost: Money(minorUnits: 9000, "EUR"), paid: .deposit))
        func sum() throws -> Int128? { try store.read { try $0.totals(of: trip) }.costs.first?.minorUnits }
        #expect(try sum() == 10_000)
        try await store.edit(tour) { $0.stage = .cancelled }
        #expect(try sum() == 1000)
        try await store.edit(tour) { $0.paidAmount = Money(minorUnits: 2000, "EUR") }
        #expect(try sum() == 3000)
        try await store.edit(tour) { $0.paid = .inFull }
        #expect(try sum() == 10_000)
        try await store.edit(tour) { ($0.stage, $0.paid) = (.booked, .none) }
        #expect(try sum() == 10_000)
        try await store.expectInvariants()
    }
}
