import Foundation
import StoreSupport
import Testing

@Suite("Journeys, stays and whole days on the command line")
struct DomainShownTests {
    private static func flight(_ tool: Tool) async throws -> String {
        _ = try await tool.value("add", "trip", "--name", "Porto", "--stage", "booked", "--color", "#2A6F97")
        return try await tool.value(
            "add", "transportation", "--name", "To Porto", "--trip", "Porto", "--mode", "plane", "--carrier", "TAP",
            "--number", "TP 1928", "--seat", "12A", "--travel-class", "economy", "--departure-name", "Lisbon",
            "--departure-code", "LIS", "--departure-terminal", "1", "--departure-gate", "12", "--departure-city",
            "Lisboa", "--departure-latitude", "38.77", "--departure-longitude", "-9.13", "--arrival-code", "OPO",
            "--cost", "90", "--currency", "EUR", "--paid", "deposit", "--paid-amount", "30", "--category", "flights",
            "--start-day", "2027-05-02", "--insert", "links=https://tap.example", "--insert",
            #"contacts={"name":"Ana","phone":"+351 2","role":"desk"}"#)
    }

    @Test("A journey is added, shown, edited, blamed and listed with all that a ticket says")
    func journey() async throws {
        let tool = try await Tool.withStore()
        let id = try await Self.flight(tool)
        let shown = await tool.run("show", id).out
        for line in [
            "  from Sun 2 May 2027", "  plane, flights, 90.00 EUR, deposit of 30.00 EUR paid, 60.00 EUR unpaid",
            "  TAP, TP 1928, seat 12A, class economy", "  from Lisbon (LIS), terminal 1, gate 12, Lisboa", "  to OPO",
            "  links  https://tap.example", "  contacts  Ana, desk, +351 2",
        ] { #expect(shown.contains(line), "\(line) in \(shown)") }
        #expect(await tool.run("edit", id, "--departure-gate", "7", "--remove", "links=https://tap.example").code == 0)
        let item = try #require(try await tool.run("show", id, "--json").object()["item"] as? [String: Any])
        #expect(item["departureGate"] as? String == "7" && item["departureCode"] as? String == "LIS")
        #expect((item["links"] as? [Any])?.isEmpty == true)
        #expect(((item["contacts"] as? [[String: Any]])?.first?["name"]) as? String == "Ana")
        #expect(item["checkIn"] is NSNull && item["startDay"] as? String == "2027-05-02")
        #expect((item["paidAmount"] as? [String: Any])?["currency"] as? String == "EUR")
        let listed = await tool.run("list", "transportations", "--where", "carrier = 'TAP'", "--columns", "number").out
        #expect(listed.contains { $0.contains("TP 1928") }, "\(listed)")
        let blamed = await tool.run("audit", "blame", id).out
        #expect(blamed.contains { $0.contains("departureGate") }, "\(blamed)")
        #expect(await tool.run("edit", id, "--clear", "contacts", "--clear", "arrivalCode").code == 0)
        let cleared = await tool.run("show", id).out
        #expect(!cleared.contains { $0.contains("Ana") || $0.contains("OPO") })
        #expect(await tool.run("undo", "--last").code == 0)
        #expect(await tool.run("show", id).out.contains("  to OPO"))
        await tool.expectInvariants()
    }

    @Test("A cancelled item counts what is paid in the head of its trip, as it is and as it was")
    func cancelled() async throws {
        let tool = try await Tool.withStore()
        let id = try await Self.flight(tool)
        #expect(await tool.run("show", "Porto").out.contains("  1 item, 90.00 EUR"))
        #expect(await tool.run("edit", id, "--stage", "cancelled").code == 0)
        let shown = await tool.run("show", "Porto").out
        #expect(shown.contains("  1 item, 30.00 EUR"), "\(shown)")
        #expect(shown.contains("  booked") && shown.contains("  colour #2A6F97"))
        #expect(shown.contains { $0.contains("cancelled, plane") })
        let position = try #require(try await tool.run("status", "--json").object()["position"] as? Int)
        #expect(await tool.run("show", "Porto", "--as-of", "\(position)").out.contains("  1 item, 30.00 EUR"))
        #expect(await tool.run("show", "Porto", "--as-of", "\(position - 1)").out.contains("  1 item, 90.00 EUR"))
        await tool.expectInvariants()
    }

    @Test(
        "What has no time is first on its day, and a stay of whole days has its nights and the times of its check-in and check-out"
    )
    func wholeDays() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value(
            "add", "trip", "--name", "Porto", "--start-date", "2027-05-01", "--end-date", "2027-05-03")
        _ = try await tool.value(
            "add", "lodging", "--name", "Inn", "--trip", "Porto", "--start-day", "2027-05-01", "--end-day",
            "2027-05-03", "--check-in", "2027-05-01T15:00", "--check-in-time-zone", "Europe/Lisbon", "--check-out",
            "2027-05-03T11:00")
        // Noted by the clock of New York, while one is in Lisbon, where the second has begun.
        _ = try await tool.value(
            "add", "activity", "--name", "Dinner", "--trip", "Porto", "--start", "2027-05-01T21:00",
            "--start-time-zone", "America/New_York")
        _ = try await tool.value(
            "add", "activity", "--name", "Festival", "--trip", "Porto", "--start-day", "2027-05-02", "--end-day",
            "2027-05-03")
        #expect(
            await tool.run("show", "Porto").out == [
                "Porto", "  Sat 1 – Mon 3 May 2027, 3 days", "  3 items", "",
                "Sat 1 May 2027  Lisbon time", "  15:00  check-in: Inn", "         2 nights",
                "         check-in from Sat 1 May 2027 15:00", "         check-out by Mon 3 May 2027 11:00", "",
                "Sun 2 May 2027  Lisbon time", "         Festival", "         2 days",
                "  02:00  Dinner (21:00 New York time)", "         night 2 of 2: Inn", "",
                "Mon 3 May 2027  Lisbon time", "         day 2 of 2: Festival", "  11:00  check-out: Inn",
            ])
        let refused = await tool.run("edit", "Festival", "--end-day", "2027-05-01")
        #expect(refused.code != 0)
        await tool.expectInvariants()
    }

    @Test("An item of several whole days is on each of them, first, and once on days with nothing else")
    func severalDays() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value(
            "add", "trip", "--name", "Porto", "--start-date", "2027-05-01", "--end-date", "2027-05-07")
        _ = try await tool.value(
            "add", "activity", "--name", "Festival", "--trip", "Porto", "--start-day", "2027-05-02", "--end-day",
            "2027-05-06")
        _ = try await tool.value(
            "add", "activity", "--name", "Dinner", "--trip", "Porto", "--start", "2027-05-03T21:00",
            "--start-time-zone", "Europe/Lisbon")
        _ = try await tool.value(
            "add", "activity", "--name", "Walk", "--trip", "Porto", "--start-day", "2027-05-06", "--end-day",
            "2027-05-06")
        #expect(
            await tool.run("show", "Porto").out == [
                "Porto", "  Sat 1 – Fri 7 May 2027, 7 days", "  3 items", "",
                "Sat 1 May 2027", "  nothing planned", "",
                "Sun 2 May 2027", "         Festival", "         5 days", "",
                "Mon 3 May 2027", "         day 2 of 5: Festival", "  21:00  Dinner", "",
                "Tue 4 – Wed 5 May 2027", "         days 3 to 4 of 5: Festival", "",
                "Thu 6 May 2027", "         day 5 of 5: Festival", "         Walk", "",
                "Fri 7 May 2027", "  nothing planned",
            ])
        await tool.expectInvariants()
    }
}
