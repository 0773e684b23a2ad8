import Testing

@testable import Trips

@Suite("What cannot work in a trip")
struct FindingTests {
    private static let lisbon = Coordinates(latitude: 38.7223, longitude: -9.1393)
    private static let porto = Coordinates(latitude: 41.1496, longitude: -8.611)
    private static let tokyo = Coordinates(latitude: 35.6762, longitude: 139.6503)

    private static func time(_ text: String) throws -> Moment {
        try Moment(parsing: "2027-05-\(text)", in: "Europe/Lisbon")
    }

    private static func activity(
        _ name: String, _ start: String, _ end: String, at place: Coordinates? = nil
    ) throws -> Activity {
        Activity(
            name: name, in: nil, from: try time(start), until: try time(end),
            address: place.map { Address(coordinates: $0) })
    }

    private static func journey(
        _ name: String, _ start: String, _ end: String?, from: TravelPlace = TravelPlace(),
        to: TravelPlace = TravelPlace()
    ) throws -> Transportation {
        var journey = Transportation(
            name: name, mode: .train, in: nil, from: try time(start), until: try end.map { try time($0) })
        (journey.departure, journey.arrival) = (from, to)
        return journey
    }

    private static func stay(_ name: String, _ start: String, _ end: String) throws -> Lodging {
        Lodging(name: name, in: nil, from: try time(start), until: try time(end))
    }

    /// As in "overlap A+B 05-01...05-01".
    private static func findings(_ items: [TripItem], in trip: Trip = Trip(name: "Trip")) -> [String] {
        Agenda(of: (trip, items)).findings.map { finding in
            let names = finding.items.map(\.name).joined(separator: "+")
            let needed = finding.neededMinutes.map { " \($0)" } ?? ""
            let days = [finding.days.lowerBound, finding.days.upperBound].map { $0.description.dropFirst(5) }
            return "\(finding.problem) \(names) \(days[0])..\(days[1])\(needed)"
        }
    }

    @Test("Activities and journeys at one time overlap, and those that meet do not")
    func overlaps() throws {
        let tour = try Self.activity("Tour", "01T10:00", "01T12:00")
        #expect(
            Self.findings([.activity(tour), .activity(try Self.activity("Lunch", "01T11:30", "01T13:00"))])
                == ["overlap Tour+Lunch 05-01..05-01"])
        #expect(Self.findings([.activity(tour), .activity(try Self.activity("Lunch", "01T12:00", "01T13:00"))]) == [])
        #expect(
            Self.findings([.activity(tour), .transportation(try Self.journey("Train", "01T09:00", "01T10:01"))])
                == ["overlap Train+Tour 05-01..05-01"])
        // One is at home while one is out.
        #expect(Self.findings([.activity(tour), .lodging(try Self.stay("Inn", "01T08:00", "02T11:00"))]) == [])
        let found = try #require(
            Agenda(
                of: (
                    Trip(name: "Trip"),
                    [.activity(tour), .activity(try Self.activity("Lunch", "01T11:30", "01T13:00"))]
                )
            )
            .findings.first)
        #expect(try [found.from, found.until] == [Self.time("01T11:30"), Self.time("01T12:00")])
    }

    @Test("Nobody is at two places: different people are", arguments: [true, false])
    func people(areSame: Bool) throws {
        let (ana, ben) = (Traveller.ID.new(), Traveller.ID.new())
        var tour = try Self.activity("Tour", "01T10:00", "01T12:00")
        var lunch = try Self.activity("Lunch", "01T11:00", "01T13:00")
        (tour.participants, lunch.participants) = ([ana], areSame ? [ana, ben] : [ben])
        #expect(Self.findings([.activity(tour), .activity(lunch)]).count == (areSame ? 1 : 0))
        lunch.participants = []
        #expect(Self.findings([.activity(tour), .activity(lunch)]).count == 1)
    }

    @Test(
        "Ideas and what is cancelled have no findings, and neither have trips that are",
        arguments: [PlanningStage.idea, .cancelled])
    func stages(stage: PlanningStage) throws {
        let tour = try Self.activity("Tour", "01T10:00", "01T12:00")
        var lunch = try Self.activity("Lunch", "01T11:00", "01T13:00")
        lunch.stage = stage
        #expect(Self.findings([.activity(tour), .activity(lunch)]) == [])
        lunch.stage = .booked
        var trip = Trip(name: "Trip", days: Day(2027, 5, 2)...Day(2027, 5, 4))
        #expect(Self.findings([.activity(tour), .activity(lunch)], in: trip).count == 4)
        trip.stage = stage
        #expect(Self.findings([.activity(tour), .activity(lunch)], in: trip) == [])
    }

    @Test("A night of the trip without a stay that is not spent on the way has no bed")
    func nights() throws {
        let trip = Trip(name: "Trip", days: Day(2027, 5, 1)...Day(2027, 5, 8))
        let items: [TripItem] = [
            .lodging(try Self.stay("Inn", "02T15:00", "04T11:00")),
            .transportation(try Self.journey("Night train", "04T22:00", "05T08:00")),
            .lodging(Lodging(name: "Hut", in: nil, days: Day(2027, 5, 6)...Day(2027, 5, 7))),
        ]
        #expect(
            Self.findings(items, in: trip) == ["noBed  05-01..05-01", "noBed  05-05..05-05", "noBed  05-07..05-07"])
        #expect(Self.findings([], in: trip) == ["noBed  05-01..05-07"])
        #expect(Self.findings([], in: Trip(name: "Day", days: Day(2027, 5, 1)...Day(2027, 5, 1))) == [])
        #expect(Self.findings([], in: Trip(name: "Open", startDay: Day(2027, 5, 1), endDay: nil)) == [])
        // Of a stay without an end nobody knows more than its first night.
        let open = Lodging(name: "Inn", in: nil, from: try Self.time("01T15:00"))
        #expect(
            Self.findings([.lodging(open)], in: Trip(name: "Trip", days: Day(2027, 5, 1)...Day(2027, 5, 3)))
                == ["noBed  05-02..05-02"])
    }

    @Test(
        "A stay with a check-in and a check-out alone has its nights, and a night that is on no calendar needs no bed")
    func checkIn() throws {
        let trip = Trip(name: "Trip", days: Day(2027, 5, 1)...Day(2027, 5, 4))
        var stay = Lodging(name: "Inn", in: nil)
        (stay.checkIn, stay.checkOut) = (try Self.time("01T15:00"), try Self.time("03T11:00"))
        #expect(Self.findings([.lodging(stay)], in: trip) == ["noBed  05-03..05-03"])
        #expect(
            Self.findings([.lodging(stay), .lodging(try Self.stay("Hotel", "02T15:00", "04T11:00"))], in: trip)
                == ["overlap Inn+Hotel 05-02..05-02"])
        stay.checkOut = try Self.time("06T11:00")
        #expect(Self.findings([.lodging(stay)], in: trip) == ["outsideOfTrip Inn 05-01..05-06"])
        let flight = Transportation(
            name: "Flight", mode: .plane, in: nil, from: try Moment(parsing: "2011-12-29T10:00", in: "Pacific/Apia"),
            until: try Moment(parsing: "2011-12-29T11:00", in: "Pacific/Apia"))
        let samoa = Trip(name: "Samoa", days: Day(2011, 12, 29)...Day(2011, 12, 31))
        #expect(Self.findings([.transportation(flight)], in: samoa) == ["noBed  12-29..12-29"])
    }

    @Test("Two stays for the same nights overlap on these")
    func stays() throws {
        let inn = try Self.stay("Inn", "01T15:00", "04T11:00")
        #expect(
            Self.findings([.lodging(inn), .lodging(try Self.stay("Hotel", "02T15:00", "06T11:00"))])
                == ["overlap Inn+Hotel 05-02..05-03"])
        #expect(Self.findings([.lodging(inn), .lodging(try Self.stay("Hotel", "04T15:00", "06T11:00"))]) == [])
    }

    @Test("A journey that departs before the other arrives is missed")
    func departures() throws {
        let first = try Self.journey("First", "01T09:00", "01T11:00")
        #expect(
            Self.findings([.transportation(first), .transportation(try Self.journey("Second", "01T10:30", "01T12:00"))])
                == ["missedConnection First+Second 05-01..05-01 0"])
        #expect(
            Self.findings([.transportation(first), .transportation(try Self.journey("Second", "01T10:30", nil))])
                == ["missedConnection First+Second 05-01..05-01 0"])
        #expect(
            Self.findings([.transportation(first), .transportation(try Self.journey("Second", "01T11:00", "01T12:00"))])
                == [])
    }

    @Test(
        "What begins elsewhere takes as long as the way there by road or by air",
        arguments: [
            // 274 km: 1 h and 18 min by air.
            ("01T12:00", Self.porto, "missedConnection Train+Tour 05-01..05-01 79"), ("01T12:19", Self.porto, nil),
            ("01T12:18", Self.porto, "missedConnection Train+Tour 05-01..05-01 79"),
            ("01T23:00", Self.tokyo, "missedConnection Train+Tour 05-01..05-01 803"), ("01T11:00", Self.lisbon, nil),
        ] as [(String, Coordinates, String?)])
    func distances(start: String, place: Coordinates, finding: String?) throws {
        let train = try Self.journey(
            "Train", "01T09:00", "01T11:00", to: TravelPlace(address: Address(coordinates: Self.lisbon)))
        let tour = try Self.activity("Tour", start, "01T23:30", at: place)
        #expect(Self.findings([.transportation(train), .activity(tour)]) == (finding.map { [$0] } ?? []))
    }

    @Test("Between places of which only the codes are known it takes half an hour, if they differ")
    func codes() throws {
        func found(_ code: String, _ time: String) throws -> [String] {
            let first = try Self.journey("A", "01T09:00", "01T11:00", to: TravelPlace(code: "LIS"))
            let second = try Self.journey("B", time, "01T14:00", from: TravelPlace(code: code))
            return Self.findings([.transportation(first), .transportation(second)])
        }
        #expect(try found("OPO", "01T11:29") == ["missedConnection A+B 05-01..05-01 30"])
        #expect(try found("OPO", "01T11:30") == [] && found("lis", "01T11:00") == [] && found("", "01T11:00") == [])
    }

    @Test("The shorter of road and air, never less than for a shorter way")
    func minutes() {
        #expect(Connection.minutes(kilometers: 0.9) == 0 && Connection.minutes(kilometers: 13) == 6)
        #expect(Connection.minutes(kilometers: 130) == 60 && Connection.minutes(kilometers: 900) == 120)
        let all = (0..<20_000).map { Connection.minutes(kilometers: Double($0)) }
        #expect(zip(all, all.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test("An item on a day before its trip or after it is outside of it")
    func outside() throws {
        let trip = Trip(name: "Trip", days: Day(2027, 5, 2)...Day(2027, 5, 2))
        func found(_ start: String, _ end: String, _ trip: Trip) throws -> [String] {
            Self.findings([.activity(try Self.activity("Tour", start, end))], in: trip)
        }
        #expect(try found("01T10:00", "01T11:00", trip) == ["outsideOfTrip Tour 05-01..05-01"])
        #expect(try found("02T23:00", "03T01:00", trip) == ["outsideOfTrip Tour 05-02..05-03"])
        #expect(try found("02T23:00", "03T00:00", trip) == [])
        #expect(try found("01T10:00", "01T11:00", Trip(name: "T", startDay: nil, endDay: Day(2027, 5, 2))) == [])
        #expect(
            try found("03T10:00", "03T11:00", Trip(name: "T", startDay: nil, endDay: Day(2027, 5, 2)))
                == ["outsideOfTrip Tour 05-03..05-03"])
    }

    @Test("A range has the findings of its days alone")
    func range() throws {
        let trip = Trip(name: "Trip", days: Day(2027, 5, 1)...Day(2027, 5, 8))
        let items: [TripItem] = [.lodging(try Self.stay("Inn", "02T15:00", "04T11:00"))]
        let agenda = try Agenda(Day(2027, 5, 2)...Day(2027, 5, 3), of: [(trip, items)])
        #expect(agenda.findings.isEmpty)
        let late = try Agenda(Day(2027, 5, 7)...Day(2027, 5, 9), of: [(trip, items)])
        #expect(late.findings.map(\.days) == [Day(2027, 5, 4)...Day(2027, 5, 7)])
    }

    @Test("A thousand items at one time are compared with few others each")
    func bounded() throws {
        let items = try (0..<1_000).map { _ in TripItem.activity(try Self.activity("Tour", "01T10:00", "01T12:00")) }
        let found = Agenda(of: (Trip(name: "Trip"), items)).findings
        #expect(found.count > 1_000 && found.count <= 1_000 * FindingSearch.mostCompared)
    }
}
