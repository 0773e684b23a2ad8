import Foundation
import StoreSupport
import Testing

@Suite("A trip as a traveller reads it")
struct ShowCommandTests {
    private func lines(_ tool: Tool, _ trip: String) async -> [String] { await tool.run("show", trip).out }

    @Test("A stay has its check-in, its nights and its check-out on their days, and days in between are drawn together")
    func stays() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value(
            "add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01", "--end-date", "2027-05-08")
        _ = try await tool.value(
            "add", "lodging", "--name", "Inn", "--trip", "Lisbon", "--start", "2027-05-02T15:00", "--start-time-zone",
            "Europe/Lisbon", "--end", "2027-05-07T11:00", "--city", "Lisboa")
        _ = try await tool.value(
            "add", "activity", "--name", "Tram", "--trip", "Lisbon", "--start", "2027-05-05T10:00",
            "--start-time-zone", "Europe/Lisbon")
        #expect(
            await lines(tool, "Lisbon") == [
                "Lisbon", "  Sat 1 – Sat 8 May 2027, 8 days", "  2 items", "",
                "Sat 1 May 2027", "  nothing planned", "",
                "Sun 2 May 2027  Lisboa", "  15:00  check-in: Inn", "         5 nights", "         Lisboa", "",
                "Mon 3 – Tue 4 May 2027  Lisboa", "         nights 2 to 3 of 5: Inn", "",
                "Wed 5 May 2027  Lisboa", "  10:00  Tram", "         night 4 of 5: Inn", "",
                "Thu 6 May 2027  Lisboa", "         night 5 of 5: Inn", "",
                "Fri 7 May 2027  Lisboa", "  11:00  check-out: Inn", "",
                "Sat 8 May 2027", "  nothing planned",
            ])
        await tool.expectInvariants()
    }

    @Test(
        "Over the date line the order is that of time, a day appears twice, and the arrival shows how many days later it is"
    )
    func dateLine() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "T")
        _ = try await tool.value(
            "add", "transportation", "--name", "West", "--trip", "T", "--start", "2027-05-01T22:00",
            "--start-time-zone",
            "America/Los_Angeles", "--end", "2027-05-03T06:30", "--end-time-zone", "Australia/Sydney")
        _ = try await tool.value(
            "add", "transportation", "--name", "East", "--trip", "T", "--start", "2027-05-04T00:30",
            "--start-time-zone", "Pacific/Auckland", "--end", "2027-05-03T17:40", "--end-time-zone",
            "America/Los_Angeles")
        #expect(
            await lines(tool, "T").dropFirst(2) == [
                "", "Sat 1 May 2027  Los Angeles time – Sydney time", "  22:00 – 06:30 +2 days  West",
                "                         15 h 30 min", "",
                "Sun 2 May 2027", "                         on the way: West", "",
                "Mon 3 May 2027  Sydney time", "  06:30                  arrival: West", "",
                "Tue 4 May 2027  Auckland time – Los Angeles time", "  00:30 – 17:40 -1 day   East",
                "                         12 h 10 min", "",
                "Mon 3 May 2027  Los Angeles time", "  17:40                  arrival: East",
            ])
        await tool.expectInvariants()
    }

    @Test("Notes of several lines are indented below their item, and what has no time comes last")
    func notes() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "T", "--notes", "one\ntwo")
        _ = try await tool.value(
            "add", "activity", "--name", "A", "--trip", "T", "--notes", "first\r\n\tsecond", "--cost", "-3.50",
            "--currency", "EUR")
        #expect(
            await lines(tool, "T") == [
                "T", "  1 item, -3.50 EUR", "  3.50 EUR to come back", "  one", "  two", "", "Without a time", "  A",
                "  refund of 3.50 EUR, expected", "  first", "      second",
            ])
        await tool.expectInvariants()
    }

    @Test("An empty line in notes stays empty")
    func emptyLine() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "T")
        _ = try await tool.value("add", "activity", "--name", "A", "--trip", "T", "--notes", "first\n\nsecond")
        #expect(await lines(tool, "T").suffix(4) == ["  A", "  first", "", "  second"])
        await tool.expectInvariants()
    }
}
