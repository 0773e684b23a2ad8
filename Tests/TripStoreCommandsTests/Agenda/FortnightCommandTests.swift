import Foundation
import StoreSupport
import Testing
import TripStoreCommands

/// A fortnight of two people in three countries, over the date line, with a shared car and two currencies: 16 commands write it, and the agenda, the
/// itinerary, the page, the totals and the calendar say the same of it.
@Suite("One answer in every command")
struct FortnightCommandTests {
    /// Adds something to the trip, of arguments that blanks separate; the last ones are given as they are.
    private static func add(_ tool: Tool, _ kind: String, _ name: String, _ arguments: String, _ more: String...)
        async throws
    {
        let words = arguments.split(separator: " ").map(String.init)
        let added = await tool.run(["add", kind, "--name", name, "--trip", "Pacific"] + words + more)
        #expect(added.code == 0, "\(added.error)")
    }

    private static func planned() async throws -> Tool {
        let tool = try await Tool.withStore()
        for name in ["Ana", "Ben"] { _ = try await tool.value("add", "traveller", "--name", name) }
        _ = try await tool.value(
            "add", "trip", "--name", "Pacific", "--start-date", "2027-05-01", "--end-date", "2027-05-15", "--insert",
            "travellers=Ana", "--insert", "travellers=Ben")
        try await add(
            tool, "transportation", "LH 716 to Tokyo",
            "--mode plane --start 2027-05-01T12:35 --start-time-zone Europe/Berlin --end 2027-05-02T08:15 "
                + "--end-time-zone Asia/Tokyo --departure-city Frankfurt --arrival-city Tokyo --cost 1400 --currency EUR "
                + "--paid in-full --set payer=Ana")
        try await add(
            tool, "lodging", "Ueno Inn",
            "--start-day 2027-05-02 --end-day 2027-05-06 --check-in 2027-05-02T15:00 --check-out 2027-05-06T11:00 "
                + "--city Tokyo --cost 60000 --currency JPY --paid deposit --paid-amount 20000 --set payer=Ben")
        try await add(
            tool, "activity", "Sushi",
            "--start 2027-05-03T19:00 --end 2027-05-03T21:00 --cost 9000 --currency JPY --paid in-full --set payer=Ben")
        try await add(tool, "activity", "Call home", "--start 2027-05-04T20:00 --start-time-zone Europe/Berlin")
        try await add(
            tool, "transportation", "JL 74 to Honolulu",
            "--mode plane --start 2027-05-07T00:30 --start-time-zone Asia/Tokyo --end 2027-05-06T12:30 "
                + "--end-time-zone Pacific/Honolulu --departure-city Tokyo --arrival-city Honolulu --cost 98500 "
                + "--currency JPY --paid in-full --set payer=Ana")
        try await add(
            tool, "lodging", "Beach House",
            "--start-day 2027-05-06 --end-day 2027-05-10 --city Honolulu --cost 800 --currency EUR --set payer=Ana")
        try await add(
            tool, "transportation", "Rental car",
            "--mode car --start 2027-05-06T14:00 --start-time-zone Pacific/Honolulu --end 2027-05-10T09:00 --cost 240 "
                + "--currency EUR --paid in-full --set payer=Ben --set split=parts --set parts[Ana]=2 --set parts[Ben]=1"
        )
        try await add(tool, "activity", "Luau", "--start 2027-05-08T18:00 --end 2027-05-09T00:00")
        try await add(
            tool, "transportation", "HA 10 to Vancouver",
            "--mode plane --start 2027-05-10T22:00 --end 2027-05-11T07:10 --end-time-zone America/Vancouver "
                + "--departure-city Honolulu --arrival-city Vancouver --cost 600 --currency EUR --paid in-full --set payer=Ana"
        )
        try await add(
            tool, "lodging", "Harbour Hotel",
            "--start-day 2027-05-11 --end-day 2027-05-14 --city Vancouver --cost 450 --currency EUR --set payer=Ben")
        try await add(
            tool, "activity", "Whales",
            "--start 2027-05-12T09:00 --end 2027-05-12T13:00 --city Vancouver --cost 180 --currency EUR --set payer=Ana"
        )
        try await add(
            tool, "transportation", "LH 493 home",
            "--mode plane --start 2027-05-14T16:45 --end 2027-05-15T11:40 --end-time-zone Europe/Berlin "
                + "--departure-city Vancouver --arrival-city Frankfurt")
        _ = try await tool.value(
            "add", "rate", "--pair", "JPY/EUR", "--rate", "0.0062", "--trip", "Pacific", "--day", "2027-05-01",
            "--source", "my bank")
        return tool
    }

    @Test("The agenda has each part on its day, by the clock of those who travel, with places in their order")
    func agenda() async throws {
        let tool = try await Self.planned()
        #expect(
            await tool.run("agenda", "--trip", "Pacific").out == [
                "Sat 1 May 2027  Frankfurt – Tokyo", "                        beginning of the trip: Pacific",
                "  12:35 – 08:15 +1 day  LH 716 to Tokyo", "",
                "Sun 2 May 2027  Tokyo", "  08:15                 arrival: LH 716 to Tokyo",
                "  15:00                 check-in: Ueno Inn", "",
                "Mon 3 May 2027  Tokyo", "                        night 2 of 4: Ueno Inn",
                "  19:00 – 21:00         Sushi",
                "", "Tue 4 May 2027  Tokyo", "                        night 3 of 4: Ueno Inn", "",
                "Wed 5 May 2027  Tokyo", "                        night 4 of 4: Ueno Inn",
                "  03:00                 Call home (20:00 Berlin time)", "",
                "Thu 6 May 2027  Tokyo – Honolulu", "  11:00                 check-out: Ueno Inn",
                "  12:30                 arrival: JL 74 to Honolulu", "                        check-in: Beach House",
                "  14:00                 pick-up: Rental car", "",
                "Fri 7 May 2027  Tokyo – Honolulu", "                        night 2 of 4: Beach House",
                "                        at hand: Rental car", "  00:30 – 12:30 -1 day  JL 74 to Honolulu", "",
                "Sat 8 May 2027  Honolulu", "                        night 3 of 4: Beach House",
                "                        at hand: Rental car", "  18:00 – 00:00         Luau", "",
                "Sun 9 May 2027  Honolulu", "                        night 4 of 4: Beach House",
                "                        at hand: Rental car", "",
                "Mon 10 May 2027  Honolulu – Vancouver", "                        check-out: Beach House",
                "  09:00                 return: Rental car", "  22:00 – 07:10 +1 day  HA 10 to Vancouver", "",
                "Tue 11 May 2027  Vancouver", "  07:10                 arrival: HA 10 to Vancouver",
                "                        check-in: Harbour Hotel", "",
                "Wed 12 May 2027  Vancouver", "                        night 2 of 3: Harbour Hotel",
                "  09:00 – 13:00         Whales", "",
                "Thu 13 May 2027  Vancouver", "                        night 3 of 3: Harbour Hotel", "",
                "Fri 14 May 2027  Vancouver – Frankfurt", "                        check-out: Harbour Hotel",
                "  16:45 – 11:40 +1 day  LH 493 home", "",
                "Sat 15 May 2027  Frankfurt", "                        end of the trip: Pacific",
                "  11:40                 arrival: LH 493 home",
            ])
        await tool.expectInvariants()
    }

    @Test("The itinerary and the page have the same days and nights, in the order of time: Thursday comes twice")
    func itinerary() async throws {
        let tool = try await Self.planned()
        let shown = await tool.run("show", "Pacific").out
        let days = shown.filter { $0.contains(" May 2027") && !$0.hasPrefix(" ") }
        let headings = [
            "Sat 1 May 2027  Frankfurt – Tokyo", "Sun 2 May 2027  Tokyo", "Mon 3 May 2027  Tokyo",
            "Tue 4 May 2027  Tokyo", "Wed 5 May 2027  Tokyo", "Thu 6 May 2027  Tokyo",
            "Fri 7 May 2027  Tokyo – Honolulu", "Thu 6 May 2027  Honolulu", "Fri 7 May 2027  Honolulu",
            "Sat 8 May 2027  Honolulu", "Sun 9 May 2027  Honolulu", "Mon 10 May 2027  Honolulu – Vancouver",
            "Tue 11 May 2027  Vancouver", "Wed 12 May 2027  Vancouver", "Thu 13 May 2027  Vancouver",
            "Fri 14 May 2027  Vancouver – Frankfurt", "Sat 15 May 2027  Frankfurt",
        ]
        #expect(days == headings, "\(shown)")
        let stays = shown.filter { $0.contains("Beach House") }.map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(
            stays == ["check-in: Beach House"] + (2...4).map { "night \($0) of 4: Beach House" }
                + ["check-out: Beach House"])
        #expect(shown.contains("  12 items, 3670.00 EUR, 167500 JPY"))
        #expect(shown.contains("  unpaid: 1430.00 EUR, 40000 JPY"))
        #expect(await tool.run("export", tool.folder.path("p.html"), "--trip", "Pacific", "--costs").code == 0)
        let html = try tool.text(of: "p.html")
        #expect(html.components(separatedBy: ": <bdi>Beach House</bdi>").count == 1 + 5)
        for text in ["Check-in", "Night 2 of 4", "Night 3 of 4", "Night 4 of 4", "Check-out"] {
            #expect(html.contains("\(text): <bdi>Beach House</bdi>"), "\(text)")
        }
        #expect(html.contains("Pick-up: <bdi>Rental car</bdi>") && html.contains("Return: <bdi>Rental car</bdi>"))
        #expect(html.contains("3670.00 EUR, 167500 JPY, 1430.00 EUR unpaid, 40000 JPY unpaid"))
        await tool.expectInvariants()
    }

    @Test("Totals add up in each currency, and in one by the rate that a person entered")
    func totals() async throws {
        let tool = try await Self.planned()
        let totals = await tool.run("totals", "Pacific").out
        for line in [
            "  all  6 items  3670.00 EUR  2240.00 EUR paid, 1430.00 EUR unpaid",
            "  all  3 items  167500 JPY   127500 JPY paid, 40000 JPY unpaid",
            // Half of 1400, 800, 600, 450 and 180, and two of three parts of the car.
            "  Ana  6 items  1875.00 EUR  2000.00 EUR paid", "  Ben  6 items  1795.00 EUR  240.00 EUR paid",
            "  Ben pays Ana 840.00 EUR", "  Ben pays Ana 34750 JPY",
        ] { #expect(totals.contains(line), "\(line): \(totals)") }
        let euros = await tool.run("totals", "Pacific", "--in", "EUR").out
        for line in [
            // 167500 JPY are 1038.50 EUR, 127500 are 790.50.
            "  all  9 items  4708.50 EUR  3030.50 EUR paid, 1678.00 EUR unpaid", "  Ben pays Ana 1055.45 EUR",
        ] { #expect(euros.contains(line), "\(line): \(euros)") }
        #expect(euros.contains { $0.contains("JPY/EUR 0.0062") && $0.contains("my bank") }, "\(euros)")
        await tool.expectInvariants()
    }

    @Test("The calendar has the same days and clocks, stays until the day of leaving, and time free beside the car")
    func calendar() async throws {
        let tool = try await Self.planned()
        #expect(await tool.run("export", tool.folder.path("p.ics"), "--trip", "Pacific").code == 0)
        let text = try tool.text(of: "p.ics")
        for (name, start, end) in [
            ("Ueno Inn", ";TZID=Asia/Tokyo:20270502T150000", ";TZID=Asia/Tokyo:20270506T110000"),
            ("JL 74 to Honolulu", ";TZID=Asia/Tokyo:20270507T003000", ";TZID=Pacific/Honolulu:20270506T123000"),
            ("Beach House", ";VALUE=DATE:20270506", ";VALUE=DATE:20270510"),
            ("Luau", ";TZID=Pacific/Honolulu:20270508T180000", ";TZID=Pacific/Honolulu:20270509T000000"),
            ("Harbour Hotel", ";VALUE=DATE:20270511", ";VALUE=DATE:20270514"),
        ] {
            #expect(text.contains("SUMMARY:\(name)\r\nDTSTART\(start)\r\nDTEND\(end)\r\n"), "\(name): \(text)")
        }
        let car = text.components(separatedBy: "BEGIN:VEVENT").first { $0.contains("SUMMARY:Rental car\r\n") }
        #expect(car?.contains("DTEND;TZID=Pacific/Honolulu:20270510T090000\r\n") == true)
        #expect(car?.contains("TRANSP:TRANSPARENT\r\n") == true)
        let imported = await tool.run("import", tool.folder.path("p.ics"), "--json")
        #expect(try imported.object()["events"] as? Int == 0, "\(imported)")
        await tool.expectInvariants()
    }
}
