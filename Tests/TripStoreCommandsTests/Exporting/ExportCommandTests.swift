import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore
import TripStoreCommands

@Suite("The export command")
struct ExportCommandTests {
    /// A store with a trip and an activity.
    private static func tool() async throws -> Tool {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01")
        _ = try await tool.value(
            "add", "activity", "--name", "Tram", "--trip", trip, "--start", "2027-05-01T10:00", "--start-time-zone",
            "Europe/Lisbon", "--end", "2027-05-01T11:00")
        return tool
    }

    private static func trips(_ file: String) throws -> [String] {
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        let export = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        return try #require(export["trips"] as? [[String: Any]]).compactMap { $0["name"] as? String }
    }

    @Test("The file's ending says the format, its trips are those that are asked for, and its import changes nothing")
    func selection() async throws {
        let tool = try await Self.tool()
        _ = try await tool.value("add", "trip", "--name", "Rome", "--start-date", "2028-05-01")
        _ = try await tool.value("add", "trip", "--name", "Someday")
        let file = tool.folder.path("trips.JSON")
        for (arguments, names) in [
            ([], ["Lisbon", "Rome", "Someday"]), (["--trip", "Rome", "--trip", "Someday"], ["Rome", "Someday"]),
            (["--days", "2027-05"], ["Lisbon"]), (["--days", "1990"], []),
        ] as [([String], [String])] {
            let outcome = await tool.run(["export", file, "--force"] + arguments)
            #expect(outcome.code == 0 && outcome.error.isEmpty, "\(outcome.error)")
            #expect(outcome.out.first?.hasPrefix("Wrote \(names.count) trip") == true)
            #expect(try Self.trips(file) == names)
            #expect(try await tool.run("import", file, "--json").object()["events"] as? Int == 0)
        }
        #expect(try tool.names() == ["store", "trips.JSON"])
        await tool.expectInvariants()
    }

    @Test(
        "With --days there is a trip whose items are then though its own days are not; what is left out is counted",
        arguments: ["ics", "geojson", "gpx", "html", "json"])
    func itemsOnDays(format: String) async throws {
        let tool = try await Tool.withStore()
        let open = try await tool.value("add", "trip", "--name", "Open")
        let early = try await tool.value(
            "add", "trip", "--name", "Early", "--start-date", "2027-04-01", "--end-date", "2027-04-02")
        let model = try await tool.value("add", "trip", "--name", "Model")
        for (name, trip) in [("Tram", open), ("Late", early), ("Pattern", model)] {
            _ = try await tool.value(
                "add", "activity", "--name", name, "--trip", trip, "--start", "2027-05-01T10:00", "--start-time-zone",
                "Europe/Lisbon", "--latitude", "38", "--longitude", "-9")
        }
        let store = try await TripStore.open(
            at: URL(fileURLWithPath: tool.path), options: TripStore.Options(mapSize: 1 << 30))
        try await store.edit(try #require(UUID(uuidString: model).map { Trip.ID($0) })) { $0.isTemplate = true }
        await store.close()
        let file = tool.folder.path("x.\(format)")
        let outcome = await tool.run("export", file, "--days", "2027-05-01")
        #expect(outcome.code == 0 && outcome.out.first?.hasPrefix("Wrote 2 trips") == true, "\(outcome)")
        let text = try tool.text(of: "x.\(format)")
        #expect(["Tram": true, "Late": true, "Pattern": false].allSatisfy { text.contains($0.key) == $0.value })
        let whole = await tool.run("export", file, "--force")
        if format == "ics" { #expect(whole.error.contains("Templates are left out: 1."), "\(whole.error)") }
        #expect(
            await tool.run("export", file, "--force", "--days", "2027-05-02").out.first?.hasPrefix("Wrote 0 ") == true)
        await tool.expectInvariants()
    }

    @Test("On standard output it needs a format, and is the file's text; where only text is read, line by line")
    func standardOutput() async throws {
        let tool = try await Self.tool()
        let outcome = try tool.shell("\"$T\" export - --format json > piped && \"$T\" export file.json")
        #expect(outcome.code == 0 && outcome.text.hasPrefix("Wrote 1 trip"), "\(outcome.complaint)")
        let withoutDate = { (text: String) in text.split(separator: "\n").filter { !$0.contains("\"timestamp\" : ") } }
        let written = withoutDate(try tool.text(of: "file.json"))
        #expect(withoutDate(try tool.text(of: "piped")) == written)
        let printed = await tool.run("export", "-", "--format", "json")
        #expect(printed.code == 0 && withoutDate(printed.out.joined(separator: "\n")) == written)
        #expect(await tool.run("export", "-").error.contains("--format"))
        #expect(await tool.run("export", "-", "--format", "json", "--json").code == 64)
        await tool.expectInvariants()
    }

    @Test("What cannot be exported says why and what to do, and leaves nothing behind")
    func refusals() async throws {
        let tool = try await Self.tool()
        try tool.write("Dear Ana,", to: "there.json")
        let porto = try await tool.value("add", "trip", "--name", "Porto")
        #expect(await tool.run("delete", porto).code == 0)
        let names = try tool.names()
        for (arguments, code, words) in [
            ([tool.folder.path("trips.pages")], 2, "names no format"), ([tool.folder.path("trips")], 2, "--format"),
            ([tool.folder.path("trips.json"), "--format", "pages"], 64, "--format"),
            ([tool.folder.path("there.json")], 2, "--force"), ([tool.folder.path("no/such/folder.json")], 2, "folder"),
            ([tool.folder.path("there.json/trips.json")], 2, "there.json"), (["/proc/trips.json"], 2, "/proc"),
            ([tool.folder.path("trips.json"), "--trip", porto], 2, "restore \(porto)"),
            ([tool.folder.path("trips.json"), "--trip", "Nowhere"], 2, "Nowhere"),
            ([tool.folder.path("trips.json"), "--days", "soon"], 64, "--days"), ([], 64, "<file>"),
        ] as [([String], Int32, String)] {
            let outcome = await tool.run(["export"] + arguments)
            #expect(outcome.code == code && outcome.out.isEmpty, "\(arguments): \(outcome.error)")
            #expect(
                outcome.error.contains(words) && !outcome.error.contains("Error("), "\(arguments): \(outcome.error)")
        }
        #expect(try tool.names() == names)
        #expect(try tool.text(of: "there.json") == "Dear Ana,")
        let forced = await tool.run("export", tool.folder.path("there.json"), "--force")
        #expect(forced.code == 0)
        #expect(try Self.trips(tool.folder.path("there.json")) == ["Lisbon"])
        await tool.expectInvariants()
    }

    @Test("What an export of Traveling Snails does not hold is counted in one line, and named with --verbose")
    func warnings() async throws {
        let tool = try await Self.tool()
        #expect(await tool.run("edit", "Tram", "--category", "fun").code == 0)
        try tool.write("seat 4A", to: "pass.txt")
        try tool.write("menu", to: "menu.txt")
        for name in ["pass.txt", "menu.txt"] {
            #expect(await tool.run("attach", "Tram", tool.folder.path(name)).code == 0)
        }
        // Those of one are given up.
        #expect(await tool.run("discard", "menu.txt", "--yes").code == 0)
        let file = tool.folder.path("trips.json")
        let outcome = await tool.run("export", file)
        #expect(outcome.code == 0 && outcome.out.last?.hasSuffix("trips.json, for the app Traveling Snails") == true)
        let summary =
            "Warning: This .json is for the app Traveling Snails, and leaves out or changes 2 kinds of things."
        #expect(outcome.error.split(separator: "\n") == ["\(summary) --verbose names each.", "1 warning."])
        let verbose = await tool.run("export", file, "--force", "--verbose")
        let lines = verbose.error.split(separator: "\n")
        #expect(lines.first == summary[...])
        #expect(lines.contains { $0.hasPrefix("Warning: The category of 1 activity is left out, as of 'Tram'") })
        #expect(lines.contains { $0.hasPrefix("Warning: 1 attachment left out, as of 'menu.txt'") })
        #expect(lines.count == 4 && lines.last == "3 warnings.")
        let json = try await tool.run("export", file, "--force", "--json").object()
        #expect(json["warnings"] as? Int == 2 && json["trips"] as? Int == 1 && json["format"] as? String == "json")
        let bytes = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
        #expect(json["bytes"] as? Int == bytes)
        let text = try tool.text(of: "trips.json")
        #expect(text.contains(Data("seat 4A".utf8).base64EncodedString()) && !text.contains("menu.txt"))
        await tool.expectInvariants()
    }

    @Test("On a full disk it fails in words and leaves nothing", .enabled(if: MemoryFileSystem.isAvailable))
    func fullDisk() async throws {
        let tool = try await Self.tool()
        let system = try MemoryFileSystem(kibibytes: 1 << 10)
        try system.fill()
        let before = try FileManager.default.contentsOfDirectory(atPath: system.path)
        let file = system.path + "/trips.json"
        let outcome = await tool.run("export", file)
        #expect(outcome.code == 2 && outcome.out.isEmpty)
        #expect(outcome.error.contains(file) && outcome.error.contains("space"), "\(outcome.error)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: system.path) == before)
        withExtendedLifetime(system) {}
        await tool.expectInvariants()
    }

    @Test("Progress counts trips and bytes, and is gone at the end")
    func progress() async throws {
        let tool = try await Self.tool()
        let shown = Shown()
        let outcome = await tool.run("export", tool.folder.path("trips.json")) { $0.progress = { shown.add($0) } }
        #expect(outcome.code == 0)
        #expect(shown.lines.contains { $0.hasPrefix("writing 1 of 1 trip, 100 %") } && shown.lines.last == "")
        await tool.expectInvariants()
    }
}
