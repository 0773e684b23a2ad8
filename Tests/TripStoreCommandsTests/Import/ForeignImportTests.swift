import Foundation
import StoreSupport
import Testing
import TripStore

@testable import TripStoreCommands

@Suite("Importing calendars and tables")
struct ForeignImportTests {
    private static func sample(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Tools/samples/\(name)").standardized.path
    }

    private static func counts(_ object: [String: Any], _ outcome: String) -> Int {
        (object[outcome] as? [String: Int])?.values.reduce(0, +) ?? -1
    }

    private static let files: [[String]] = [
        [sample("calendars/tripit-style.ics")], [sample("calendars/airline-style.ics")],
        [sample("calendars/hotel-style.ics")],
        [sample("tables/bookings.csv"), "--mapping", sample("tables/bookings-mapping.json")],
    ]

    @Test(
        "Twice in a row writes nothing the second time, and a dry run says the same and writes nothing",
        arguments: files)
    func twice(arguments: [String]) async throws {
        let tool = try await Tool.withStore()
        let position = try await tool.position()
        let planned = try await tool.run(["import"] + arguments + ["--dry-run", "--json"]).object()
        #expect(try await tool.position() == position)
        #expect(planned["commits"] as? Int == 0 && planned["correlation"] is NSNull)
        let first = try await tool.run(["import"] + arguments + ["--json"]).object()
        #expect(Self.counts(first, "created") > 2 && Self.counts(first, "skipped") == 0)
        for key in ["created", "edited", "unchanged", "skipped"] {
            #expect(planned[key] as? [String: Int] == first[key] as? [String: Int], "\(key)")
        }
        #expect(planned["events"] as? Int == first["events"] as? Int)
        for extra in [[], ["--dry-run"]] {
            let again = try await tool.run(["import"] + arguments + ["--json"] + extra).object()
            #expect(again["events"] as? Int == 0 && Self.counts(again, "unchanged") == Self.counts(first, "created"))
        }
        await tool.expectInvariants()
    }

    @Test("What a person changed since stays where the file says nothing new, and what they deleted stays deleted")
    func personsChanges() async throws {
        let tool = try await Tool.withStore()
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let path = folder.path("x.ics")
        func write(_ summary: String, _ place: String) throws {
            let text = """
                BEGIN:VCALENDAR
                X-WR-CALNAME:Work
                BEGIN:VEVENT
                UID:1
                SUMMARY:\(summary)
                LOCATION:\(place)
                DTSTART:20270501T090000Z
                END:VEVENT
                BEGIN:VEVENT
                UID:2
                SUMMARY:Other
                DTSTART:20270502T090000Z
                END:VEVENT
                END:VCALENDAR
                """
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        }
        try write("Visit", "Here")
        #expect(await tool.run("import", path).code == 0)
        #expect(await tool.run("edit", "Visit", "--name", "My visit").code == 0)
        #expect(await tool.run("delete", "Other").code == 0)
        try write("Visit", "There")
        let second = try await tool.run("import", path, "--json").object()
        #expect(second["events"] as? Int == 1 && (second["skipped"] as? [String: Int])?["activity"] == 1)
        let item = try await tool.run("show", "My visit", "--json").object()
        #expect("\(item)".contains("There"))
        // Its kind would be another now: it stays the same entity.
        try write("Flight to Rome", "There")
        let third = try await tool.run("import", path, "--json").object()
        #expect((third["edited"] as? [String: Int])?["activity"] == 1 && Self.counts(third, "created") == 0)
        await tool.expectInvariants()
    }

    @Test("Items come into the trip that is named, into the one that has their days, or into one for the file")
    func trips() async throws {
        let file = Self.sample("calendars/airline-style.ics")
        for (arguments, name) in [
            (["--trip", "Far"], "Far"), (["--new-trip", "Summer"], "Summer"), ([], "Around"),
        ] {
            let tool = try await Tool.withStore()
            for (trip, first, last) in [("Far", "2030-01-01", "2030-01-02"), ("Around", "2027-06-01", "2027-06-30")] {
                #expect(
                    await tool.run("add", "trip", "--name", trip, "--start-date", first, "--end-date", last).code == 0)
            }
            #expect(await tool.run(["import", file] + arguments).code == 0)
            // Whatever else comes later, an item stays where it is.
            #expect(
                await tool.run(
                    "add", "trip", "--name", "Second", "--start-date", "2027-06-01", "--end-date", "2027-06-30"
                ).code == 0)
            let again = try await tool.run(["import", file, "--json"]).object()
            #expect(again["events"] as? Int == 0)
            let rows = try await tool.run("trips", "--json").objects()
            let filled = rows.filter { ($0["itemCount"] as? Int ?? 0) > 0 }.compactMap { $0["name"] as? String }
            #expect(filled == [name], "\(rows)")
            await tool.expectInvariants()
        }
    }

    @Test("The trip of a file that was exported comes with its items into an empty store, once")
    func tripOfFile() async throws {
        let tool = try await Tool.withStore()
        #expect(await tool.run("import", Self.sample("calendars/tripit-style.ics")).code == 0)
        let trips = try await tool.run("trips", "--json").objects()
        let name = try #require(trips.first?["name"] as? String)
        let path = tool.folder.path("again.ics")
        #expect(await tool.run("export", path, "--trip", name).code == 0)
        let other = try await Tool.withStore()
        #expect(await other.run("import", path).code == 0)
        let rows = try await other.run("trips", "--json").objects()
        #expect(rows.count == 1 && rows.first?["name"] as? String == name)
        #expect(rows.first?["itemCount"] as? Int == trips.first?["itemCount"] as? Int)
        for tool in [tool, other] { await tool.expectInvariants() }
    }

    @Test("An import that is undone can be imported again")
    func undone() async throws {
        let tool = try await Tool.withStore()
        let file = Self.sample("calendars/hotel-style.ics")
        let first = try await tool.run("import", file, "--json").object()
        let correlation = try #require(first["correlation"] as? String)
        #expect(await tool.run("undo", "--correlation", correlation).code == 0)
        let again = try await tool.run("import", file, "--json").object()
        #expect(Self.counts(again, "restored") == Self.counts(first, "created") && Self.counts(again, "skipped") == 0)
        await tool.expectInvariants()
    }

    @Test(
        "An export comes back to the same ids: nothing new here, equal trips in an empty store, and edits of another program"
    )
    func roundTrip() async throws {
        let tool = try await Tool.withStore()
        for arguments in Self.files {
            #expect(await tool.run(["import"] + arguments + ["--new-trip", "All"]).code == 0)
        }
        let walk = [
            "add", "activity", "--name", "Walk", "--trip", "All", "--start", "2027-05-02T10:00", "--start-time-zone",
            "Europe/Lisbon",
        ]
        #expect(await tool.run(walk).code == 0)
        let path = tool.folder.path("all.ics")
        let outcome = await tool.run("export", path, "--costs")
        #expect(outcome.code == 0 && outcome.error.isEmpty, "\(outcome.error)")
        let back = try await tool.run("import", path, "--json").object()
        #expect(back["events"] as? Int == 0 && Self.counts(back, "skipped") == 0, "\(back)")

        let other = try await Tool.withStore()
        #expect(await other.run("import", path).code == 0)
        #expect(try await other.run("import", path, "--json").object()["events"] as? Int == 0)
        let copy = other.folder.path("copy.ics")
        #expect(await other.run("export", copy, "--costs").code == 0)
        func lines(_ path: String) throws -> [Substring] {
            let histories = ["SEQUENCE:", "DTSTAMP:", "CREATED:", "LAST-MODIFIED:", "X-TRIPSTORE-CREATED:"]
            return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\r\n").filter { line in
                !histories.contains { line.hasPrefix($0) }
            }
        }
        #expect(try lines(copy) == lines(path))

        var text = try String(contentsOfFile: path, encoding: .utf8)
        text = text.replacing("SUMMARY:Walk\r\n", with: "SUMMARY:Long walk\r\n")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let edited = try await tool.run("import", path, "--json").object()
        #expect(edited["events"] as? Int == 1 && (edited["edited"] as? [String: Int])?["activity"] == 1)
        // The file is older than an edit since: it says nothing new.
        #expect(await tool.run("edit", "Long walk", "--name", "Short walk").code == 0)
        #expect(try await tool.run("import", path, "--json").object()["events"] as? Int == 0)
        await tool.expectInvariants()
        await other.expectInvariants()
    }

    @Test(
        "A file that cannot be read is named with the line, and nothing is written",
        arguments: [
            ("x.ics", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n", "truncated", "x.ics, line 4, column 1: "),
            ("x.ics", "{}", "wrongFormat", "x.ics, line 1, column 1: "), ("x.ics", "", "empty", "x.ics: "),
            ("x.csv", "a,b\n1,2\n", "usage", "--mapping"),
            ("calendar", "BEGIN:VCALENDAR\n", "truncated", "calendar, line 2"),
        ])
    func unreadable(name: String, text: String, code: String, words: String) async throws {
        let tool = try await Tool.withStore()
        let position = try await tool.position()
        let path = tool.folder.path(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let outcome = await tool.run("import", path, "--json")
        #expect(
            outcome.code == 2 && outcome.error.contains("\"\(code)\"") && outcome.error.contains(words),
            "\(outcome.error)")
        #expect(try await tool.position() == position)
        await tool.expectInvariants()
    }

    @Test(
        "Options of another format are refused",
        arguments: [
            ["calendars/hotel-style.ics", "--mirror"], ["calendars/hotel-style.ics", "--older"],
            ["flights-day-planned.json", "--new-trip", "x"], ["flights-day-planned.json", "--trip", "x"],
            ["flights-day-planned.json", "--strict"],
            ["calendars/hotel-style.ics", "--mapping", "x", "--format", "ics"], ["tables/bookings.csv"],
        ])
    func foreignOptions(arguments: [String]) async throws {
        let tool = try await Tool.withStore()
        let line = ["import", Self.sample(arguments[0])] + arguments.dropFirst()
        let outcome = await tool.run(line)
        #expect([1, 2, 64].contains(outcome.code) && !outcome.error.isEmpty)
        #expect(try await tool.run("trips", "--json").objects().isEmpty)
        await tool.expectInvariants()
    }

    @Test("A dry run of an export of Traveling Snails writes nothing, and says what an import does")
    func snails() async throws {
        let tool = try await Tool.withStore()
        let position = try await tool.position()
        let planned = try await tool.run("import", ExportFixture.planned, "--dry-run", "--json").object()
        #expect(try await tool.position() == position)
        let first = try await tool.run("import", ExportFixture.planned, "--json").object()
        #expect(
            planned["created"] as? [String: Int] == first["created"] as? [String: Int]
                && planned["events"] as? Int == first["events"] as? Int)
        await tool.expectInvariants()
    }
}
