import ArgumentParser
import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore
import TripStoreCommands

/// Compares the tool's output with the tables of its document.
@Suite("The document of what the tool prints")
struct ToolOutputTests {
    @Test(
        "Each line has the members of its table, in that order and of these types, and no others",
        arguments: OutputPart.allCases)
    func members(part: OutputPart) async throws {
        let document = try OutputDocument()
        let schema = try OutputSchema(document)
        for line in try await part.lines() {
            var check = OutputCheck(document)
            check.line(line)
            #expect(check.faults == [], "\(line.text)")
            #expect(schema.faults(of: try PrintedValue(line.text), as: line.object) == [], "\(line.text)")
        }
    }

    @Test("Every member that is documented is printed by some command")
    func everyMember() async throws {
        let document = try OutputDocument()
        var check = OutputCheck(document)
        for part in OutputPart.allCases {
            for line in try await part.lines() { check.line(line) }
        }
        let documented = Set(document.objects.flatMap { name, rows in rows.map { "\(name).\($0.member)" } })
        // Standard error and changed settings have tests of their own.
        let told: Set = [
            "error.error", "fault report.code", "fault report.message", "fault report.hint", "fault report.position",
            "warning.warning",
            "warned.message", "warning count.warnings", "setting.value", "setting.source",
            // Those of networks in those of `serve`.
            "sync state.state", "sync state.done", "sync state.of", "sync state.reason", "sync state.since",
            "sync state.nextTry", "sync state.by", "served.address", "served.host", "served.port", "served.pin",
            "served.metrics",
            // Members of web servers have tests with `feed` and `inspect`.
            "inspected.address", "inspected.port", "served feeds.address", "served feeds.host", "served feeds.port",
            "served feeds.feeds",
            // Only another process could make a repair fail between the diagnosis and the repair.
            "unrepaired.message", "unrepaired.reason",
        ]
        #expect(documented.subtracting(check.printed).subtracting(told).sorted() == [])
    }

    @Test("Every command that takes --json is in the document, and the document names no other")
    func everyCommand() async throws {
        let document = try OutputDocument()
        #expect(await Self.commands().sorted() == document.commands.keys.sorted())
    }

    @Test("Every type in the tables is explained, and every table is of something that is printed")
    func everyType() throws {
        let document = try OutputDocument()
        let rows = document.objects.values.flatMap { $0 }
        let types = rows.map(\.type) + document.commands.values + document.fields.values
        let named = Set(types.flatMap { $0.components(separatedBy: " or ") }.map(Self.element))
        let explained = document.types.union(document.objects.keys).union(["null"])
        #expect(named.subtracting(explained) == [])
        let used = named.union(document.included).union(["unread value", "error", "warning", "warning count"])
        #expect(Set(document.objects.keys).subtracting(used) == [])
        #expect(document.types == Set(OutputCheck.forms.keys).union(["boolean", "integer", "number", "value"]))
    }

    @Test("The JSON Schema says what the tables say")
    func schemaFile() throws {
        let path = SourceFile.path("Tools/TripStoreCommands/TripStoreCommands.docc/Resources/tool-output.schema.json")
        let text = try OutputSchema(OutputDocument()).text
        if ProcessInfo.processInfo.environment["TRIPSTORE_WRITE_EXPECTED"] != nil {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test("Settings that are set have the members of their table, from the environment and from the file")
    func settings() async throws {
        let folder = TemporaryFolder()
        let (document, file) = (try OutputDocument(), folder.path("config.json"))
        let schema = try OutputSchema(document)
        let environment = ["TRIPSTORE_CONFIG": file, "TRIPSTORE_AUTHOR": "ana", "TRIPSTORE_CURRENCY": "EUR"]
        for arguments in [["time-zone", "Europe/Lisbon"], ["store", "/tmp/trips"], [], ["--unset", "store"]] {
            let outcome = await Tool.run(["config"] + arguments + ["--json"]) { $0.environment = environment }
            let text = try #require(outcome.out.first)
            #expect(outcome.code == 0 && outcome.out.count == 1, "\(outcome.error)")
            var check = OutputCheck(document)
            check.line(PrintedLine(command: "config", object: "configuration", text: text))
            #expect(check.faults == [], "\(text)")
            #expect(check.printed.isSuperset(of: ["setting.value", "setting.source"]))
            #expect(schema.faults(of: try PrintedValue(text), as: "configuration") == [], "\(text)")
            let settings = try Tool.Outcome.object(text)
            #expect((settings["author"] as? [String: String])?["source"] == "TRIPSTORE_AUTHOR")
            #expect((settings["timeZone"] as? [String: String])?["source"] == file)
        }
    }

    @Test("With --json errors and warnings are objects on standard error, and warnings are counted")
    func errors() async throws {
        let tool = try await Tool.withStore()
        let schema = try OutputSchema(OutputDocument())
        let trip = try await tool.value(
            "add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01", "--end-date", "2027-05-02")
        for (line, code, name) in [
            (["show", "Porto"], 2, "unknownEntity"), (["show"], 64, "usage"), (["nonsense"], 64, "usage"),
            (["edit", trip, "--mode", "car"], 2, "failed"), (["trips", "--as-of", "99"], 2, "unknownPosition"),
            (
                ["add", "activity", "--name", "x", "--trip", trip, "--cost", "1.001", "--currency", "EUR"], 2,
                "invalidAmount"
            ),
        ] as [([String], Int32, String)] {
            let outcome = await tool.run(line + ["--json"])
            #expect(outcome.code == code && outcome.out.isEmpty)
            let value = try PrintedValue(outcome.error)
            #expect(schema.faults(of: value, as: "error") == [], "\(outcome.error)")
            let fault = try #require(try Tool.Outcome.object(outcome.error)["error"] as? [String: Any])
            #expect(fault["code"] as? String == name, "\(outcome.error)")
            #expect((fault["message"] as? String)?.isEmpty == false)
        }
        let hint = try Tool.Outcome.object(await tool.run("nonsense", "--json").error)["error"] as? [String: Any]
        #expect((hint?["hint"] as? String)?.contains("tripstore help") == true)
        let warned = await tool.run(
            "add", "activity", "--name", "Tram", "--trip", trip, "--start", "2027-06-01T10:00", "--start-time-zone",
            "Europe/Lisbon", "--json")
        let lines = warned.error.components(separatedBy: "\n")
        #expect(warned.code == 0 && warned.out.count == 1 && lines.count == 2)
        #expect(schema.faults(of: try PrintedValue(lines[0]), as: "warning") == [])
        #expect(lines.last == "{\"warnings\":1}")
        await tool.expectInvariants()
    }

    @Test(
        "Quotes, control characters, separators and marks of direction are escaped, and all others are printed as they are"
    )
    func escapes() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "\"\\/\n\r\t\u{1B}\u{7F}\u{85}\u{2028}\u{202E}é")
        let printed = try await tool.value("trips", "--undated", "--json")
        #expect(printed.contains("\"name\":\"\\\"\\\\/\\n\\r\\t\\u001b\\u007f\\u0085\\u2028\\u202eé\","))
        await tool.expectInvariants()
    }

    @Test("A command that fails prints no JSON, and the exit code distinguishes a failure from a wrong command line")
    func failures() async throws {
        let tool = try await Tool.withStore()
        let failed = await tool.run("show", ExportFixture.id(1).uuidString)
        #expect(failed.code == 2 && failed.out.isEmpty && failed.error.hasPrefix("Error: "))
        let refused = await tool.run("show")
        #expect(refused.code == 64 && refused.out.isEmpty && refused.error.hasPrefix("Error: "))
        for day in 1...3 { _ = try await tool.value("add", "trip", "--name", "T", "--start-date", "2027-05-0\(day)") }
        let page = await tool.run("trips", "--limit", "2")
        #expect(page.code == 0 && page.out.count == 2)
        let cursor = try #require(
            try /There are more: --after ([0-9a-f]+) goes on, and --all lists them\./.wholeMatch(in: page.error)?.output
                .1)
        #expect(await tool.run("trips", "--after", String(cursor), "--json").out.count == 1)
        await tool.expectInvariants()
    }

    /// The element type of a list, or of an object by replica or by field.
    private static func element(of type: String) -> String {
        if type.hasPrefix("list of ") { return String(type.dropFirst("list of ".count)) }
        return type.replacing(" by replica", with: "").replacing(" by field", with: "")
    }

    /// The commands without others below them whose help has `--json`.
    private static func commands() async -> [String] {
        var found: [String] = []
        for command in HelpPageTests.commands where command.type.configuration.subcommands.isEmpty {
            guard await command.page("--help").contains(where: { $0.contains("--json") }) else { continue }
            found.append(command.words.joined(separator: " "))
        }
        return found
    }
}
