import Foundation
import StoreSupport
import Testing

@Suite("Importing files with bad records")
struct TableImportTests {
    private static func skipped(_ report: [String: Any]) -> Int {
        (report["skipped"] as? [String: Int])?.values.reduce(0, +) ?? -1
    }

    @Test("A bad row of a table is left out and named, and with --strict nothing is written, whatever is wrong with it")
    func strict() async throws {
        let tool = try await Tool.withStore()
        try tool.write(
            #"{"source":"x","columns":{"name":"name","start":"start","end":"end","cost":"cost"}}"#, to: "mapping.json")
        let line = [
            "import", tool.folder.path("x.csv"), "--mapping", tool.folder.path("mapping.json"), "--currency", "EUR",
        ]
        // An amount that is none, and an end before the start, which only the store refuses.
        for (row, words) in [
            ("B,2027-05-02,,abc", "In 'cost', "),
            ("B,2027-05-02,2027-05-01,", "the activity is left out"),
        ] {
            try tool.write("name,start,end,cost\nA,2027-05-01,,5\n\(row)\nC,2027-05-03,,7\n", to: "x.csv")
            let position = try await tool.position()
            for extra in [[], ["--dry-run"]] {
                let outcome = await tool.run(line + ["--strict"] + extra)
                #expect(
                    outcome.code == 2 && outcome.error.contains("line 3")
                        && outcome.error.contains("nothing was written"),
                    "\(outcome.error)")
            }
            #expect(try await tool.position() == position)
            let report = await tool.run(line + ["--json"])
            #expect(
                report.code == 1 && report.error.contains(words) && report.error.contains("line 3"), "\(report.error)")
            #expect(try Self.skipped(report.object()) == 1)
        }
        #expect(try await tool.run("list", "activities", "--json").objects().count == 2)
        await tool.expectInvariants()
    }

    @Test("Warnings about bad rows have a bound and a count")
    func manyFaults() async throws {
        let tool = try await Tool.withStore()
        try tool.write(#"{"source":"x","id":"name","columns":{"name":"name","start":"start"}}"#, to: "mapping.json")
        try tool.write("name,start\n" + (0..<250).map { "A\($0),never\n" }.joined(), to: "x.csv")
        let outcome = await tool.run(
            "import", tool.folder.path("x.csv"), "--mapping", tool.folder.path("mapping.json"), "--json")
        #expect(outcome.code == 1 && outcome.error.contains("81 further warnings"))
        let report = try outcome.object()
        #expect(Self.skipped(report) == 250 && report["warnings"] as? Int == 101)
        await tool.expectInvariants()
    }

    @Test("The reason of --strict is a record that is left out, also where warnings of other things come before it")
    func strictReason() async throws {
        let tool = try await Tool.withStore()
        let todo = "BEGIN:VTODO\nUID:t\nEND:VTODO\n"
        let good = "BEGIN:VEVENT\nUID:1@x\nDTSTART:20270501T090000Z\nSUMMARY:A\nEND:VEVENT\n"
        let bad = "BEGIN:VEVENT\nUID:2@x\nDTSTART:20270501T09Z\nSUMMARY:B\nEND:VEVENT\n"
        let first = #"<gpx><wpt lat="1" lon="2"><name>A</name></wpt>"#
        for (name, text, words) in [
            ("x.ics", "BEGIN:VCALENDAR\n\(todo)\(good)\(bad)END:VCALENDAR\n", "line 12: an event is left out"),
            ("x.gpx", first + "<other/>\n" + #"<wpt lat="100" lon="2"/></gpx>"#, "line 2"),
        ] {
            try tool.write(text, to: name)
            let outcome = await tool.run("import", tool.folder.path(name), "--strict")
            #expect(outcome.code == 2 && outcome.error.contains("nothing was written. \(words)"), "\(outcome.error)")
        }
        #expect(try await tool.run("list", "activities", "--json").objects().isEmpty)
        await tool.expectInvariants()
    }
}
