import ArgumentParser

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
        let nearest = names.min { distance(word, $0) < distance(word, $1) } ?? ""
        let isNear = distance(word, nearest) <= max(2, word.count / 2)
        return "There is no command '\(start) \(word)'. "
            + (isNear ? "Did you mean '\(start) \(nearest)'? " : "") + "'\(help)' lists those that there are."
    }

    /// How many characters are to be put in, taken out or changed to come from one text to the other (Levenshtein).
    static func distance(_ a: String, _ b: String) -> Int {
        // A name is short, and of a longer text no more is looked at.
        let (a, b) = (Array(a.prefix(40)), Array(b.prefix(40)))
        var row = Array(0...b.count)
        for (number, character) in a.enumerated() {
            var diagonal = row[0]
            row[0] = number + 1
            for place in b.indices {
                let changed = diagonal + (character == b[place] ? 0 : 1)
                diagonal = row[place + 1]
                row[place + 1] = min(changed, row[place] + 1, diagonal + 1)
            }
        }
        return row[b.count]
    }
}
