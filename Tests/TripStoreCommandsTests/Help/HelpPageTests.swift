import ArgumentParser
import Foundation
import StoreSupport
import Testing
import TripStore

@testable import TripStoreCommands

@Suite("Pages of help")
struct HelpPageTests {
    /// A command with the words that lead to it.
    struct Command {
        let type: any ParsableCommand.Type
        let words: [String]

        var fields: [FieldOption]? { (type as? any FieldCommand.Type)?.fieldOptions }

        /// With those below it.
        var all: [Command] {
            [self]
                + type.configuration.subcommands.flatMap {
                    Command(type: $0, words: words + [$0.configuration.commandName ?? ""]).all
                }
        }

        /// The lines of a page of its help.
        func page(_ option: String) async -> [String] {
            let outcome = await Tool.run(words + [option])
            #expect(outcome.code == 0 && outcome.error == "", "\(words)")
            return outcome.out.joined(separator: "\n").components(separatedBy: "\n")
        }
    }

    static let commands = Command(type: TripStoreCommand.self, words: []).all

    /// The short and the whole page of each command, in lines; made once.
    private static let pages = Task {
        var pages: [(command: Command, short: [String], whole: [String])] = []
        for command in commands {
            pages.append((command, await command.page("--help"), await command.page("--help-all")))
        }
        return pages
    }

    @Test("Every page of help, short or whole, is at most 80 columns wide and continues below the column of words")
    func width() async {
        let pages = await Self.pages.value
        #expect(pages.count > 60)
        for (command, short, whole) in pages {
            for lines in [short, whole] {
                for line in lines { #expect(line.count <= 80, "\(command.words): \(line)") }
                let sections = lines.drop { !$0.hasPrefix("USAGE: ") }.drop { !$0.isEmpty }
                for line in sections where line.hasPrefix("   ") {
                    #expect(line.prefix { $0 == " " }.count == 26, "\(command.words): \(line)")
                }
            }
        }
    }

    @Test("The short page has no option that the whole one lacks, and says how many more that has: all of the command")
    func options() async {
        for (command, short, whole) in await Self.pages.value where command.type.configuration.subcommands.isEmpty {
            let parsed = TripStoreCommand.helpMessage(for: command.type, includeHidden: true, columns: 80)
            let (few, all) = (Self.names(short), Self.names(whole))
            #expect(Set(few).isSubset(of: all), "\(command.words)")
            #expect(all.sorted() == Self.names([parsed]).sorted() && all.count == Set(all).count, "\(command.words)")
            let rest = HelpPage.options(in: parsed).count - HelpPage.options(in: short.joined(separator: "\n")).count
            let words = (["tripstore"] + command.words).joined(separator: " ")
            let advice = rest == 0 ? nil : "  '\(words) --help-all' shows \(rest) more option\(rest == 1 ? "" : "s")."
            #expect(short.last { $0.contains("--help-all") } == advice, "\(command.words)")
        }
    }

    @Test("Each option for a field stands under the theme that the schema gives the field, and all others under more")
    func themes() async {
        var themes: Set<String> = []
        for (command, _, whole) in await Self.pages.value {
            guard let fields = command.fields else { continue }
            let expected = Dictionary(fields.map { ($0.typed, $0.theme) }) { first, _ in first }
            var section = ""
            for line in whole.drop(while: { !$0.hasPrefix("USAGE") }) {
                if line.hasSuffix(":"), !line.hasPrefix(" ") { section = String(line.dropLast()) }
                guard let name = HelpPage.options(in: line).first?.names.first else { continue }
                #expect(section == (expected[name] ?? .more).rawValue.uppercased(), "\(command.words) \(name)")
                themes.insert(section)
            }
        }
        #expect(themes == Set(FieldTheme.allCases.map { $0.rawValue.uppercased() }))
    }

    @Test("The short page of a command with many fields has the ten that people give in most kinds")
    func common() async {
        for (command, short, _) in await Self.pages.value {
            guard let fields = command.fields else { continue }
            let names = Set(fields.map(\.typed))
            let shown = Self.names(short).filter(names.contains)
            #expect(shown.count <= FieldOption.most, "\(command.words): \(shown)")
            if fields.count <= FieldOption.most { #expect(shown.count == fields.count, "\(command.words): \(shown)") }
        }
        let flight = Self.names(await Tool.run(["help", "add", "transportation"]).out)
        #expect(Set(["--name", "--trip", "--start", "--end", "--cost", "--mode"]).isSubset(of: flight))
        #expect(Set(["--departure-name", "--arrival-name"]).isSubset(of: flight))
        let activity = Self.names(await Tool.run(["help", "add", "activity"]).out)
        #expect(Set(["--custom-location-name", "--place", "--payer", "--participants"]).isSubset(of: activity))
        let any = Self.names(await Tool.run(["help", "edit"]).out)
        #expect(Set(["--name", "--notes", "--trip", "--start", "--cost", "--paid", "--payer"]).isSubset(of: any))
        let whole = Self.names(await Tool.run(["add", "activity", "--help-all"]).out)
        #expect(Set(["--payer", "--participants", "--split", "--parts", "--amounts", "--set"]).isSubset(of: whole))
    }

    @Test("Options that every command has stand behind its own")
    func general() async {
        for words in [["trips"], ["audit", "log"], ["edit"], ["add", "activity"]] {
            let names = Self.names(await Tool.run(words + ["--help"]).out)
            #expect(
                names.suffix(5) == ["--store", "--json", "--colors", "--version", "--help"]
                    || names.suffix(6).contains("--author"))
            #expect(!["--store", "--json", "--colors", "--author"].contains(names.first), "\(names)")
        }
    }

    @Test("Commands are listed by task, each in one line")
    func tasks() async {
        let lines = await Self.commands[0].page("--help")
        #expect(Set(["PLAN:", "FILES:", "EXCHANGE:", "HISTORY:"]).isSubset(of: lines))
        for command in Self.commands where command.words.count == 1 {
            #expect(lines.contains { $0.hasPrefix("  \(command.words[0]) ") && $0.hasSuffix(".") }, "\(command.words)")
        }
    }

    @Test("Completions have the options of the whole page", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) async {
        let script = await Tool.run(["--generate-completion-script", shell]).out.joined(separator: "\n")
        for option in ["departure-city", "payer", "memory"] { #expect(script.contains(option), "\(option)") }
    }

    @Test("The script for fish checks the typed command before it parses the line")
    func check() async {
        func checks(_ shell: String) async -> Int {
            let script = await Tool.run(["--generate-completion-script", shell]).out.joined(separator: "\n")
            return script.components(separatedBy: "(commandline -pc); or return 1\n").count - 1
        }
        // One in each function that is a condition.
        #expect(await checks("fish") == 2)
        for shell in ["bash", "zsh"] { #expect(await checks(shell) == 0) }
    }

    @Test("Files are completed where a command takes one")
    func files() async {
        let bash = await Tool.run(["--generate-completion-script", "bash"]).out.joined(separator: "\n")
        for command in ["import", "sync", "clone", "attach", "bundle_read", "load"] {
            let rest = bash.components(separatedBy: "\n_tripstore_\(command)() {\n").last ?? ""
            let function = rest.components(separatedBy: "\n}\n").first ?? ""
            #expect(function.contains("__tripstore_add_completions -f"), "\(command)")
        }
    }

    private static func names(_ lines: [String]) -> [String] {
        HelpPage.options(in: lines.joined(separator: "\n")).flatMap(\.names)
    }
}
