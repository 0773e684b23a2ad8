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

    fileprivate static func text(_ outcome: Tool.Outcome) -> String { outcome.out.map { $0 + "\n" }.joined() }

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

    /// A trip with travellers, links and an activity, and the outcome of importing its table with cells replaced.
    private struct Edited {
        let tool: Tool
        let trip: String
        let activity: String
        let ana: String
        let bo: String

        init() async throws {
            tool = try await Tool.withStore()
            trip = try await tool.value(
                "add", "trip", "--name", "Lisbon", "--start-date", "2027-05-01", "--end-date", "2027-05-08")
            ana = try await tool.value("add", "traveller", "--name", "Ana")
            bo = try await tool.value("add", "traveller", "--name", "Bo")
            activity = try await tool.value(
                "add", "activity", "--name", "Tram", "--trip", trip, "--street", "Rua X 5", "--city", "Lisboa")
            for (id, option, value) in [
                (trip, "--insert", "travellers=Ana"), (trip, "--insert", "links=https://a.example/x,y"),
                (trip, "--insert", #"links={"url":"https://b.example","title":"Menu"}"#),
                (activity, "--set", "parts[Ana]=2"), (activity, "--insert", "contacts=Zoe"),
            ] {
                #expect(await tool.run("edit", id, option, value).code == 0)
            }
        }

        func importing(_ subject: String, _ column: String, _ texts: [String: String]) async throws -> Tool.Outcome {
            let table = OwnTableTests.text(
                await tool.run("list", subject, "--csv", "--raw", "--columns", "id,\(column)"))
            var changed = table
            for (old, new) in texts { changed = changed.replacing(old, with: new) }
            #expect(changed != table, "\(table)")
            try tool.write(changed, to: "own.csv")
            return await tool.run("import", tool.folder.path("own.csv"), "--json")
        }

        func cell(_ subject: String, _ column: String) async -> String {
            await tool.run("list", subject, "--csv", "--raw", "--columns", column).out.dropFirst().first?
                .trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        }
    }

    private static func elements(of cell: String) -> Set<String> {
        Set(cell.replacing("\"", with: "").components(separatedBy: ", "))
    }

    @Test("Elements of an edited cell are added and removed, by name or id, and a second time writes nothing")
    func elements() async throws {
        let edited = try await Edited()
        let (ana, bo) = (edited.ana, edited.bo)
        let menu = "Menu <https://b.example>"
        let cases: [(String, String, [String: String], String)] = [
            ("trips", "travellers", [ana: "\"Bo, Ana\""], "\"\([ana, bo].sorted().joined(separator: ", "))\""),
            ("trips", "travellers", ["\([ana, bo].sorted().joined(separator: ", "))": bo], bo),
            (
                "trips", "links", ["https://a.example/x,y, \(menu)": "\(menu), https://c.example"],
                "\"\(menu), https://c.example\""
            ),
            ("activities", "parts", ["\(ana): 2": "\"Ana: 3, Bo: 1\""], "\"\(ana): 3, \(bo): 1\""),
            ("activities", "address", ["Rua X 5, Lisboa": "Rua Y 6, Porto"], "\"Rua Y 6, Porto\""),
            ("activities", "contacts", ["Zoe": ""], ""),
        ]
        for (subject, column, texts, expected) in cases {
            let outcome = try await edited.importing(subject, column, texts)
            #expect(outcome.code == 0 && outcome.error.isEmpty, "\(column) \(outcome.error)")
            #expect(try outcome.object()["events"] as? Int == 1, "\(column)")
            let shown = await edited.cell(subject, column)
            // Elements of sets and maps are in the order of ids.
            #expect(Self.elements(of: shown) == Self.elements(of: expected), "\(column) \(shown)")
            let again = await edited.tool.run("import", edited.tool.folder.path("own.csv"), "--json")
            // The cell has names where the store shows ids.
            #expect(try again.object()["events"] as? Int == 0, "\(column) \(again.error)")
        }
        let activity = try await edited.tool.run("show", edited.activity, "--json").object()["item"] as? [String: Any]
        let address = activity?["address"] as? [String: Any]
        #expect(address?["street"] as? String == "Rua Y 6" && address?["city"] as? String == "Porto")
        await edited.tool.expectInvariants()
    }

    @Test(
        "A cell that does not show what changes is refused by row and column, with what to do",
        arguments: [
            ("activities", "address", "Rua X 5, Lisboa", "Lisboa", "--street"),
            ("activities", "contacts", "Zoe", "\"Zoe, guide\"", "--insert contacts"),
            ("activities", "parts", ": 2", ": 2: 3", "--set 'parts[KEY]=VALUE'"),
            ("activities", "parts", ": 2", ": two", "whole number"),
            ("trips", "links", "Menu <", "Menu, today <", "'links'"),
            ("trips", "travellers", "IDS", "Nobody", "Nobody"),
            ("trips", "rank,name", ",Lisbon", "5,Lisbon", "the store alone writes 'rank'"),
            ("items", "", "activity,", "lodging,", "--kind"),
            ("items", "mode", "", "bus", "no activity has that field"),
        ])
    func refused(subject: String, column: String, old: String, new: String, advice: String) async throws {
        let edited = try await Edited()
        let position = try await edited.tool.position()
        let outcome: Tool.Outcome
        if subject == "items" {
            var rows = Self.text(await edited.tool.run("list", "items", "--csv", "--raw")).replacing("\r\n", with: "\n")
                .split(separator: "\n").map { $0.components(separatedBy: ",") }
            if column.isEmpty {
                rows[1][0] = "lodging"
            } else {
                // The address has a comma in quotes.
                rows[1][try #require(rows[0].firstIndex(of: column)) + 1] = new
            }
            try edited.tool.write(rows.map { $0.joined(separator: ",") }.joined(separator: "\n") + "\n", to: "own.csv")
            outcome = await edited.tool.run("import", edited.tool.folder.path("own.csv"))
        } else {
            outcome = try await edited.importing(subject, column, [old == "IDS" ? edited.ana : old: new])
        }
        #expect(outcome.code == 1 && outcome.error.contains("line 2"), "\(outcome.error)")
        let named = column.isEmpty ? "kind" : column.split(separator: ",").first ?? ""
        #expect(outcome.error.contains("'\(named)'") && outcome.error.contains(advice), "\(outcome.error)")
        #expect(try await edited.tool.position() == position)
        await edited.tool.expectInvariants()
    }

    @Test(
        "A day as a spreadsheet writes it is the day that is there, or the only one that it may mean",
        arguments: [
            ("01.05.2027", 0, "2027-05-01"), ("5/1/2027", 0, "2027-05-01"), ("1/5/2027", 0, "2027-05-01"),
            ("2.5.2027", 1, "2027-05-02"), ("4/30/2027", 1, "2027-04-30"), ("2027/05/03", 1, "2027-05-03"),
            ("5/2/2027", nil, "2027-05-01"), ("2.5.27", nil, "2027-05-01"), ("31.4.2027", nil, "2027-05-01"),
        ] as [(String, Int?, String)])
    func days(text: String, events: Int?, day: String) async throws {
        let edited = try await Edited()
        let outcome = try await edited.importing("trips", "startDate", ["2027-05-01": text])
        #expect(outcome.code == (events == nil ? 1 : 0), "\(outcome.error)")
        #expect(try outcome.object()["events"] as? Int == events ?? 0)
        #expect(outcome.error.contains("line 2: the row is left out: in 'startDate'") == (events == nil))
        #expect(await edited.cell("trips", "startDate") == day)
        await edited.tool.expectInvariants()
    }

    @Test("A changed cell that people cannot change is named with its line, and the other cells count")
    func unread() async throws {
        let edited = try await Edited()
        let table = Self.text(await edited.tool.run("trips", "--csv"))
        let changed = table.replacing("Lisbon", with: "Lissabon").replacing(",1,\r\n", with: ",7,9 EUR\r\n")
        #expect(changed.contains(",7,9 EUR"), "\(table)")
        try edited.tool.write(changed, to: "own.csv")
        let outcome = await edited.tool.run("import", edited.tool.folder.path("own.csv"), "--json")
        #expect(outcome.code == 0, "\(outcome.error)")
        for name in ["items", "cost"] { #expect(outcome.error.contains("line 2: '\(name)'"), "\(outcome.error)") }
        #expect(await edited.cell("trips", "name") == "Lissabon")
        await edited.tool.expectInvariants()
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
