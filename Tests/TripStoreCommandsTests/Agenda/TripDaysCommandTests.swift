import Foundation
import StoreSupport
import Testing
import TripStoreCommands

@Suite("The days of trips, in the tool")
struct TripDaysCommandTests {
    private static func days(_ tool: Tool) async throws -> [String?] {
        let trip = try #require(try await tool.run("trips", "--json").objects().first)
        return [trip["startDate"] as? String, trip["endDate"] as? String]
    }

    @Test(
        "The days of a trip that an import made follow its items, wherever these are changed, until a person sets them")
    func tripDays() async throws {
        let tool = try await Tool.withStore()
        func load(_ start: String, _ end: String) async throws {
            try tool.write(
                Tool.calendar(["DTSTART;VALUE=DATE:\(start)\nDTEND;VALUE=DATE:\(end)\nSUMMARY:Reserved"]), to: "in.ics")
            #expect(await tool.run("import", tool.folder.path("in.ics"), "--new-trip", "T").code == 0)
        }
        try await load("20270624", "20270628")
        #expect(try await Self.days(tool) == ["2027-06-24", "2027-06-27"])
        try await load("20270623", "20270627")
        #expect(try await Self.days(tool) == ["2027-06-23", "2027-06-26"])
        #expect(await tool.run("edit", "Reserved", "--start-day", "2027-06-20").code == 0)
        #expect(try await Self.days(tool) == ["2027-06-20", "2027-06-26"])
        let undone = await tool.run("undo", "--last")
        #expect(undone.code == 0)
        #expect(undone.error.contains("The trip 'T' follows its items: Wed 23 – Sat 26 Jun 2027."), "\(undone.error)")
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
            try tool.write(Tool.calendar(events, method: method), to: "in.ics")
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
}
