import ArgumentParser
import TripStore

/// The names of commands, and what was meant by one that there is not.
enum CommandNames {
    /// What is wrong with the command that a command line names, or asks help for; nil if it names one that there is.
    static func fault(in arguments: [String]) -> String? {
        var words = arguments[...]
        if words.first == "help" { words.removeFirst() }
        var command: any ParsableCommand.Type = TripStoreCommand.self
        var path: [String] = []
        while !command.configuration.subcommands.isEmpty, let word = words.popFirst(), !word.hasPrefix("-") {
            let subcommands = command.configuration.subcommands
            if path.isEmpty && word == "help" { return nil }
            guard let found = subcommands.first(where: { name(of: $0) == word }) else {
                return fault(word, path, subcommands.map(name))
            }
            command = found
            path.append(word)
        }
        return nil
    }

    private static func name(of command: any ParsableCommand.Type) -> String { command.configuration.commandName ?? "" }

    private static func fault(_ word: String, _ path: [String], _ names: [String]) -> String {
        let start = (["tripstore"] + path).joined(separator: " ")
        let help = (["tripstore", "help"] + path).joined(separator: " ")
        let nearest = NearestName.of(word, in: names).map { "Did you mean '\(start) \($0)'? " } ?? ""
        return "There is no command '\(start) \(word)'. \(nearest)'\(help)' lists those that there are."
    }
}
