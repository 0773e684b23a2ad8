import Foundation
import StoreSupport
import Testing
import TripStoreCommands

/// Situations from public reports of programs for trips and calendars, and their neighbors: one answer everywhere.
@Suite("When items are in their trip, in the tool")
struct CourseCommandTests {
    // MARK: Stays

    @Test("A stay of a calendar has as many nights as its days are apart, and none without a bed")
    func nights() async throws {
        let tool = try await Tool.withStore()
        try tool.write(
            Tool.calendar(["DTSTART;VALUE=DATE:20270624\nDTEND;VALUE=DATE:20270628\nSUMMARY:Airbnb: Loft"]),
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
