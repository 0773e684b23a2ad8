import Foundation
import StoreSupport
import TestSupport
import Testing

@Suite("Edited cells of tables of list --csv")
struct RowEditTests {
    fileprivate static func text(_ outcome: Tool.Outcome) -> String { outcome.out.map { $0 + "\n" }.joined() }

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
            let table = RowEditTests.text(
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
            ("1-5-2027", 0, "2027-05-01"), ("30-4-2027", 1, "2027-04-30"), ("2027. 5. 3.", 1, "2027-05-03"),
            ("2. 5. 2027", 1, "2027-05-02"), ("2-5-2027", nil, "2027-05-01"), ("1..2027", nil, "2027-05-01"),
            ("5/2/9223372036854775808", nil, "2027-05-01"), ("5/2/2027", nil, "2027-05-01"),
            ("2.5.27", nil, "2027-05-01"), ("31.4.2027", nil, "2027-05-01"),
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

    @Test(
        "A day in another form is no change, also in a table from before the trip was changed, and another day is refused"
    )
    func daysOfOldTables() async throws {
        let edited = try await Edited()
        let tool = edited.tool
        let table = Self.text(await tool.run("list", "trips", "--csv", "--raw", "--columns", "id,startDate,updated"))
        #expect(await tool.run("edit", edited.trip, "--notes", "new").code == 0)
        for (day, code) in [("1.5.2027", Int32(0)), ("2.5.2027", 1)] {
            try tool.write(table.replacing("2027-05-01,", with: day + ","), to: "own.csv")
            let outcome = await tool.run("import", tool.folder.path("own.csv"), "--json")
            #expect(try outcome.code == code && outcome.object()["events"] as? Int == 0, "\(outcome.error)")
            #expect(outcome.error.contains("since the table was written") == (code == 1))
        }
        #expect(await edited.cell("trips", "startDate") == "2027-05-01")
        await tool.expectInvariants()
    }

    @Test("A table with the names that its columns had before is read as one with those of today")
    func formerNames() async throws {
        let edited = try await Edited()
        let tool = edited.tool
        let table = Self.text(await tool.run("trips", "--csv", "--raw"))
        let former = table.replacing("createdAt,updatedAt,itemCount", with: "created,updated,items")
        #expect(former != table, "\(table)")
        try tool.write(former.replacing("Lisbon", with: "Lissabon"), to: "own.csv")
        let outcome = await tool.run("import", tool.folder.path("own.csv"), "--json")
        #expect(try outcome.code == 0 && outcome.object()["events"] as? Int == 1, "\(outcome.error)")
        #expect(outcome.error.isEmpty, "\(outcome.error)")
        // That edit was later than the table, which is stale by its former name as well.
        try tool.write(former.replacing("Lisbon", with: "Lisboa"), to: "own.csv")
        let stale = await tool.run("import", tool.folder.path("own.csv"), "--json")
        #expect(stale.code == 1 && stale.error.contains("since the table was written"), "\(stale.error)")
        await tool.expectInvariants()
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
        for name in ["itemCount", "cost"] { #expect(outcome.error.contains("line 2: '\(name)'"), "\(outcome.error)") }
        #expect(await edited.cell("trips", "name") == "Lissabon")
        await edited.tool.expectInvariants()
    }
}
