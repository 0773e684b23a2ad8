import Foundation
import Spawning
import StoreSupport
import TestSupport
import Testing
import TripFormats
import TripStore

@testable import TripStoreCommands

@Suite("The import command")
struct ImportCommandTests {
    @Test("Its JSON has every outcome, and in each every kind, also where nothing is counted")
    func shapeOfJSON() async throws {
        let tool = try await Tool.withStore()
        let first = try await tool.run("import", ExportFixture.planned, "--author", "ana", "--json").object()
        let outcomes = ["created", "edited", "deleted", "restored", "overridden", "unchanged", "skipped"]
        #expect(Set(first.keys) == Set(outcomes + ["erased", "events", "commits", "correlation", "warnings"]))
        for outcome in outcomes {
            let counts = try #require(first[outcome] as? [String: Int])
            #expect(
                Set(counts.keys) == [
                    "trip", "activity", "lodging", "transportation", "organization", "attachment", "other",
                ])
        }
        #expect((first["created"] as? [String: Int])?["transportation"] == 842)
        #expect(first["events"] as? Int == 649 + 842 + 14)
        #expect(first["warnings"] as? Int == 0)
        #expect(await tool.run("audit", "log", "--author", "ana").out.isEmpty == false)
        let again = try await tool.run("import", ExportFixture.planned, "--author", "ana", "--json").object()
        #expect(Set(again.keys) == Set(outcomes + ["erased", "events", "commits", "correlation", "warnings"]))
        await tool.expectInvariants()
    }

    @Test("An older export is refused with the option that takes it, which then does")
    func older() async throws {
        let tool = try await Tool.withStore()
        for (date, options, code) in [
            ("2027-01-02T10:00:00Z", [], 0), ("2027-01-01T10:00:00Z", [], 2), ("2027-01-01T10:00:00Z", ["--older"], 0),
        ] {
            let object: [String: Any] = [
                "exportInfo": ["version": "1.0", "format": "json", "timestamp": date],
                "trips": [ExportFixture.trip(1, flights: [], ["name": date])], "organizations": [Any](),
                "addresses": [Any](), "attachments": [Any](),
            ]
            let export = try ExportFixture(data: JSONSerialization.data(withJSONObject: object))
            let outcome = await export.withFile { await tool.run(["import", $0] + options) }
            #expect(outcome.code == code, "\(outcome.error)")
            #expect(
                outcome.error.contains("Error: The file was exported at 2027-01-01T10:00:00Z, before") == (code == 2))
            #expect(outcome.error.contains("To go back to what it says, import it with --older.") == (code == 2))
        }
        await tool.expectInvariants()
    }

    @Test("For people it says what became of what, and warns in words")
    func text() async throws {
        let tool = try await Tool.withStore()
        let bad = ExportFixture.flight(12, ["startTZId": "Mars/Olympus"])
        let export = try ExportFixture(trips: [ExportFixture.trip(1, flights: [ExportFixture.flight(11), bad])])
        let outcome = await export.withFile { await tool.run("import", $0) }
        // A record was skipped.
        #expect(outcome.code == 1)
        #expect(outcome.out.contains { $0.hasPrefix("created") && $0.contains("1 trip, 1 transportation") })
        #expect(outcome.out.contains { $0.hasPrefix("written") && $0.contains("2 events in 1 commit") })
        let warnings = outcome.error.split(separator: "\n")
        #expect(warnings.contains { $0.hasPrefix("Warning: trips[0]") && $0.contains("Mars/Olympus") })
        #expect(warnings.last == "1 warning.")
        await tool.expectInvariants()
    }

    @Test("Where options are left out, the configured zone and currency count; options count more")
    func configured() async throws {
        // 22:30 in UTC, where the day is the next in Tokyo.
        let export = try ExportFixture(trips: [
            ExportFixture.trip(1), ExportFixture.trip(2, flights: [ExportFixture.flight(11, ["cost": 5])]),
        ])
        let cases: [(options: [String], day: String, currency: String)] = [
            ([], "2027-05-02", "JPY"), (["--currency", "CHF", "--time-zone", "UTC"], "2027-05-01", "CHF"),
        ]
        for (options, day, currency) in cases {
            let tool = try await Tool.withStore()
            let outcome = await export.withFile { file in
                await Tool.run(["import", file, "--store", tool.path] + options) {
                    $0.environment = ["TRIPSTORE_CURRENCY": "JPY", "TRIPSTORE_TIME_ZONE": "Asia/Tokyo"]
                }
            }
            #expect(outcome.code == 0, "\(outcome.error)")
            let rows = try await tool.run("trips", "--json").objects()
            #expect(rows.contains { $0["name"] as? String == "Trip 1" && $0["startDate"] as? String == day })
            let costs = rows.flatMap { row in row["cost"] as? [[String: Any]] ?? [] }
            let currencies = costs.map { cost in cost["currency"] as? String }
            #expect(currencies == [currency])
            await tool.expectInvariants()
        }
    }

    @Test("A file cut off at any place is refused, says where, and leaves nothing behind")
    func cutOffAnywhere() async throws {
        let tool = try await Tool.withStore()
        let whole = try Data(contentsOf: URL(fileURLWithPath: ExportFixture.planned))
        var generator = SeededGenerator(seed: 7)
        // Only white space follows the last brace, so the file is complete without it.
        let end = try #require(whole.lastIndex(of: UInt8(ascii: "}")))
        let before = try await tool.position()
        for cut in [1, end] + (0..<25).map({ _ in Int.random(in: 2..<end, using: &generator) }) {
            let outcome = try await ExportFixture(data: whole.prefix(cut)).withFile { await tool.run("import", $0) }
            #expect(outcome.code == 2, "cut at \(cut)")
            #expect(outcome.error.contains("byte \(cut)"), "cut at \(cut): \(outcome.error)")
        }
        #expect(try await tool.position() == before)
        await tool.expectInvariants()
    }

    @Test(
        "What cannot be imported fails with 1, in words, and nothing is written",
        arguments: [
            ["/no/such/file.json"], ["/"], [ExportFixture.planned, "--time-zone", "Mars/Olympus"],
            [ExportFixture.planned, "--time-zone", ""], [ExportFixture.planned, "--currency", "ZZZ"],
            [#filePath],
        ])
    func refusals(arguments: [String]) async throws {
        let tool = try await Tool.withStore()
        let before = try await tool.position()
        let outcome = await tool.run(["import"] + arguments)
        #expect(outcome.code == 2)
        #expect(!outcome.error.isEmpty && !outcome.error.contains("Error("))
        #expect(outcome.out.isEmpty)
        #expect(try await tool.position() == before)
        #expect(await tool.run("import").code == 64)
        await tool.expectInvariants()
    }

    @Test("A stream is kept in a file until it is read, and errors name it and not the file")
    func standardInput() async throws {
        let tool = try await Tool.withStore()
        func spool(_ data: Data) throws -> SpooledInput {
            let pipe = Pipe.made()
            try pipe.fileHandleForWriting.write(contentsOf: data)
            try pipe.fileHandleForWriting.close()
            return try SpooledInput(pipe.fileHandleForReading)
        }
        let export = try ExportFixture(trips: [ExportFixture.trip(1, flights: [ExportFixture.flight(11)])])
        try await export.withFile { path in
            let input = try spool(Data(contentsOf: URL(fileURLWithPath: path)))
            // No named file can be left behind.
            #expect(input.path.hasPrefix("/dev/fd/"))
            #expect(try await input.read { await tool.run("import", $0).code } == 0)
            // The bytes are equal, so it is the same import.
            #expect(try await tool.run("import", path, "--json").object()["events"] as? Int == 0)
        }

        let empty = try spool(Data())
        let error = await #expect(throws: CommandError.self) {
            try await empty.read { path in
                let store = try await TripStore.test()
                return try await Importer(store: store).run(path: path)
            }
        }
        #expect(error?.description.hasPrefix("Standard input is empty") == true)
        await tool.expectInvariants()
    }

    @Test("Errors of exports name the file, and of a deep place the beginning and the end alone")
    func namedFile() async throws {
        let tool = try await Tool.withStore()
        let levels = String(repeating: "{\"aaaaaaaaaa\":", count: 60)
        try tool.write("{\"trips\": [\(levels)1 x", to: "deep.json")
        let outcome = await tool.run("import", tool.folder.path("deep.json"), "--json")
        #expect(outcome.code == 2 && outcome.error.contains("deep.json: ") && outcome.error.contains("\"malformed\""))
        #expect(outcome.error.contains("…") && outcome.error.count < 700, "\(outcome.error)")
        await tool.expectInvariants()
    }

    @Test("A pipe is read as a file is, whatever its format, and named in errors")
    func pipe() async throws {
        let tool = try await Tool.withStore()
        let event = "BEGIN:VEVENT\nUID:a@test\nSUMMARY:Walk\nDTSTART:20270501T090000Z\nEND:VEVENT"
        try tool.write("BEGIN:VCALENDAR\n\(event)\nEND:VCALENDAR\n", to: "x.ics")
        let script = """
            mkfifo pipe && { cat x.ics > pipe & "$T" import pipe --json > report; } && cat report && \
            { printf '{' > pipe & "$T" import pipe; }
            """
        let outcome = try tool.shell(script)
        #expect(outcome.text.contains("\"activity\":1"), "\(outcome)")
        #expect(outcome.code == 2 && outcome.complaint.contains("pipe: The file is cut off"), "\(outcome)")
        #expect(await tool.run("trips").out.first?.contains("Imported") == true)
        await tool.expectInvariants()
    }

    @Test("Two processes that import at once skip nothing, and the next import decides what is there")
    func twoProcesses() async throws {
        let tool = try await Tool.withStore()
        let files = "'\(ExportFixture.planned)' '\(ExportFixture.actual)'"
        let script =
            "for F in \(files); do $T import \"$F\" --json > $(basename \"$F\").report & P=\"$P $!\"; done; "
            + "for I in $P; do wait $I || exit 9; done"
        #expect(try tool.shell(script).code == 0)
        var created = 0
        for name in ["planned", "actual"] {
            let report = try Tool.Outcome.object(try tool.text(of: "flights-day-\(name).json.report"))
            #expect((report["skipped"] as? [String: Int])?.values.allSatisfy { $0 == 0 } == true)
            #expect(report["warnings"] as? Int == 0)
            created += try #require((report["created"] as? [String: Int])?["transportation"])
        }
        #expect(created == 842)
        let alone = try await Tool.withStore()
        for file in [ExportFixture.planned, ExportFixture.actual] { #expect(await alone.run("import", file).code == 0) }
        for file in [ExportFixture.planned, ExportFixture.actual] { #expect(await tool.run("import", file).code == 0) }
        let again = try await tool.run("import", ExportFixture.actual, "--json").object()
        #expect(again["events"] as? Int == 0)
        #expect(await tool.run("trips", "--limit", "1000").out == alone.run("trips", "--limit", "1000").out)
        await tool.expectInvariants()
    }

    @Test("A record that cannot be read counts as skipped, by its kind, and a refund is imported")
    func unreadableRecords() async throws {
        let tool = try await Tool.withStore()
        let refund = ExportFixture.flight(11, ["cost": -3.5])
        let undated = ExportFixture.flight(12, ["start": "tomorrow"])
        let late = ExportFixture.trip(2, flights: [ExportFixture.flight(13)], ["startDate": "soon"])
        let export = try ExportFixture(trips: [ExportFixture.trip(1, flights: [refund, undated]), late])
        let outcome = await export.withFile { await tool.run("import", $0, "--json") }
        #expect(outcome.code == 1)
        let report = try outcome.object()
        let created = try #require(report["created"] as? [String: Int])
        let skipped = try #require(report["skipped"] as? [String: Int])
        #expect(created["trip"] == 1 && created["transportation"] == 1)
        #expect(skipped["trip"] == 1 && skipped["transportation"] == 2)
        #expect(report["warnings"] as? Int == 2)
        let row = try await tool.run("trips", "--json").object()
        #expect((row["cost"] as? [[String: Any]])?.first?["minor"] as? Int == -350)
        await tool.expectInvariants()
    }
}
