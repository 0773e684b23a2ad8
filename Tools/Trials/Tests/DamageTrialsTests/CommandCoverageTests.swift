import ArgumentParser
import DamageTrials
import Testing
import TripStoreCommands

@Suite("Commands of the damage trials")
struct CommandCoverageTests {
    /// A command that has no subcommands, with the words that lead to it.
    struct Leaf: CustomStringConvertible {
        let words: [String]
        let help: String

        var description: String { words.joined(separator: " ") }
        /// The command lines of the trials that use it.
        var lines: [[String]] { Trials.commandLines.filter { $0.starts(with: words) } }
    }

    @Test("Every command of the tool is used on damaged stores, nested ones too")
    func everyCommand() {
        // Some use no store at all, and some run until they are interrupted: they open the store as others do. Feeds have a file beside the
        // log, with tests of its own. Words as "flight" stand for
        // `add transportation` and `add lodging`, and "ask" needs a terminal.
        let words = ["ask", "flight", "train", "bus", "ferry", "car", "taxi", "hotel", "apartment"]
        let leaves = Self.leaves(of: TripStoreCommand.self).filter {
            !["config", "serve", "hub", "inspect", "feed"].contains($0.words[0])
                && !words.contains($0.words[$0.words.count - 1])
        }
        #expect(leaves.count > 30)
        for leaf in leaves { #expect(!leaf.lines.isEmpty, "No step of the trials runs 'tripstore \(leaf)'.") }
    }

    @Test("Every command that looks at the past is used with --as-of")
    func everyPast() {
        let leaves = Self.leaves(of: TripStoreCommand.self).filter { $0.help.contains("--as-of") }
        #expect(leaves.count >= 3)
        for leaf in leaves {
            #expect(
                leaf.lines.contains { $0.contains("--as-of") }, "No step runs 'tripstore \(leaf)' with --as-of.")
        }
    }

    private static func leaves(of command: any ParsableCommand.Type, _ words: [String] = []) -> [Leaf] {
        let subcommands = command.configuration.subcommands
        guard !subcommands.isEmpty else {
            return [Leaf(words: words, help: TripStoreCommand.helpMessage(for: command))]
        }
        return subcommands.flatMap { leaves(of: $0, words + [$0._commandName]) }
    }
}
