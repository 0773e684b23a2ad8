import ArgumentParser
import Foundation
import StoreSupport
import Testing

@testable import TripStoreCommands

@Suite("Help, the version and completions")
struct HelpTests {
    @Test("The help of every command has an example that is a command line of it")
    func examples() async throws {
        let leaves = Self.leaves(of: TripStoreCommand.self)
        #expect(leaves.count > 30)
        for words in leaves {
            let help = await Tool.run(["help"] + words)
            #expect(help.code == 0)
            let lines = help.out.joined(separator: "\n").components(separatedBy: "\n").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            let start = (["tripstore"] + words).joined(separator: " ")
            #expect(lines.contains { $0.hasPrefix("Example") }, "\(start)")
            #expect(lines.contains { $0 == start || $0.hasPrefix(start + " ") }, "\(start): \(lines)")
            // An example can be copied: a line that goes on says so.
            let examples = lines.drop { !$0.hasPrefix("Example") }.prefix { !$0.isEmpty && !$0.hasPrefix("USAGE") }
            for (line, next) in zip(examples, examples.dropFirst()) where next.hasPrefix("--") {
                #expect(line.hasSuffix("\\"), "\(start): \(line)")
            }
        }
    }

    @Test(
        "A command that there is not is refused with the nearest that there is",
        arguments: [
            (["help", "shwo"], "'tripstore show'"), (["trip"], "'tripstore trips'"),
            (["help", "audit", "lgo"], "'tripstore audit log'"),
            (["history", "Lisbon"], "'tripstore audit log'"), (["blame", "Lisbon"], "'tripstore audit blame'"),
            (["audit", "blme", "x"], "'tripstore audit blame'"), (["bundle", "red", "x"], "'tripstore bundle read'"),
        ])
    func unknown(arguments: [String], nearest: String) async {
        let outcome = await Tool.run(arguments)
        #expect(outcome.code == 64 && outcome.out.isEmpty)
        #expect(outcome.error.contains("Did you mean \(nearest)?"), "\(outcome.error)")
    }

    @Test("Where nothing is near, the commands are pointed at; help of what there is works")
    func help() async {
        let outcome = await Tool.run(["help", "xylophone-concert"])
        #expect(outcome.code == 64 && outcome.error.contains("'tripstore help' lists those that there are"))
        for line in [
            ["help"], ["--help"], ["help", "audit"], ["audit", "--help"], ["help", "help"], ["show", "--help"],
        ] {
            #expect(await Tool.run(line).code == 0, "\(line)")
        }
    }

    @Test("The version names the formats that are written")
    func version() async {
        let outcome = await Tool.run(["--version"])
        let text = outcome.out.joined(separator: "\n")
        #expect(outcome.code == 0)
        #expect(
            text.hasPrefix("tripstore ") && text.contains("commits of format 1") && text.contains("bundles of format 2")
        )
    }

    /// The commands without subcommands, by the words that lead to them.
    private static func leaves(of command: any ParsableCommand.Type, _ words: [String] = []) -> [[String]] {
        let subcommands = command.configuration.subcommands
        guard !subcommands.isEmpty else { return [words] }
        return subcommands.flatMap { leaves(of: $0, words + [$0.configuration.commandName ?? ""]) }
    }
}
