import Foundation
import StoreSupport
import TestSupport
import Testing

@Suite("Importing tables of list --csv")
struct OwnTableTests {
    private static let letters = Array("ab,;\"'=+-@.é東")

    /// A text of one line that tables have to quote, escape or defuse.
    private static func word(_ random: inout SeededGenerator, _ letters: [Character] = letters) -> String {
        String((0..<Int.random(in: 1...8, using: &random)).compactMap { _ in letters.randomElement(using: &random) })
            + "x"
    }

    /// A store with an entity of each kind that has a list.
    private static func filled(_ random: inout SeededGenerator) async throws -> Tool {
        let tool = try await Tool.withStore()
        let trip = try await tool.value(
            "add", "trip", "--name=" + word(&random), "--start-date", "2027-05-01", "--end-date", "2027-05-08",
            "--notes=" + word(&random, letters + ["\n", "\t", " "]), "--destination=" + word(&random))
        for _ in 0..<3 {
            _ = try await tool.value(
                "add", "activity", "--name=" + word(&random), "--trip", trip, "--start", "2027-05-02T10:00",
                "--start-time-zone", "Europe/Lisbon", "--cost=-\(Int.random(in: 0...99, using: &random)).05",
                "--currency", "EUR",
                "--notes=" + word(&random, letters + ["\n", "\t", " "]), "--street=" + word(&random), "--stage",
                "booked", "--paid",
                "in-full")
        }
        _ = try await tool.value(
            "add", "lodging", "--name=" + word(&random), "--trip", trip, "--start-day", "2027-05-01", "--end-day",
            "2027-05-04")
        _ = try await tool.value(
            "add", "transportation", "--name=" + word(&random), "--trip", trip, "--mode", "train", "--start",
            "2027-05-03T08:00",
            "--start-time-zone", "Asia/Kolkata")
        _ = try await tool.value("add", "organization", "--name=" + word(&random), "--phone", "+351 21 000")
        _ = try await tool.value("add", "traveller", "--name=" + word(&random))
        _ = try await tool.value("add", "budget", "--trip", trip, "--amount", "100", "--currency", "EUR")
        _ = try await tool.value(
            "add", "rate", "--trip", trip, "--pair", "NOK/EUR", "--rate", "0.0875", "--day", "2027-05-01")
        let list = try await tool.value("add", "checklist", "--name=" + word(&random), "--trip", trip)
        _ = try await tool.value("add", "entry", "--name=" + word(&random), "--list", list)
        return tool
    }

    private static func text(_ outcome: Tool.Outcome) -> String { outcome.out.map { $0 + "\n" }.joined() }

    private static let lists = [
        ["list", "items"], ["list", "trips"], ["trips"], ["list", "activities"], ["list", "lodgings"],
        ["list", "transportations"],
        ["list", "organizations"], ["list", "travellers"], ["list", "budgets"], ["list", "rates"],
        ["list", "checklists"],
        ["list", "entries"],
    ]

    @Test("A table of any kind, in any form, comes back and writes nothing, once and twice", arguments: Seeds.some(6))
    func unchanged(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let tool = try await Self.filled(&random)
        let position = try await tool.position()
        let forms = [[], ["--raw"], ["--bom", "--delimiter", "semicolon"], ["--delimiter", "tab"]]
        for list in Self.lists {
            let form = forms.randomElement(using: &random) ?? []
            let table = await tool.run(list + ["--csv"] + form)
            try #require(table.code == 0, "\(table.error)")
            try tool.write(Self.text(table), to: "own.csv")
            for _ in 0..<2 {
                let outcome = await tool.run("import", tool.folder.path("own.csv"), "--json")
                #expect(outcome.code == 0 && outcome.error.isEmpty, "\(seed) \(list) \(form) \(outcome.error)")
                let report = try outcome.object()
                #expect(
                    report["events"] as? Int == 0 && report["commits"] as? Int == 0, "\(seed) \(list) \(form) \(report)"
                )
            }
        }
        #expect(try await tool.position() == position)
        await tool.expectInvariants()
    }

    @Test("A cell that says something else edits its field, an empty one clears it, and a second time writes nothing")
    func edited() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value(
            "add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01", "--end-date", "2027-05-08")
        _ = try await tool.value(
            "add", "activity", "--name", "Tram", "--trip", trip, "--start", "2027-05-02T10:00", "--start-time-zone",
            "Europe/Lisbon",
            "--cost", "3.10", "--currency", "EUR", "--notes", "old")
        let table = Self.text(await tool.run("list", "activities", "--csv"))
        let changed = table.replacing("Tram", with: "'=Tram").replacing("3.10 EUR", with: "4.20 USD").replacing(
            "old", with: ""
        )
        .replacing("2027-05-02T10:00:00+01:00 Europe/Lisbon", with: "2027-05-02T11:00:00+01:00 Europe/Lisbon")
        try tool.write(changed, to: "own.csv")
        let planned = try await tool.run("import", tool.folder.path("own.csv"), "--dry-run", "--json").object()
        #expect(planned["events"] as? Int == 1 && planned["commits"] as? Int == 0)
        let first = await tool.run("import", tool.folder.path("own.csv"), "--json")
        #expect(try first.code == 0 && first.object()["commits"] as? Int == 1, "\(first.error)")
        let shown = await tool.run("list", "activities", "--csv", "--raw", "--columns", "name,start,cost,notes")
        #expect(
            Self.text(shown) == "name,start,cost,notes\r\n=Tram,2027-05-02T11:00:00+01:00 Europe/Lisbon,4.20 USD,\r\n")
        #expect(try await tool.run("import", tool.folder.path("own.csv"), "--json").object()["events"] as? Int == 0)
        await tool.expectInvariants()
    }

    @Test("A row that cannot be used is left out with its line, and with --strict nothing is written")
    func leftOut() async throws {
        let tool = try await Tool.withStore()
        for name in ["Ana", "Bo", "Cy"] { _ = try await tool.value("add", "organization", "--name", name) }
        let table = Self.text(await tool.run("list", "organizations", "--csv", "--columns", "id,name,updated"))
        #expect(await tool.run("edit", "Bo", "--phone", "5").code == 0)
        let changed =
            table.replacing(",Ana,", with: ",Anna,").replacing(",Bo,", with: ",Bob,")
            + "00000000-0000-0000-0000-000000000001,Di,\r\n"
        try tool.write(changed, to: "own.csv")
        let position = try await tool.position()
        let strict = await tool.run("import", tool.folder.path("own.csv"), "--strict")
        #expect(strict.code == 2 && strict.error.contains("Nothing was written"), "\(strict.error)")
        #expect(try await tool.position() == position)
        let outcome = await tool.run("import", tool.folder.path("own.csv"), "--json")
        #expect(
            outcome.code == 1 && outcome.error.contains("'name'") && outcome.error.contains("line 5"),
            "\(outcome.error)")
        let report = try outcome.object()
        let counts = { (name: String) in (report[name] as? [String: Int])?["organization"] }
        #expect(counts("edited") == 1 && counts("unchanged") == 1 && counts("skipped") == 1)
        let names = await tool.run("list", "organizations", "--csv", "--columns", "name")
        #expect(
            names.out.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.sorted() == [
                "Anna", "Bo", "Cy", "name",
            ])
        await tool.expectInvariants()
    }

    @Test("A table of items goes into another trip with a mapping, and again writes nothing")
    func mapped() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value(
            "add", "trip", "--name", "T", "--start-date", "2027-05-01", "--end-date", "2027-05-06")
        _ = try await tool.value(
            "add", "activity", "--name", "Tram", "--trip", trip, "--start", "2027-05-02T10:00", "--start-time-zone",
            "Europe/Lisbon",
            "--cost", "3.10", "--currency", "EUR")
        try tool.write(Self.text(await tool.run("list", "items", "--csv")), to: "own.csv")
        try tool.write(
            #"{"source":"own","id":"id","columns":{"kind":"kind","name":"name","start":"start","cost":"cost"}}"#,
            to: "mapping.json")
        let line = [
            "import", tool.folder.path("own.csv"), "--mapping", tool.folder.path("mapping.json"), "--new-trip", "U",
            "--json",
        ]
        let first = await tool.run(line)
        #expect(first.code == 0, "\(first.error)")
        let shown = await tool.run("list", "activities", "--trip", "U", "--csv", "--columns", "name,start,cost")
        #expect(Self.text(shown) == "name,start,cost\r\nTram,2027-05-02T10:00:00+01:00 Europe/Lisbon,3.10 EUR\r\n")
        #expect(try await tool.run(line).object()["events"] as? Int == 0)
        await tool.expectInvariants()
    }
}
