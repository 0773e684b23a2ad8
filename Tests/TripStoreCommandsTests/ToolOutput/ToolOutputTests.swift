import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

/// Holds what the tool prints against the tables of the document that says what it prints.
@Suite("The document of what the tool prints")
struct ToolOutputTests {
    /// Members that only a damaged medium, a lost key or an erased commit brings about.
    private static let unreached: Set = [
        "commit.readable", "commit.erased", "commit.erasedEvents", "status.stranded", "status.unreadableRecords",
        "status.foreignRecords",
        "written bundle.unsigned", "exchange.healed", "exchange.lost", "exchange.peerIdentityChange",
    ]

    @Test(
        "Each line has the members of its table, in that order and of these types, and no others",
        arguments: OutputPart.allCases)
    func members(part: OutputPart) async throws {
        let document = try OutputDocument()
        for line in try await part.lines() {
            var check = OutputCheck(document)
            check.line(line)
            #expect(check.faults == [], "\(line.text)")
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
        #expect(documented.subtracting(check.printed).sorted() == Self.unreached.sorted())
    }

    @Test("Every command that takes --json is in the document, and the document names no other")
    func everyCommand() async throws {
        let document = try OutputDocument()
        #expect(try await Self.commands(under: []).sorted() == document.commands.keys.sorted())
    }

    @Test("Every type in the tables is explained, and every table is of something that is printed")
    func everyType() throws {
        let document = try OutputDocument()
        let rows = document.objects.values.flatMap { $0 }
        let types = rows.map(\.type) + document.commands.values + document.fields.values
        let named = Set(types.flatMap { $0.components(separatedBy: " or ") }.map(Self.element))
        let explained = document.types.union(document.objects.keys).union(["null"])
        #expect(named.subtracting(explained) == [])
        let used = named.union(document.included).union(["unread value"])
        #expect(Set(document.objects.keys).subtracting(used) == [])
        #expect(document.types == Set(OutputCheck.forms.keys).union(["boolean", "integer", "number", "value"]))
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

    @Test("A command that fails prints no JSON, and the exit code tells a failure from a command line that is none")
    func failures() async throws {
        let tool = try await Tool.withStore()
        let failed = await tool.run("show", ExportFixture.id(1).uuidString, "--json")
        #expect(failed.code == 1 && failed.out.isEmpty && failed.error.hasPrefix("Error: "))
        let refused = await tool.run("show", "Lisbon", "--json")
        #expect(refused.code == 64 && refused.out.isEmpty && refused.error.hasPrefix("Error: "))
        for day in 1...3 { _ = try await tool.value("add", "trip", "--name", "T", "--start-date", "2027-05-0\(day)") }
        let page = await tool.run("trips", "--limit", "2", "--json")
        #expect(page.code == 0 && page.out.count == 2)
        let cursor = try #require(try /next: ([0-9a-f]+)/.wholeMatch(in: page.error)?.output.1)
        #expect(await tool.run("trips", "--after", String(cursor), "--json").out.count == 1)
        await tool.expectInvariants()
    }

    /// What a list, or an object by replica, holds.
    private static func element(of type: String) -> String {
        if type.hasPrefix("list of ") { return String(type.dropFirst("list of ".count)) }
        return type.replacing(" by replica", with: "")
    }

    /// The commands without subcommands whose help names `--json`, as the help lists them.
    private static func commands(under words: [String]) async throws -> [String] {
        let help = try #require(await Tool.run(words + ["--help"]).out.first)
        guard let list = help.components(separatedBy: "SUBCOMMANDS:\n").dropFirst().first else {
            return help.contains("--json") ? [words.joined(separator: " ")] : []
        }
        var found: [String] = []
        for line in list.split(separator: "\n") {
            guard let name = try /\s\s([a-z]+)\s.+/.wholeMatch(in: line)?.output.1 else { continue }
            found += try await commands(under: words + [String(name)])
        }
        return found
    }
}
