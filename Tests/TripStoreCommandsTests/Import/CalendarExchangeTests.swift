import Foundation
import StoreSupport
import Testing
import TripStore

@testable import TripStoreCommands

@Suite("Calendars between stores")
struct CalendarExchangeTests {
    private static func event(_ lines: String) -> String {
        let text = "BEGIN:VCALENDAR\nX-WR-CALNAME:Work\nBEGIN:VEVENT\nUID:1\n\(lines)\nEND:VEVENT\nEND:VCALENDAR\n"
        return text.replacing("\n", with: "\r\n")
    }

    private static func events(_ tool: Tool, _ file: String) async throws -> Int? {
        try await tool.run("import", tool.folder.path(file), "--json").object()["events"] as? Int
    }

    @Test("An old export writes over no newer edit, though an import had made the item; elsewhere edits stay, too")
    func oldExport() async throws {
        let tool = try await Tool.withStore()
        try tool.write(Self.event("SUMMARY:Visit\nDTSTART:20270501T090000Z"), to: "work.ics")
        #expect(try await Self.events(tool, "work.ics") == 2)
        #expect(await tool.run("edit", "Visit", "--name", "First").code == 0)
        #expect(await tool.run("export", tool.folder.path("old.ics")).code == 0)
        #expect(try await Self.events(tool, "old.ics") == 0)
        #expect(await tool.run("edit", "First", "--name", "Second", "--reservation", "QX7").code == 0)
        #expect(try await Self.events(tool, "old.ics") == 0)
        #expect(await tool.run("show", "Second").code == 0)

        let other = try await Tool.withStore()
        let text = try tool.text(of: "old.ics")
        try other.write(text, to: "old.ics")
        #expect(try await Self.events(other, "old.ics") == 2)
        #expect(await other.run("edit", "First", "--name", "Mine").code == 0)
        #expect(try await Self.events(other, "old.ics") == 0)
        // What is new in the file comes.
        #expect(await tool.run("export", tool.folder.path("new.ics")).code == 0)
        try other.write(tool.text(of: "new.ics"), to: "new.ics")
        #expect(try await Self.events(other, "new.ics") == 1)
        #expect(await other.run("show", "Second").code == 0)
        for tool in [tool, other] { await tool.expectInvariants() }
    }

    @Test("A series that moves, or gains a rule, is updated, and never doubles")
    func series() async throws {
        let tool = try await Tool.withStore()
        func count() async throws -> Int { try await tool.run("list", "activities", "--json").objects().count }
        for (lines, items) in [
            ("DTSTART:20270501T090000Z", 1), ("DTSTART:20270501T090000Z\nRRULE:FREQ=DAILY;COUNT=3", 3),
            ("DTSTART:20270502T110000Z\nRRULE:FREQ=WEEKLY;COUNT=3", 3),
            ("DTSTART;TZID=Europe/Lisbon:20270502T110000\nRRULE:FREQ=WEEKLY;COUNT=4", 4),
        ] {
            try tool.write(Self.event("SUMMARY:Class\n\(lines)"), to: "work.ics")
            #expect(await tool.run("import", tool.folder.path("work.ics")).code == 0)
            #expect(try await count() == items)
            #expect(try await Self.events(tool, "work.ics") == 0)
        }
        await tool.expectInvariants()
    }

    @Test(
        "An export brings amounts, the organization and its links into another store, once, and keeps links that are there"
    )
    func otherStore() async throws {
        let tool = try await Tool.withStore()
        let organization = try await tool.value("add", "organization", "--name", "Tours, Lda.")
        let trip = try await tool.value("add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01")
        _ = try await tool.value(
            "add", "activity", "--name", "Tram", "--trip", trip, "--start", "2027-05-01T10:00", "--start-time-zone",
            "Europe/Lisbon", "--cost", "12.50", "--currency", "EUR", "--organization", organization)
        #expect(await tool.run("edit", "Tram", "--insert", "links=https://a.example").code == 0)
        #expect(await tool.run("export", tool.folder.path("a.ics"), "--costs").code == 0)
        let text = try tool.text(of: "a.ics")
        let other = try await Tool.withStore()
        try other.write(text, to: "a.ics")
        let first = try await other.run("import", other.folder.path("a.ics"), "--json").object()
        #expect((first["created"] as? [String: Int])?["organization"] == 1)
        let shown = try await other.run("show", "Tram", "--json").object()
        #expect("\(shown)".contains("1250") && "\(shown)".contains(organization), "\(shown)")
        #expect(try await Self.events(other, "a.ics") == 0)
        // Another program changes the address: the one that was there stays.
        try tool.write(text.replacing("URL:https://a.example", with: "URL:https://b.example"), to: "a.ics")
        #expect(try await Self.events(tool, "a.ics") == 1)
        let links = "\(try await tool.run("show", "Tram", "--json").object())"
        #expect(links.contains("https://a.example") && links.contains("https://b.example"))
        for tool in [tool, other] { await tool.expectInvariants() }
    }

    @Test(
        "Bad calendars and tables are refused with the place, or skipped and counted; nothing of a refused one is written",
        arguments: [
            ("x.ics", Self.event("DTSTART:20270501").replacing("END:VCALENDAR", with: ""), 2, "line 8"),
            ("x.ics", Self.event("DTSTART:00000501T000000Z"), 1, "line 5: an event is left out"),
            ("x.ics", Self.event("DTSTART:100000501T000000Z"), 1, "line 5: an event is left out"),
            ("x.ics", Self.event("SUMMARY:x\nDTSTART;TZID=No/Where:20270501T120000"), 0, "\"No/Where\" is not known"),
            ("x.ics", String(repeating: "BEGIN:VCALENDAR\r\n", count: 9), 2, "line 9, column 1"),
            ("x.ics", "BEGIN:VCALENDAR\nX-A:\u{0}\nEND:VCALENDAR", 2, "line 2, column 5"),
            ("x.csv", "name,start\nx,0000-05-01\n", 1, "line 2, column 3"),
            ("x.csv", "name,start\nx,10000-05-01\n", 1, "line 2, column 3"),
            ("x.csv", "name,start\nx,\"2027", 2, "line 2, column 3"), ("x.csv", "nose,start\n", 2, "no column 'name'"),
        ])
    func badFiles(name: String, text: String, code: Int32, words: String) async throws {
        let tool = try await Tool.withStore()
        let position = try await tool.position()
        try tool.write(text, to: name)
        try tool.write("{\"source\":\"x\",\"columns\":{\"name\":\"name\",\"start\":\"start\"}}", to: "mapping.json")
        let mapping = name.hasSuffix("csv") ? ["--mapping", tool.folder.path("mapping.json")] : []
        let outcome = await tool.run(["import", tool.folder.path(name)] + mapping)
        #expect(outcome.code == code && outcome.error.contains(words), "\(outcome.error)")
        if code != 0 { #expect(try await tool.position() == position) }
        await tool.expectInvariants()
    }

    @Test("A mapping that is no JSON is named with its line and column")
    func badMapping() async throws {
        let tool = try await Tool.withStore()
        try tool.write("name\nx\n", to: "x.csv")
        try tool.write("{\"source\": \"x\",\n \"columns\": {\"name\" \"name\"}}", to: "mapping.json")
        let outcome = await tool.run(
            "import", tool.folder.path("x.csv"), "--mapping", tool.folder.path("mapping.json"))
        #expect(outcome.code == 2 && outcome.error.contains("mapping.json, line 2, column 21"), "\(outcome.error)")
        await tool.expectInvariants()
    }
}
