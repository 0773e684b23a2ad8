import ArgumentParser
import Events
import TripStore

/// A command, and the words that lead to it, as in "tripstore audit log".
struct NamedCommand {
    let type: any ParsableCommand.Type
    let words: String
}

/// The names of commands, and what was meant by one that there is not.
enum CommandNames {
    /// What is wrong with the command that a command line names, or asks help for; nil if it names one that there is.
    static func fault(in arguments: [String]) -> String? {
        let (known, unknown) = path(in: arguments)
        guard let unknown else { return nil }
        let command = known.last?.command ?? TripStoreCommand.self
        return fault(unknown, known.map(\.name), command.configuration.subcommands.map(name))
    }

    /// The command that a command line names, or asks help for, as far as there is one.
    static func command(in arguments: [String]) -> NamedCommand {
        let path = path(in: arguments).known
        return NamedCommand(
            type: path.last?.command ?? TripStoreCommand.self,
            words: (["tripstore"] + path.map(\.name)).joined(separator: " "))
    }

    /// The commands without subcommands.
    static var leaves: [NamedCommand] { leaves(of: NamedCommand(type: TripStoreCommand.self, words: "tripstore")) }

    private static func leaves(of command: NamedCommand) -> [NamedCommand] {
        let subcommands = command.type.configuration.subcommands
        guard !subcommands.isEmpty else { return [command] }
        return subcommands.flatMap { leaves(of: NamedCommand(type: $0, words: "\(command.words) \(name(of: $0))")) }
    }

    /// The commands that the words of a command line name, each a subcommand of the one before, and the first word that names none.
    private static func path(
        in arguments: [String]
    ) -> (known: [(name: String, command: any ParsableCommand.Type)], unknown: String?) {
        var words = arguments[...]
        if words.first == "help" { words.removeFirst() }
        var known: [(name: String, command: any ParsableCommand.Type)] = []
        var subcommands = TripStoreCommand.configuration.subcommands
        while !subcommands.isEmpty, let word = words.popFirst(), !word.hasPrefix("-") {
            if known.isEmpty && word == "help" { break }
            guard let found = subcommands.first(where: { name(of: $0) == word }) else { return (known, word) }
            known.append((word, found))
            subcommands = found.configuration.subcommands
        }
        return (known, nil)
    }

    private static func name(of command: any ParsableCommand.Type) -> String { command.configuration.commandName ?? "" }

    /// The command of `audit` that people look for by its name alone, as `blame`, or by the word "history".
    private static func ofAudit(_ word: String) -> String? {
        let word = word == "history" ? "log" : word
        return AuditCommand.configuration.subcommands.map(name).first { $0 == word }.map { "audit \($0)" }
    }

    private static func fault(_ word: String, _ path: [String], _ names: [String]) -> String {
        let start = (["tripstore"] + path).joined(separator: " ")
        let help = (["tripstore", "help"] + path).joined(separator: " ")
        let sameMeaning = path.isEmpty ? ofAudit(word) : path == ["add"] ? ItemWords.offered(for: word) : nil
        let meant = sameMeaning ?? NearestName.of(word, in: names)
        let nearest = meant.map { "Did you mean '\(start) \($0)'? " } ?? ""
        return "There is no command '\(start) \(word)'. \(nearest)'\(help)' lists those that there are."
    }
}
