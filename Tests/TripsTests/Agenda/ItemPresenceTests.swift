import Testing

@testable import Trips

@Suite("What one only has")
struct ItemPresenceTests {
    private static func time(_ text: String) throws -> Moment {
        try Moment(parsing: "2027-08-\(text)", in: "Europe/Rome")
    }

    private static func journey(_ name: String, _ mode: TransportationMode, _ start: String, _ end: String) throws
        -> TripItem
    {
        .transportation(
            Transportation(name: name, mode: mode, in: nil, from: try time(start), until: try time(end)))
    }

    private static func activity(_ name: String, _ start: String, _ end: String, category: String = "") throws
        -> TripItem
    {
        var activity = Activity(name: name, in: nil, from: try time(start), until: try time(end))
        activity.category = category
        return .activity(activity)
    }

    @Test("A rental car, parking, passes and luggage are had, and journeys, tours and stays are not")
    func kinds() throws {
        let had = [
            try Self.journey("Rental car", .car, "03T09:00", "12T18:00"),
            try Self.journey("Panda", .car, "03T09:00", "04T09:00"),
            try Self.journey("Mietwagen", .car, "03T09:00", "03T18:00"),
            try Self.journey("Swiss Travel Pass", .train, "03T00:00", "06T00:00"),
            try Self.activity("Airport parking", "03T06:00", "12T21:00"),
            try Self.activity("P+R", "03T06:00", "12T21:00", category: "Parking"),
            try Self.activity("Museum Pass", "03T09:00", "05T09:00"),
            try Self.activity("Luggage storage", "03T10:00", "03T17:00"),
            try Self.activity("Hertz, car hire", "03T09:00", "03T18:00"),
            try Self.activity("Multi-storey car park", "03T09:00", "03T12:00"),
            try Self.activity("Kayak", "03T09:00", "03T12:00", category: "Rental"),
            try Self.activity("Scooter rental", "03T09:00", "05T09:00"),
            try Self.activity("E-bike hire", "03T09:00", "04T18:00"),
        ]
        #expect(had.filter { !$0.isHad }.map(\.name) == [])
        let not = [
            try Self.journey("To Siena", .car, "03T09:00", "03T12:00"),
            try Self.journey("Brenner Pass", .train, "03T09:00", "03T12:00"),
            try Self.journey("Cruise", .boat, "03T09:00", "09T12:00"),
            try Self.activity("Kayak rental", "03T10:00", "03T12:00"),
            try Self.activity("Car museum", "03T10:00", "03T12:00"),
            try Self.activity("Conference", "03T10:00", "05T12:00"),
            .lodging(
                Lodging(name: "Rental flat", in: nil, from: try Self.time("03T15:00"), until: try Self.time("05T10:00"))
            ),
        ]
        #expect(not.filter(\.isHad).map(\.name) == [])
    }

    @Test("What one only has overlaps nothing, makes no connection, and is no bed and no arrival")
    func findings() throws {
        let trip = Trip(name: "Coast", days: Day(2027, 8, 3)...Day(2027, 8, 12))
        let museum = try Self.activity("Museum", "05T10:00", "05T12:00")
        let stay = TripItem.lodging(
            Lodging(name: "Inn", in: nil, from: try Self.time("03T15:00"), until: try Self.time("10T10:00")))
        let held = [
            try Self.journey("Rental car", .car, "03T09:00", "12T18:00"),
            try Self.activity("Airport parking", "03T06:00", "12T21:00"),
        ]
        let without = Agenda(of: (trip, [museum, stay]))
        let with = Agenda(of: (trip, [museum, stay] + held))
        #expect(without.findings.map(\.problem) == [.noBed] && with.findings == without.findings)
        #expect(with.entries.filter(\.isHad).count == 20 && without.entries.filter(\.isHad).isEmpty)
        #expect(TripClocks(held).zone(at: try Self.time("12T20:00").milliseconds, of: []) == nil)
    }

    @Test("A length that no number can say is no fault")
    func extremes() {
        let all = Activity(
            name: "Pass", in: nil, from: Moment(milliseconds: .min, zone: "UTC"),
            until: Moment(milliseconds: .max, zone: "UTC"))
        #expect(TripItem.activity(all).isHad)
    }
}
