import Foundation
import Testing
import TripStore

@Suite("The page on trips and their items")
struct TripsAndItemsSnippets {
    @Test("Journeys, whole days and stages")
    func items() async throws {
        let store = try await TripStore.temporary()
        let trip = try await store.create(Trip(name: "Porto"))
        // begin TripsAndItems-journeys
        var flight = Transportation(name: "To Porto", mode: .plane, in: trip)
        flight.carrier = "TAP"
        flight.number = "TP 1928"
        flight.seat = "12A"
        flight.departure = TravelPlace(name: "Lisbon", code: "LIS", terminal: "1", gate: "12")
        flight.arrival.code = "OPO"
        let booked = try await store.create(flight)
        try await store.edit(booked) { $0.departure.gate = "7" }
        // end
        #expect(try store.entity(booked)?.departure.gate == "7")
        // begin TripsAndItems-days
        try await store.create(Activity(name: "Festival", in: trip, days: Day(2027, 5, 2)...Day(2027, 5, 3)))
        // end
        let tour = try await store.create(Activity(name: "Tour", in: trip, cost: Money("90.00", "EUR")))
        // begin TripsAndItems-stages
        try await store.edit(tour) {
            $0.paid = .deposit
            $0.paidAmount = Money("20.00", "EUR")
            $0.stage = .cancelled
        }
        let costs = try store.read { try $0.totals(of: trip) }.costs
        // end
        #expect(costs.map(\.currency) == ["EUR"] && costs.map(\.minorUnits) == [2000])
    }

    @Test("Links, contacts, and lists of trips")
    func lists() async throws {
        let store = try await TripStore.temporary()
        let trip = try await store.create(Trip(name: "Porto"))
        let other = try await store.create(Trip(name: "Lisbon"))
        let stay = try await store.create(Lodging(name: "Inn", in: trip))
        // begin TripsAndItems-lists
        try await store.edit(stay) {
            $0.checkIn = try Moment(parsing: "2027-05-01T15:00", in: "Europe/Lisbon")
            $0.links.append(Link("https://inn.example", title: "The inn"))
            $0.contacts.append(Contact(name: "Ana", phone: "+351 210 000 000", role: "reception"))
        }
        // end
        #expect(try store.entity(stay)?.contacts.first?.role == "reception")
        // begin TripsAndItems-arranging
        try await store.arrange([trip, other])
        let shown = Query<Trip>().where { $0.archivedAt == nil }.sorted(by: \.rank)
        let names = try store.fetch(shown).rows.map(\.name)
        // end
        #expect(names == ["Porto", "Lisbon"])
    }
}
