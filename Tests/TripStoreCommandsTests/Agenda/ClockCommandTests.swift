import Foundation
import StoreSupport
import Testing
import TripStoreCommands

/// Situations from public reports of programs for trips and calendars, and their neighbors.
@Suite("Whose clock times are by, in the tool")
struct ClockCommandTests {
    @Test("A flight in UTC, as a feed has it, moves no other item: the breakfast in Tokyo is at seven there")
    func feed() async throws {
        let tool = try await Tool.withStore()
        try tool.write(
            Tool.calendar(
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
        try await tool.fly(
            "SIN to SFO", "World", ("2027-05-02T09:15", "Asia/Singapore"),
            ("2027-05-02T08:15", "America/Los_Angeles"))
        try await tool.fly(
            "HND to EWR", "World", ("2027-05-11T19:53", "Asia/Tokyo"), ("2027-05-11T18:59", "America/New_York"))
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
        try await tool.fly(
            "FRA to HND", "Japan", ("2027-05-01T11:00", "Europe/Berlin"), ("2027-05-02T07:00", "Asia/Tokyo"))
        let dinner = await add("Dinner", "--trip", "Japan", "--start", "2027-05-03T19:00", "--end", "2027-05-03T21:00")
        #expect(dinner.error == "--start is Mon 2027-05-03 19:00 Asia/Tokyo, as the trip 'Japan' is then.")
        #expect(
            await tool.run("agenda", "2027-05-03..2027-05-04", "--trip", "Japan").out.prefix(2) == [
                "Mon 3 May 2027  Tokyo time", "  19:00 – 21:00  Dinner",
            ])
        let trip = await add("Whole way", "--trip", "Japan", "--start", "2027-05-01T09:00", "--end", "2027-05-03T09:00")
        #expect(
            trip.error == """
                --start is Sat 2027-05-01 09:00 Europe/Berlin, as the trip 'Japan' is then.
                --end is Mon 2027-05-03 09:00 Asia/Tokyo, as the trip 'Japan' is then.
                """)
        let breakfast = await add("Breakfast", "--trip", "Japan", "--start", "2027-05-01T08:00")
        #expect(breakfast.error.contains("08:00 Europe/Berlin, as the trip 'Japan' is then"))
        _ = try await tool.value("add", "trip", "--name", "Home")
        let call = await add("Call", "--trip", "Home", "--start", "2027-05-03T19:00")
        #expect(call.error.contains("19:00 Europe/Berlin, as the configuration says"))
        await tool.expectInvariants()
    }

    @Test(
        "A list and the candidates of a name say the day of an item as the agenda does, by the clock of those who travel"
    )
    func listedDay() async throws {
        let tool = try await Tool.withStore()
        for trip in ["Japan", "Home"] { _ = try await tool.value("add", "trip", "--name", trip) }
        try await tool.fly(
            "FRA to HND", "Japan", ("2027-05-01T11:00", "Europe/Berlin"), ("2027-05-02T07:00", "Asia/Tokyo"))
        for trip in ["Japan", "Home"] {
            _ = try await tool.value(
                "add", "activity", "--name", "Call", "--trip", trip, "--start", "2027-05-03T22:00", "--start-time-zone",
                "Europe/Berlin")
        }
        let agenda = await tool.run("agenda", "2027-05-04", "--trip", "Japan").out
        #expect(agenda.contains("  05:00  Call (22:00 Berlin time)"), "\(agenda)")
        let listed = await tool.run("list", "activities").out
        #expect(listed.contains { $0.contains("2027-05-04") && $0.contains("Japan") }, "\(listed)")
        #expect(listed.contains { $0.contains("2027-05-03") && $0.contains("Home") }, "\(listed)")
        let candidates = await tool.run("show", "Call").error
        #expect(candidates.contains("activity in 'Japan', Tue 4 May 2027"), "\(candidates)")
        #expect(candidates.contains("activity in 'Home', Mon 3 May 2027"), "\(candidates)")
        await tool.expectInvariants()
    }

    @Test("A time without a zone is read where those are who take part, though the same command names them")
    func zoneOfParticipants() async throws {
        let tool = try await Tool.withStore()
        for name in ["Ana", "Ben"] { _ = try await tool.value("add", "traveller", "--name", name) }
        _ = try await tool.value(
            "add", "trip", "--name", "Apart", "--insert", "travellers=Ana", "--insert", "travellers=Ben")
        try await tool.fly(
            "To Tokyo", "Apart", ("2027-05-01T11:00", "Europe/Berlin"), ("2027-05-02T07:00", "Asia/Tokyo"))
        try await tool.fly(
            "To New York", "Apart", ("2027-05-01T12:00", "Europe/Berlin"), ("2027-05-01T15:00", "America/New_York"))
        for (flight, name) in [("To Tokyo", "Ana"), ("To New York", "Ben")] {
            #expect(await tool.run("edit", flight, "--insert", "participants=\(name)").code == 0)
        }
        for (name, zone) in [("Ana", "Asia/Tokyo"), ("Ben", "America/New_York")] {
            let dinner = await tool.run(
                "add", "activity", "--name", "Dinner of \(name)", "--trip", "Apart", "--start", "2027-05-03T19:00",
                "--insert", "participants=\(name)")
            #expect(dinner.error == "--start is Mon 2027-05-03 19:00 \(zone), as the trip 'Apart' is then.")
        }
        #expect(
            await tool.run("agenda", "2027-05-03", "--trip", "Apart").out.prefix(3) == [
                "Mon 3 May 2027  Tokyo time – New York time", "  19:00  Dinner of Ana", "  19:00  Dinner of Ben",
            ])
        await tool.expectInvariants()
    }
}
