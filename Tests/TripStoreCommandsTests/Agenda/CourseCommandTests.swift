import Foundation
import StoreSupport
import Testing
import TripStoreCommands

/// Situations from public reports of programs for trips and calendars, and their neighbors: one answer everywhere.
@Suite("When items are in their trip, in the tool")
struct CourseCommandTests {
    private static func calendar(_ events: [String], name: String = "", method: String = "PUBLISH") -> String {
        let head =
            ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Case//EN", "METHOD:\(method)"]
            + (name.isEmpty ? [] : ["X-WR-CALNAME:\(name)"])
        let all = events.enumerated().flatMap { index, event in
            ["BEGIN:VEVENT", "UID:a\(index)@plan.example", "DTSTAMP:20270101T000000Z"]
                + event.split(separator: "\n").map { String($0) } + ["END:VEVENT"]
        }
        return (head + all + ["END:VCALENDAR"]).map { $0 + "\r\n" }.joined()
    }

    private static func days(_ tool: Tool) async throws -> [String?] {
        let trip = try #require(try await tool.run("trips", "--json").objects().first)
        return [trip["startDate"] as? String, trip["endDate"] as? String]
    }

    private static func fly(
        _ tool: Tool, _ name: String, _ trip: String, _ start: (String, String), _ end: (String, String)
    ) async throws {
        _ = try await tool.value(
            "add", "transportation", "--mode", "plane", "--name", name, "--trip", trip, "--start", start.0,
            "--start-time-zone", start.1, "--end", end.0, "--end-time-zone", end.1)
    }

    // MARK: Whose clock

    @Test("A flight in UTC, as a feed has it, moves no other item: the breakfast in Tokyo is at seven there")
    func feed() async throws {
        let tool = try await Tool.withStore()
        try tool.write(
            Self.calendar(
                [
                    "DTSTART:20270502T093500Z\nDTEND:20270502T231500Z\nSUMMARY:ZZ 711 FRA to HND\nDESCRIPTION:[Flight] ZZ711",
                    "DTSTART;TZID=Asia/Tokyo:20270504T070000\nDTEND;TZID=Asia/Tokyo:20270504T083000\nSUMMARY:Breakfast",
                    "DTSTART;TZID=Asia/Tokyo:20270504T230000\nDTEND;TZID=Asia/Tokyo:20270505T003000\nSUMMARY:Late ramen",
                    "DTSTART:20270508T020000Z\nDTEND:20270508T143000Z\nSUMMARY:ZZ 712 HND to FRA\nDESCRIPTION:[Flight] ZZ712",
                ], name: "Tokyo"), to: "in.ics")
        #expect(await tool.run("import", tool.folder.path("in.ics"), "--time-zone", "Europe/Berlin").code == 0)
        #expect(
            await tool.run("agenda", "--trip", "Tokyo").out == [
                "Sun 2 May 2027  FRA – HND", "                 beginning of the trip: Tokyo",
                "  09:35 – 23:15  ZZ 711 FRA to HND (UTC)", "",
                "Tue 4 May 2027", "  07:00 – 08:30  Breakfast", "  23:00          Late ramen", "",
                "Wed 5 May 2027", "  00:30          end: Late ramen", "",
                "Sat 8 May 2027  HND – FRA", "                 end of the trip: Tokyo",
                "  02:00 – 14:30  ZZ 712 HND to FRA (UTC)", "",
                "Look at", "  Sun 2 – Fri 7 May 2027: no bed for 6 nights",
            ])
        let shown = await tool.run("show", "Tokyo").out
        #expect(shown.contains("Tue 4 May 2027") && shown.contains { $0.contains("07:00 – 08:30") })
        await tool.expectInvariants()
    }

    @Test("A journey departs by the clock of its ticket, though the way to it was not entered")
    func unenteredWay() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value(
            "add", "trip", "--name", "World", "--start-date", "2027-05-01", "--end-date", "2027-05-20")
        try await Self.fly(
            tool, "SIN to SFO", "World", ("2027-05-02T09:15", "Asia/Singapore"),
            ("2027-05-02T08:15", "America/Los_Angeles"))
        try await Self.fly(
            tool, "HND to EWR", "World", ("2027-05-11T19:53", "Asia/Tokyo"), ("2027-05-11T18:59", "America/New_York"))
        let agenda = await tool.run("agenda", "2027-05-11", "--trip", "World").out
        #expect(
            agenda.prefix(2) == ["Tue 11 May 2027  Tokyo time – New York time", "  19:53 – 18:59  HND to EWR"],
            "\(agenda)")
        #expect(await tool.run("show", "World").out.contains { $0.contains("19:53 – 18:59") })
        await tool.expectInvariants()
    }

    @Test(
        "A time without a zone is read where one is on that day, not where the configuration is, and the tool says it")
    func zoneOfTheTrip() async throws {
        let tool = try await Tool.withStore()
        func add(_ name: String, _ arguments: String...) async -> Tool.Outcome {
            await Tool.run(["add", "activity", "--name", name, "--store", tool.path] + arguments) {
                $0.environment = ["TRIPSTORE_TIME_ZONE": "Europe/Berlin"]
            }
        }
        _ = try await tool.value(
            "add", "trip", "--name", "Japan", "--start-date", "2027-05-01", "--end-date", "2027-05-08")
        try await Self.fly(
            tool, "FRA to HND", "Japan", ("2027-05-01T11:00", "Europe/Berlin"), ("2027-05-02T07:00", "Asia/Tokyo"))
        let dinner = await add("Dinner", "--trip", "Japan", "--start", "2027-05-03T19:00", "--end", "2027-05-03T21:00")
        #expect(dinner.error == "--start 2027-05-03T19:00 was taken in Asia/Tokyo, as the trip 'Japan' is then.")
        #expect(
            await tool.run("agenda", "2027-05-03..2027-05-04", "--trip", "Japan").out.prefix(2) == [
                "Mon 3 May 2027  Tokyo time", "  19:00 – 21:00  Dinner",
            ])
        let trip = await add("Whole way", "--trip", "Japan", "--start", "2027-05-01T09:00", "--end", "2027-05-03T09:00")
        #expect(
            trip.error == """
                --start 2027-05-01T09:00 was taken in Europe/Berlin, as the trip 'Japan' is then.
                --end 2027-05-03T09:00 was taken in Asia/Tokyo, as the trip 'Japan' is then.
                """)
        let breakfast = await add("Breakfast", "--trip", "Japan", "--start", "2027-05-01T08:00")
        #expect(breakfast.error.contains("in Europe/Berlin, as the trip 'Japan' is then"))
        _ = try await tool.value("add", "trip", "--name", "Home")
        let call = await add("Call", "--trip", "Home", "--start", "2027-05-03T19:00")
        #expect(call.error.contains("in Europe/Berlin, as the configuration says"))
        await tool.expectInvariants()
    }

    @Test(
        "A list and the candidates of a name say the day of an item as the agenda does, by the clock of those who travel"
    )
    func listedDay() async throws {
        let tool = try await Tool.withStore()
        for trip in ["Japan", "Home"] { _ = try await tool.value("add", "trip", "--name", trip) }
        try await Self.fly(
            tool, "FRA to HND", "Japan", ("2027-05-01T11:00", "Europe/Berlin"), ("2027-05-02T07:00", "Asia/Tokyo"))
        for trip in ["Japan", "Home"] {
            _ = try await tool.value(
                "add", "activity", "--name", "Call", "--trip", trip, "--start", "2027-05-03T22:00", "--start-time-zone",
                "Europe/Berlin")
        }
        #expect(await tool.run("agenda", "2027-05-04", "--trip", "Japan").out.contains("  05:00  Call"))
        let listed = await tool.run("list", "activities").out
        #expect(listed.contains { $0.contains("2027-05-04") && $0.contains("Japan") }, "\(listed)")
        #expect(listed.contains { $0.contains("2027-05-03") && $0.contains("Home") }, "\(listed)")
        let candidates = await tool.run("show", "Call").error
        #expect(candidates.contains("activity in 'Japan', Tue 4 May 2027"), "\(candidates)")
        #expect(candidates.contains("activity in 'Home', Mon 3 May 2027"), "\(candidates)")
        await tool.expectInvariants()
    }

    // MARK: Stays

    @Test("A stay of a calendar has as many nights as its days are apart, and none without a bed")
    func nights() async throws {
        let tool = try await Tool.withStore()
        try tool.write(
            Self.calendar(["DTSTART;VALUE=DATE:20270624\nDTEND;VALUE=DATE:20270628\nSUMMARY:Airbnb: Loft"]),
            to: "in.ics")
        let arguments = ["import", tool.folder.path("in.ics"), "--time-zone", "Europe/Berlin", "--new-trip", "T"]
        #expect(await tool.run(arguments).code == 0)
        #expect(
            await tool.run("agenda", "--trip", "T").out == [
                "Thu 24 Jun 2027", "  beginning of the trip: T", "  check-in: Airbnb: Loft", "",
                "Fri 25 Jun 2027", "  night 2 of 4: Airbnb: Loft", "", "Sat 26 Jun 2027",
                "  night 3 of 4: Airbnb: Loft",
                "", "Sun 27 Jun 2027", "  night 4 of 4: Airbnb: Loft", "",
                "Mon 28 Jun 2027", "  end of the trip: T", "  check-out: Airbnb: Loft",
            ])
        let shown = await tool.run("show", "T").out
        #expect(shown.contains("Thu 24 – Mon 28 Jun 2027, 5 days") || shown.contains { $0.contains("5 days") })
        #expect(shown.contains { $0.contains("4 nights") } && shown.contains { $0.contains("nights 2 to 4 of 4") })
        // Other programs see the nights.
        #expect(await tool.run("export", tool.folder.path("out.ics")).code == 0)
        #expect(try tool.text(of: "out.ics").contains("DTSTART;VALUE=DATE:20270624\r\nDTEND;VALUE=DATE:20270628\r\n"))
        #expect(try await tool.run("import", tool.folder.path("out.ics"), "--json").object()["events"] as? Int == 0)
        await tool.expectInvariants()
    }

    @Test("The check-in of a stay of whole days is a time on the agenda and in calendars, and words in descriptions")
    func checkIn() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "P", "--start-date", "2027-05-01", "--end-date", "2027-05-03")
        _ = try await tool.value(
            "add", "lodging", "--name", "Inn", "--trip", "P", "--start-day", "2027-05-01", "--end-day", "2027-05-03",
            "--check-in", "2027-05-01T15:00", "--check-in-time-zone", "Europe/Rome", "--check-out", "2027-05-03T10:00")
        #expect(
            await tool.run("agenda", "--trip", "P").out == [
                "Sat 1 May 2027", "         beginning of the trip: P", "  15:00  check-in: Inn", "",
                "Sun 2 May 2027", "         night 2 of 2: Inn", "",
                "Mon 3 May 2027", "         end of the trip: P", "  10:00  check-out: Inn",
            ])
        #expect(await tool.run("export", tool.folder.path("p.ics")).code == 0)
        let text = try tool.text(of: "p.ics").replacing("\r\n ", with: "")
        #expect(text.contains("DTSTART;TZID=Europe/Rome:20270501T150000\r\nDTEND;TZID=Europe/Rome:20270503T100000\r\n"))
        #expect(
            text.contains(
                "DESCRIPTION:Check-in: Sat 1 May 2027 15:00\\, Rome time\\nCheck-out: Mon 3 May 2027 10:00\\, Rome time\r\n"
            ))
        await tool.expectInvariants()
    }

    @Test("What ends at midnight of the trip's last day is on that day: nothing warns of it")
    func midnight() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "P", "--start-date", "2027-05-01", "--end-date", "2027-05-01")
        let concert = await tool.run(
            "add", "activity", "--name", "Concert", "--trip", "P", "--start", "2027-05-01T20:00", "--start-time-zone",
            "Europe/Rome", "--end", "2027-05-02T00:00")
        #expect(concert.code == 0 && concert.error.isEmpty, "\(concert.error)")
        #expect(await tool.run("agenda", "--trip", "P", "--findings").out == ["Nothing to look at."])
        #expect(await tool.run("show", "P").out.contains("  20:00 – 00:00  Concert"))
        #expect(await tool.run("agenda", "--trip", "P").out.contains("  20:00 – 00:00  Concert"))
        await tool.expectInvariants()
    }

    @Test("One leaves before one arrives: a check-out comes before the next check-in, whatever hours these have")
    func order() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "P", "--start-date", "2027-05-01", "--end-date", "2027-05-05")
        for (name, first, last) in [
            ("Beach hut", "2027-05-03", "2027-05-05"), ("City inn", "2027-05-01", "2027-05-03"),
        ] {
            _ = try await tool.value(
                "add", "lodging", "--name", name, "--trip", "P", "--start-day", first, "--end-day", last)
        }
        #expect(
            await tool.run(
                "edit", "City inn", "--check-out", "2027-05-03T11:00", "--check-out-time-zone", "Europe/Rome"
            ).code
                == 0)
        _ = try await tool.value(
            "add", "transportation", "--mode", "train", "--name", "Train", "--trip", "P", "--start", "2027-05-03T12:00",
            "--start-time-zone", "Europe/Rome", "--end", "2027-05-03T14:00", "--departure-city", "Roma",
            "--arrival-city",
            "Rimini")
        #expect(
            await tool.run("agenda", "2027-05-03", "--trip", "P").out == [
                "Mon 3 May 2027  Roma – Rimini", "  11:00          check-out: City inn", "  12:00 – 14:00  Train",
                "                 check-in: Beach hut",
            ])
        let shown = await tool.run("show", "P").out.filter { $0.contains("check-") || $0.contains("Train") }
        #expect(
            shown.map { $0.split(separator: " ").last } == ["inn", "11:00", "inn", "Train", "hut", "hut"], "\(shown)")
        await tool.expectInvariants()
    }

    // MARK: Having

    @Test("A rental car is picked up and given back, and a museum in between overlaps nothing")
    func having() async throws {
        let tool = try await Tool.withStore()
        let zone = "Europe/Rome"
        _ = try await tool.value(
            "add", "trip", "--name", "Coast", "--start-date", "2027-08-03", "--end-date", "2027-08-12")
        for arguments in [
            [
                "transportation", "--mode", "car", "--name", "Rental car", "--start", "2027-08-03T09:00", "--end",
                "2027-08-12T18:00",
            ],
            ["activity", "--name", "Airport parking", "--start", "2027-08-03T06:00", "--end", "2027-08-12T21:00"],
            ["activity", "--name", "Museum", "--start", "2027-08-05T10:00", "--end", "2027-08-05T12:00"],
        ] {
            #expect(await tool.run(["add"] + arguments + ["--trip", "Coast", "--start-time-zone", zone]).code == 0)
        }
        #expect(
            await tool.run("agenda", "--trip", "Coast", "--findings").out == [
                "Tue 3 – Wed 11 Aug 2027: no bed for 9 nights"
            ])
        let agenda = await tool.run("agenda", "--trip", "Coast").out
        for line in [
            "  06:00          start: Airport parking", "  09:00          pick-up: Rental car",
            "  10:00 – 12:00  Museum",
            "  18:00          return: Rental car", "  21:00          end: Airport parking",
        ] { #expect(agenda.contains(line), "\(line): \(agenda)") }
        let shown = await tool.run("show", "Coast").out
        #expect(
            shown.contains { $0.hasSuffix("pick-up: Rental car") }
                && shown.contains { $0.hasSuffix("return: Rental car") })
        #expect(!shown.contains { $0.contains("on the way") })
        await tool.expectInvariants()
    }

    // MARK: A trip's days

    @Test(
        "The days of a trip that an import made follow its items, wherever these are changed, until a person sets them")
    func tripDays() async throws {
        let tool = try await Tool.withStore()
        func load(_ start: String, _ end: String) async throws {
            try tool.write(
                Self.calendar(["DTSTART;VALUE=DATE:\(start)\nDTEND;VALUE=DATE:\(end)\nSUMMARY:Reserved"]), to: "in.ics")
            #expect(await tool.run("import", tool.folder.path("in.ics"), "--new-trip", "T").code == 0)
        }
        try await load("20270624", "20270628")
        #expect(try await Self.days(tool) == ["2027-06-24", "2027-06-27"])
        try await load("20270623", "20270627")
        #expect(try await Self.days(tool) == ["2027-06-23", "2027-06-26"])
        #expect(await tool.run("edit", "Reserved", "--start-day", "2027-06-20").code == 0)
        #expect(try await Self.days(tool) == ["2027-06-20", "2027-06-26"])
        #expect(await tool.run("undo", "--last").code == 0)
        #expect(try await Self.days(tool) == ["2027-06-23", "2027-06-26"])
        _ = try await tool.value(
            "add", "activity", "--name", "Party", "--trip", "T", "--start-day", "2027-06-30", "--end-day", "2027-06-30")
        #expect(try await Self.days(tool) == ["2027-06-23", "2027-06-30"])
        #expect(await tool.run("delete", "Party").code == 0)
        #expect(try await Self.days(tool) == ["2027-06-23", "2027-06-26"])
        #expect(await tool.run("edit", "T", "--end-date", "2027-07-01").code == 0)
        try await load("20270810", "20270812")
        #expect(try await Self.days(tool) == ["2027-07-01", "2027-07-01"])
        try await load("20270622", "20270624")
        #expect(try await Self.days(tool) == ["2027-06-22", "2027-07-01"])
        let position = try await tool.position()
        #expect(await tool.run("import", tool.folder.path("in.ics"), "--new-trip", "T").code == 0)
        #expect(try await tool.position() == position)
        await tool.expectInvariants()
    }

    @Test("A trip shrinks when an import moves its items into another trip, or says that they do not take place")
    func leavingItems() async throws {
        let tool = try await Tool.withStore()
        func load(_ events: [String], _ trip: String, method: String = "PUBLISH") async throws -> [String] {
            try tool.write(Self.calendar(events, method: method), to: "in.ics")
            #expect(await tool.run("import", tool.folder.path("in.ics"), "--new-trip", trip).code == 0)
            return try await tool.run("trips", "--json").objects().map { trip in
                ["name", "startDate", "endDate"].map { trip[$0] as? String ?? "–" }.joined(separator: " ")
            }
        }
        let tour = "DTSTART;VALUE=DATE:20270624\nDTEND;VALUE=DATE:20270628\nSUMMARY:Tour"
        let party = "DTSTART;VALUE=DATE:20270630\nDTEND;VALUE=DATE:20270701\nSUMMARY:Party"
        let ball = "DTSTART;VALUE=DATE:20270703\nDTEND;VALUE=DATE:20270704\nSUMMARY:Ball"
        #expect(try await load([tour, party, ball], "T") == ["T 2027-06-24 2027-07-03"])
        #expect(try await load([tour], "U") == ["U 2027-06-24 2027-06-27", "T 2027-06-30 2027-07-03"])
        #expect(
            try await load([tour, party], "U", method: "CANCEL") == [
                "U 2027-06-24 2027-06-27", "T 2027-07-03 2027-07-03",
            ])
        await tool.expectInvariants()
    }

    @Test("The days of a trip that a person made stay as they are, with a warning of what is outside")
    func setDays() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "P", "--start-date", "2027-05-01", "--end-date", "2027-05-03")
        let late = await tool.run(
            "add", "lodging", "--name", "Inn", "--trip", "P", "--start-day", "2027-05-02", "--end-day", "2027-05-05")
        #expect(late.error.contains("Wed 5 May 2027 is outside of the days of the trip 'P'"))
        #expect(try await Self.days(tool) == ["2027-05-01", "2027-05-03"])
        await tool.expectInvariants()
    }

    // MARK: Places

    @Test("Coordinates without an address are a link to a map, and no numbers in a heading")
    func map() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value(
            "add", "trip", "--name", "P", "--start-date", "2027-05-01", "--end-date", "2027-05-01")
        _ = try await tool.value(
            "add", "activity", "--name", "Viewpoint", "--trip", trip, "--start-day", "2027-05-01", "--latitude", "38.5",
            "--longitude", "-9.25")
        let link = "https://www.openstreetmap.org/?mlat=38.5&mlon=-9.25#map=16/38.5/-9.25"
        #expect(await tool.run("show", "Viewpoint").out.contains("  \(link)"))
        #expect(await tool.run("export", tool.folder.path("p.html"), "--trip", "P").code == 0)
        #expect(try tool.text(of: "p.html").contains("<a href=\"\(link.replacing("&", with: "&amp;"))\""))
        await tool.expectInvariants()
    }
}
