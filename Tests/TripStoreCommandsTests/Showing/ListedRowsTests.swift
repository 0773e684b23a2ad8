import Foundation
import StoreSupport
import Testing

@testable import TripStoreCommands

@Suite("Lists on a terminal")
struct ListedRowsTests {
    /// A trip with a stay of whole days, a walk with a clock time, and an idea without either.
    private static func planned() async throws -> Tool {
        let tool = try await Tool.withStore()
        _ = try await tool.value(
            "add", "trip", "--name", "Lisbon and the south of Portugal", "--start-date", "2027-05-01", "--end-date",
            "2027-05-08", "--destination", "Lisbon, Faro, Lagos and Sagres")
        for options in [
            [
                "lodging", "--name", "Inn with a terrace", "--start-day", "2027-05-01", "--end-day", "2027-05-04",
                "--cost", "420",
            ],
            [
                "activity", "--name", "Walk", "--start", "2027-05-02T15:00", "--start-time-zone", "Europe/Lisbon",
                "--cost",
                "3.10",
            ],
            ["activity", "--name", "Fado"],
        ] {
            let cost = options.contains("--cost") ? ["--currency", "EUR"] : []
            let added = await tool.run(["add"] + options + cost + ["--trip", "Lisbon and the south of Portugal"])
            #expect(added.code == 0, "\(added.error)")
        }
        return tool
    }

    private static func lines(_ tool: Tool, _ words: String..., columns: Int?, isStyled: Bool = false) async -> [String]
    {
        let layout = TextLayout(columns: columns, isStyled: isStyled)
        return await Tool.run(words + ["--store", tool.path]) { $0.layout = layout }.out
    }

    /// A line without its id.
    private static func rest(_ line: String) -> String {
        String(line.drop { $0 != " " }.drop { $0 == " " })
    }

    @Test("At 80 columns items keep their names, costs and days, and the name of the trip goes first")
    func items() async throws {
        let tool = try await Self.planned()
        let narrow = await Self.lines(tool, "list", "items", columns: 80)
        #expect(
            narrow.map(Self.rest) == [
                "2027-05-01 – 05-04  lodging   420.00 EUR  Inn with a terrace",
                "2027-05-02 15:00    activity  3.10 EUR    Walk", "–                   activity              Fado",
            ], "\(narrow)")
        #expect(narrow.allSatisfy { $0.columns <= 80 })
        let wide = await Self.lines(tool, "list", "items", columns: 120)
        #expect(
            wide.first.map(Self.rest)?.contains("lodging   Lisbon and the south of Portugal  420.00 EUR") == true,
            "\(wide)")
        await tool.expectInvariants()
    }

    @Test("At 80 columns totals keep each entry on a line, and blame and undo name what they are about without its id")
    func narrowed() async throws {
        let tool = try await Self.planned()
        let paid = [
            "add", "transportation", "--name", "Yacht", "--cost", "955225.20", "--currency", "USD", "--paid",
            "in-full",
        ]
        #expect(await tool.run(paid + ["--trip", "Lisbon and the south of Portugal"]).code == 0)
        let totals = await Self.lines(tool, "totals", columns: 80)
        #expect(totals.allSatisfy { $0.columns <= 80 && $0 != "  unpaid" }, "\(totals)")
        #expect(totals.contains { $0.hasSuffix("955225.20 USD  955225.20 USD paid") }, "\(totals)")
        #expect(await tool.run("edit", "Walk", "--notes", String(repeating: "uphill ", count: 20)).code == 0)
        let blame = await Self.lines(tool, "audit", "blame", "Walk", columns: 80)
        #expect(blame.first == "activity \"Walk\"" && blame.allSatisfy { $0.columns <= 80 }, "\(blame)")
        let whole = await Self.lines(tool, "audit", "blame", "Walk", columns: nil)
        #expect(whole.first?.hasPrefix("activity \"Walk\" ") == true, "\(whole)")
        let undo = await Self.lines(tool, "undo", "--last", "--dry-run", columns: 80)
        #expect(undo.first?.hasPrefix("edited activity \"Walk\": notes uphill") == true, "\(undo)")
        await tool.expectInvariants()
    }

    @Test("At 80 columns a trip keeps its name and cost, and its destination goes first")
    func trips() async throws {
        let tool = try await Self.planned()
        let lines = await Self.lines(tool, "trips", columns: 80)
        #expect(lines.count == 1 && lines[0].columns <= 80)
        #expect(lines[0].contains("423.10 EUR  Lisbon and the so") && !lines[0].contains("Faro"), "\(lines)")
        await tool.expectInvariants()
    }

    @Test("On a terminal an id is as short as tells it apart, and every command takes it; elsewhere it is whole")
    func ids() async throws {
        let tool = try await Self.planned()
        let whole = await Self.lines(tool, "list", "items", columns: nil).compactMap { $0.split(separator: " ").first }
        let short = await Self.lines(tool, "list", "items", columns: 80).compactMap { $0.split(separator: " ").first }
        #expect(whole.count == 3 && whole.allSatisfy { $0.count == 36 } && short.count == 3)
        for (id, beginning) in zip(whole, short) {
            let digits = beginning.count { $0 != "-" }
            #expect(id.hasPrefix(beginning) && digits >= ShortIDs.least && beginning.last != "-")
            #expect(whole.count { $0.hasPrefix(beginning) } == 1)
            let shown = try await tool.run("show", String(beginning), "--json").object()
            #expect((shown["item"] as? [String: Any])?["id"] as? String == String(id))
            let json = try await tool.run("list", "items", "--after", String(beginning), "--json").objects()
            #expect(json.allSatisfy { ($0["id"] as? String)?.count == 36 })
        }
        await tool.expectInvariants()
    }

    @Test("On a terminal a replica is named by the digits that tell it from the others, which commands take")
    func replicas() async throws {
        let replicas = try await Replicas()
        _ = try await replicas.trip(named: "Lisbon")
        try await replicas.meet()
        let ben = try await replicas.ben.replica()
        let whole = await replicas.ana.run("peers").out
        #expect(whole.contains { $0.contains(ben) }, "\(whole)")
        let short = await replicas.ana.run("peers") { $0.layout = TextLayout(columns: 80) }.out
        #expect(
            short.contains { $0.hasPrefix("\(ben.prefix(8))  ") } && !short.contains { $0.contains(ben) }, "\(short)")
        #expect(await replicas.ana.run("peers", "--rename", String(ben.prefix(8)), "--as", "Ben").code == 0)
    }

    @Test("Chosen columns show the day of what has no clock time, and on a terminal times without their seconds")
    func columns() async throws {
        let tool = try await Self.planned()
        let line = ["list", "activities", "--columns", "name,start,cost", "--sort", "name"]
        #expect(await tool.run(line).out == ["Fado", "Walk  2027-05-02T15:00:00+01:00 Europe/Lisbon  3.10 EUR"])
        let narrow = await Tool.run(line + ["--store", tool.path]) { $0.layout = TextLayout(columns: 80) }.out
        #expect(narrow == ["Fado", "Walk  2027-05-02 15:00 Europe/Lisbon  3.10 EUR"])
        #expect(
            await tool.run("list", "lodgings", "--columns", "name,start,end").out
                == ["Inn with a terrace  2027-05-01  2027-05-04"])
        await tool.expectInvariants()
    }

    @Test("Kinds, money and conflicts have colours on a terminal, and not where they are not wanted")
    func colours() async throws {
        let tool = try await Self.planned()
        let styled = await Self.lines(tool, "list", "items", columns: 80, isStyled: true)
        #expect(styled[1].contains("\u{1B}[36mactivity\u{1B}[0m  \u{1B}[32m3.10 EUR\u{1B}[0m    Walk"), "\(styled)")
        let plain = await Self.lines(tool, "list", "items", columns: 80)
        #expect(styled.map { $0.replacing(/\u{1B}\[[0-9]+m/, with: "") } == plain)
        #expect(await Self.lines(tool, "list", "items", "--colors", "never", columns: 80, isStyled: true) == plain)
        #expect(await Self.lines(tool, "list", "items", "--colors=always", columns: 80) == styled)
        #expect(
            await Self.lines(tool, "list", "items", "--json", columns: 80, isStyled: true).allSatisfy {
                !$0.contains("\u{1B}")
            })
        #expect(await tool.run("list", "items", "--colors", "pink").code == 64)
        #expect(await tool.run("edit", "last", "--colors", "never", "--notes", "n").code == 0)
        let shown = await Self.lines(tool, "show", "Lisbon and the south of Portugal", columns: 80, isStyled: true)
        #expect(
            shown.first == "\u{1B}[1mLisbon and the south of Portugal, Lisbon, Faro, Lagos and Sagres\u{1B}[0m",
            "\(shown)")
        await tool.expectInvariants()
    }

    @Test("A name with what a terminal interprets is escaped among styles as well")
    func hostile() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "\u{1B}[31mred")
        for words in [["trips"], ["list", "trips"], ["show", "last"]] {
            let outcome = await Tool.run(words + ["--store", tool.path]) {
                $0.layout = TextLayout(columns: 80, isStyled: true)
            }
            #expect(outcome.code == 0 && outcome.out.contains { $0.contains("\\u{1b}") }, "\(outcome.out)")
            #expect(outcome.out.allSatisfy { !$0.contains("\u{1B}[31m") })
        }
        await tool.expectInvariants()
    }
}

@Suite("Which output has colours")
struct ColorChoiceTests {
    @Test("A terminal has them unless NO_COLOR is set or it says that it is dumb, and anything else has none")
    func environment() {
        func isStyled(_ environment: [String: String], onTerminal columns: Int? = 80) -> Bool {
            TextLayout(environment: environment, terminalColumns: columns).isStyled
        }
        #expect(isStyled(["TERM": "xterm"]) && isStyled(["TERM": "xterm", "NO_COLOR": ""]))
        #expect(!isStyled(["TERM": "xterm", "NO_COLOR": "1"]) && !isStyled(["TERM": "dumb"]) && !isStyled([:]))
        #expect(
            !isStyled(["TERM": "xterm"], onTerminal: nil)
                && !isStyled(["TERM": "xterm", "COLUMNS": "80"], onTerminal: nil))
    }

    @Test("The last option counts, in either form, and none behind a lone --")
    func options() {
        #expect(ColorChoice(on: ["trips"]) == nil && ColorChoice(on: ["trips", "--colors"]) == nil)
        #expect(ColorChoice(on: ["trips", "--colors", "always"]) == .always)
        #expect(ColorChoice(on: ["trips", "--colors=always", "--colors", "never"]) == .never)
        #expect(ColorChoice(on: ["find", "--", "--colors=always"]) == nil && ColorChoice(on: ["--colors=red"]) == nil)
        let layout = TextLayout(columns: 80, isStyled: true)
        #expect(layout.styled(ColorChoice.auto) == layout && !layout.styled(ColorChoice.never).isStyled)
        #expect(TextLayout().styled(ColorChoice.always).isStyled && layout.styled("", .bold).isEmpty)
    }
}
