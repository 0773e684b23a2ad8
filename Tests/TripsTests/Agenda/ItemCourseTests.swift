import Testing

@testable import Trips

@Suite("When items are in their trip")
struct ItemCourseTests {
    private static func moment(_ text: String) throws -> Moment {
        let parts = text.split(separator: " ")
        return try Moment(parsing: String(parts[0]), in: String(parts[1]))
    }

    /// Each item on its days, as in "05-07 whole 20:05–08:35".
    private static func lines(_ items: [TripItem], of item: Int = 0) throws -> [String] {
        let agenda = Agenda(of: (nil, items))
        return agenda.entries.filter { $0.item.id == items[item].id }.map { entry in
            let times = [entry.begins, entry.ends].map {
                $0.map { String($0.localISO8601.dropFirst(11).prefix(5)) } ?? ""
            }
            let night = entry.night.map { " night \($0)/\(entry.nightCount ?? 0)" } ?? ""
            return "\(entry.day.description.dropFirst(5)) \(entry.role) \(times[0])–\(times[1])\(night)"
        }
    }

    @Test(
        "A journey is on the days of its departure and its arrival, and on those between",
        arguments: [
            // Overnight.
            (
                "2027-05-01T21:55 Europe/Lisbon", "2027-05-02T08:40 Europe/Madrid",
                ["05-01 starts 21:55–08:40", "05-02 ends 21:55–08:40"]
            ),
            // Over the date line: it arrives before it departs, by the clocks.
            (
                "2027-05-07T20:05 Asia/Tokyo", "2027-05-07T08:35 Pacific/Honolulu",
                ["05-07 whole 20:05–08:35"]
            ),
            // The day before, even.
            (
                "2027-05-08T00:30 Asia/Tokyo", "2027-05-07T13:00 Pacific/Honolulu",
                ["05-07 ends 00:30–13:00", "05-08 starts 00:30–13:00"]
            ),
            // Westward it skips one.
            (
                "2027-05-01T22:30 America/Los_Angeles", "2027-05-03T06:20 Australia/Sydney",
                ["05-01 starts 22:30–06:20", "05-02 continues 22:30–06:20", "05-03 ends 22:30–06:20"]
            ),
            // It arrives at midnight.
            (
                "2027-05-01T22:00 Europe/Lisbon", "2027-05-02T00:00 Europe/Lisbon",
                ["05-01 starts 22:00–00:00", "05-02 ends 22:00–00:00"]
            ),
        ] as [(String, String, [String])])
    func journeys(start: String, end: String, days: [String]) throws {
        let journey = Transportation(
            name: "Journey", mode: .plane, in: nil, from: try Self.moment(start), until: try Self.moment(end))
        #expect(try Self.lines([.transportation(journey)]) == days)
    }

    @Test("A stay has each of its nights, and the days that the calendar skips have none")
    func stays() throws {
        let stay = Lodging(
            name: "Inn", in: nil, from: try Self.moment("2011-12-28T15:00 Pacific/Apia"),
            until: try Self.moment("2012-01-02T11:00 Pacific/Apia"))
        #expect(
            try Self.lines([.lodging(stay)]) == [
                "12-28 starts 15:00–11:00 night 1/4", "12-29 continues 15:00–11:00 night 2/4",
                "12-31 continues 15:00–11:00 night 3/4", "01-01 continues 15:00–11:00 night 4/4",
                "01-02 ends 15:00–11:00",
            ])
        let day = Lodging(
            name: "Day room", in: nil, from: try Self.moment("2027-05-01T09:00 Europe/Lisbon"),
            until: try Self.moment("2027-05-01T17:00 Europe/Lisbon"))
        #expect(try Self.lines([.lodging(day)]) == ["05-01 whole 09:00–17:00"])
    }

    @Test("What ends at midnight ends on its day; an item with one end is on that day")
    func ends() throws {
        let late = try Self.moment("2027-05-01T20:00 Europe/Lisbon")
        let midnight = try Self.moment("2027-05-02T00:00 Europe/Lisbon")
        let concert = Activity(name: "Concert", in: nil, from: late, until: midnight)
        #expect(try Self.lines([.activity(concert)]) == ["05-01 whole 20:00–00:00"])
        #expect(try Self.lines([.activity(Activity(name: "Tram", in: nil, from: late))]) == ["05-01 starts 20:00–"])
        #expect(try Self.lines([.activity(Activity(name: "Tram", in: nil, until: late))]) == ["05-01 ends –20:00"])
        #expect(
            try Self.lines([.activity(Activity(name: "Clock", in: nil, from: midnight, until: midnight))]) == [
                "05-02 whole 00:00–00:00"
            ])
    }

    @Test("Whole days have no zone; a clock time wins over them")
    func wholeDays() throws {
        let festival = Activity(name: "Festival", in: nil, days: Day(2027, 5, 1)...Day(2027, 5, 3))
        #expect(
            try Self.lines([.activity(festival)]) == ["05-01 starts –", "05-02 continues –", "05-03 ends –"])
        var mixed = festival
        mixed.start = try Self.moment("2027-05-02T10:00 Europe/Lisbon")
        #expect(try Self.lines([.activity(mixed)]) == ["05-02 starts 10:00–", "05-03 ends 10:00–"])
        var early = festival
        early.end = try Self.moment("2027-04-30T10:00 Europe/Lisbon")
        #expect(try Self.lines([.activity(early)]) == ["05-01 whole –10:00"])
        #expect(try Self.lines([.activity(Activity(name: "Open", in: nil))]).isEmpty)
    }

    @Test("The last arrival decides the zone, unless the journey is an idea or cancelled")
    func zones() throws {
        var flight = Transportation(
            name: "Flight", mode: .plane, in: nil, from: try Self.moment("2027-05-01T18:00 America/New_York"),
            until: try Self.moment("2027-05-02T06:00 Europe/Lisbon"))
        // Noted at home, by the clock there: in Lisbon it is a quarter past one, on the next day.
        let call = Activity(name: "Call", in: nil, from: try Self.moment("2027-05-02T20:15 America/New_York"))
        let before = Activity(name: "Lunch", in: nil, from: try Self.moment("2027-05-01T12:00 America/New_York"))
        let items: [TripItem] = [.activity(call), .activity(before), .transportation(flight)]
        #expect(try Self.lines(items) == ["05-03 starts 01:15–"])
        #expect(try Self.lines(items, of: 1) == ["05-01 starts 12:00–"])
        for stage in [PlanningStage.idea, .cancelled] {
            flight.stage = stage
            #expect(try Self.lines([.activity(call), .transportation(flight)]) == ["05-02 starts 20:15–"])
        }
        // A zone that this platform does not know decides nothing.
        (flight.stage, flight.end) = (
            .booked, Moment(milliseconds: flight.end?.milliseconds ?? 0, zone: "Nowhere/At_All")
        )
        #expect(try Self.lines([.activity(call), .transportation(flight)]) == ["05-02 starts 20:15–"])
    }

    @Test("Whose journey it is decides the zone: of those who take part, of all where nobody is named")
    func people() throws {
        let (ana, ben) = (Traveller.ID.new(), Traveller.ID.new())
        var flight = Transportation(
            name: "Flight", mode: .plane, in: nil, from: try Self.moment("2027-05-01T18:00 America/New_York"),
            until: try Self.moment("2027-05-02T06:00 Europe/Lisbon"))
        var call = Activity(name: "Call", in: nil, from: try Self.moment("2027-05-02T20:15 America/New_York"))
        let (home, away) = (["05-02 starts 20:15–"], ["05-03 starts 01:15–"])
        for (flying, calling, expected) in [
            ([ana], [ana], away), ([ana], [ben], home), ([ana], [ana, ben], away), ([ana], [], away),
            ([ana, ben], [ben], away), ([], [ben], away), ([], [], away),
        ] as [(Set<Traveller.ID>, Set<Traveller.ID>, [String])] {
            (flight.participants, call.participants) = (flying, calling)
            #expect(try Self.lines([.activity(call), .transportation(flight)]) == expected, "\(flying) \(calling)")
        }
        // The last of those journeys counts, whoever else takes it.
        var further = Transportation(
            name: "Further", mode: .plane, in: nil, from: try Self.moment("2027-05-02T08:00 Europe/Lisbon"),
            until: try Self.moment("2027-05-02T22:00 Asia/Tokyo"))
        (flight.participants, further.participants, call.participants) = ([], [ben], [ana])
        let items: [TripItem] = [.activity(call), .transportation(further), .transportation(flight)]
        #expect(try Self.lines(items) == away)
        call.participants = [ben]
        #expect(try Self.lines([.activity(call)] + items.dropFirst()) == ["05-03 starts 09:15–"])
        // The journey of a deleted traveller takes nobody anywhere.
        further.nullify { _ in true }
        #expect(further.participants.isEmpty && !further.isForAllTravellers)
        #expect(try Self.lines([.activity(call), .transportation(further), .transportation(flight)]) == away)
    }

    @Test(
        "A stay with a check-in and a check-out alone begins and ends with these; its own times and days win over them")
    func checkIn() throws {
        var stay = Lodging(name: "Inn", in: nil)
        stay.checkIn = try Self.moment("2027-05-01T15:00 Europe/Lisbon")
        #expect(try Self.lines([.lodging(stay)]) == ["05-01 starts 15:00–"])
        stay.checkOut = try Self.moment("2027-05-03T11:00 Europe/Lisbon")
        let nights = ["05-01 starts 15:00–11:00 night 1/2", "05-02 continues 15:00–11:00 night 2/2"]
        #expect(try Self.lines([.lodging(stay)]) == nights + ["05-03 ends 15:00–11:00"])
        var started = stay
        started.start = try Self.moment("2027-05-02T20:00 Europe/Lisbon")
        #expect(
            try Self.lines([.lodging(started)]) == ["05-02 starts 20:00–11:00 night 1/1", "05-03 ends 20:00–11:00"])
        var whole = stay
        (whole.startDay, whole.endDay) = (Day(2027, 5, 1), Day(2027, 5, 2))
        // A check-in and a check-out say when it is on its days, and nothing on others.
        #expect(try Self.lines([.lodging(whole)]) == ["05-01 starts 15:00– night 1/1", "05-02 ends 15:00–"])
        whole.endDay = Day(2027, 5, 3)
        #expect(
            try Self.lines([.lodging(whole)]) == [
                "05-01 starts 15:00–11:00 night 1/2", "05-02 continues 15:00–11:00 night 2/2", "05-03 ends 15:00–11:00",
            ])
        // The end is as it is written, but not before the beginning.
        stay.end = try Self.moment("2027-05-01T09:00 Europe/Lisbon")
        #expect(try Self.lines([.lodging(stay)]) == ["05-01 whole 15:00–15:00"])
    }

    @Test("A stay of any length has as many nights as the calendar has, on the days that are asked for")
    func longStay() throws {
        let stay = Lodging(
            name: "Flat", in: nil, from: try Self.moment("2001-01-01T15:00 Pacific/Apia"),
            until: try Self.moment("2014-01-01T11:00 Pacific/Apia"))
        let day = Day(2013, 1, 1)
        let entry = try #require(try Agenda(day...day, of: [(nil, [.lodging(stay)])]).entries.first)
        let nights = Day(2001, 1, 1).distance(to: Day(2014, 1, 1)) - 1
        #expect(entry.nightCount == nights && entry.night == Day(2001, 1, 1).distance(to: day))
    }

    @Test("An item of ten thousand years has no more entries than the trip has days")
    func enormous() throws {
        let enormous = TripItem.lodging(Lodging(name: "Flat", in: nil, days: .first ... .last))
        let trip = Trip(name: "Trip", days: Day(2027, 5, 1)...Day(2027, 5, 3))
        #expect(Agenda(of: (trip, [enormous])).entries.map(\.role) == [.continues, .continues, .continues])
        let walk = TripItem.activity(Activity(name: "Walk", in: nil, days: Day(2027, 5, 5)...Day(2027, 5, 5)))
        #expect(Agenda(of: (nil, [enormous, walk])).entries.count == 2)
        #expect(Agenda(of: (nil, [enormous])).days.map(\.day) == [.first])
        let years = Day(2020, 1, 1)...Day(2029, 12, 31)
        #expect(try Agenda(years, of: [(nil, [enormous])]).entries.count == years.count)
    }

    @Test("On a day come first what has no clock time, and then the rest in real time; an end before a beginning")
    func order() throws {
        func activity(_ name: String, _ start: String, _ end: String? = nil) throws -> TripItem {
            .activity(
                Activity(name: name, in: nil, from: try Self.moment(start), until: try end.map { try Self.moment($0) }))
        }
        let arrival = Transportation(
            name: "Night train", mode: .train, in: nil, from: try Self.moment("2027-05-01T22:00 Europe/Lisbon"),
            until: try Self.moment("2027-05-02T09:00 Europe/Lisbon"))
        let items: [TripItem] = [
            try activity("Tram", "2027-05-02T09:00 Europe/Lisbon"),
            try activity("Call", "2027-05-02T08:00 America/New_York"),
            .transportation(arrival),
            .activity(Activity(name: "Fair", in: nil, days: Day(2027, 5, 2)...Day(2027, 5, 2))),
        ]
        let day = try #require(try Agenda(Day(2027, 5, 2)...Day(2027, 5, 2), of: [(nil, items)]).days.first)
        #expect(day.entries.map(\.item.name) == ["Fair", "Night train", "Tram", "Call"])
    }

    @Test("A trip is on its first and its last day")
    func trips() throws {
        func roles(_ first: Day?, _ last: Day?) -> [String] {
            let agenda = Agenda(of: (Trip(name: "Trip", startDay: first, endDay: last), []))
            return agenda.days.flatMap { day in day.trips.map { "\(day.day) \($0.role)" } }
        }
        let (first, last) = (Day(2027, 5, 1), Day(2027, 5, 3))
        #expect(roles(first, last) == ["2027-05-01 starts", "2027-05-03 ends"])
        #expect(roles(first, first) == ["2027-05-01 whole"])
        #expect(roles(last, first) == ["2027-05-03 whole"])
        #expect(roles(first, nil) == ["2027-05-01 starts"])
        #expect(roles(nil, last) == ["2027-05-03 ends"])
        #expect(roles(nil, nil).isEmpty)
    }

    @Test("Instants and days at the ends of the calendar are days, and nothing overflows")
    func extremes() throws {
        let ends = [Int64.min, .max, 0]
        for start in ends {
            for end in ends {
                let stay = Lodging(
                    name: "Inn", in: nil, from: Moment(milliseconds: start, zone: "UTC"),
                    until: Moment(milliseconds: end, zone: "Asia/Tokyo"))
                let items: [TripItem] = [
                    .lodging(stay), .activity(Activity(name: "A", in: nil, from: stay.start, until: stay.end)),
                ]
                for day in [Day.first, Day(1970, 1, 1), .last] {
                    _ = try Agenda(day...day, of: [(Trip(name: "T"), items)])
                }
                #expect(Agenda(of: (nil, items)).days.count <= Agenda.mostDays)
            }
        }
    }

    @Test("More days than an agenda has are refused")
    func tooMany() throws {
        let first = Day(2027, 1, 1)
        #expect(try Agenda(first...first.advanced(by: Agenda.mostDays - 1), of: []).days.count == Agenda.mostDays)
        expectRefusal(.invalidRange, naming: "2027-01-01", "3661 days", advising: "shorter range") {
            _ = try Agenda(first...first.advanced(by: Agenda.mostDays), of: [])
        }
    }
}

@Suite("Days that a zone skipped")
struct SkippedDaysTests {
    @Test(
        "They are those that no clock showed, of each day of forty years",
        arguments: [
            "Pacific/Apia", "Pacific/Fakaofo", "Pacific/Kwajalein", "Pacific/Kiritimati", "Europe/Lisbon", "UTC",
        ])
    func days(zone: String) throws {
        let timeZone = try #require(TimeZoneCache.zone(zone))
        let years = Day(1980, 1, 1)...Day(2019, 12, 31)
        #expect(SkippedDays.of(zone).filter(years.contains) == years.filter { !$0.isShown(in: timeZone) })
        #expect(SkippedDays.of(zone).count == (zone.hasPrefix("Pacific") ? 1 : 0))
    }

    @Test("An unknown zone skips none") func unknown() { #expect(SkippedDays.of("Nowhere/At_All").isEmpty) }
}
