import ArgumentParser
import Events
import TripStore

/// Options of a command line that its command does not have, and which ones were meant.
enum UnknownOptions {
    /// Words that people type for options, of the same meaning.
    static let synonyms = [
        "title": ["name"], "label": ["name"], "description": ["notes"], "comment": ["notes"], "note": ["notes"],
        "from": ["departure-name", "start", "start-date"], "begin": ["start", "start-date"],
        "date": ["start-date", "start-day", "day"],
        "to": ["arrival-name", "end", "end-date", "destination"], "until": ["end", "end-date", "due-day"],
        "due": ["due-day"],
        "departure": ["start", "departure-name"], "arrival": ["end", "arrival-name"], "price": ["cost", "amount"],
        "paid-by": ["payer"], "pays": ["payer"], "people": ["travellers", "participants"],
        "with": ["travellers", "participants"], "who": ["participants", "assignee", "travellers"],
        "place": ["custom-location-name", "destination"], "where": ["custom-location-name", "destination"],
        "coordinates": ["latitude"], "coordinate": ["latitude"], "location": ["custom-location-name", "destination"],
        "airline": ["carrier"], "company": ["organization", "carrier"], "flight": ["number"], "type": ["kind", "mode"],
        "zone": ["time-zone", "start-time-zone"], "timezone": ["time-zone", "start-time-zone"],
    ]

    /// The fault of the options of a command line, which names all of them; nil if its command has them.
    static func fault(in arguments: [String]) -> String? {
        let command = CommandNames.command(in: arguments)
        // The options of a command with subcommands are those of these.
        guard command.type.configuration.subcommands.isEmpty else { return nil }
        let page = TripStoreCommand.helpMessage(for: command.type, includeHidden: true, columns: 500)
        let options = HelpPage.options(in: page)
        let known = Set(options.flatMap(\.names)).union(["--generate-completion-script"])
        var unknown: [String] = []
        for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
            let name = String(argument.prefix { $0 != "=" })
            if !known.contains(name), !unknown.contains(name) { unknown.append(name) }
        }
        guard !unknown.isEmpty else { return nil }
        let found = unknown.map { near($0, among: options) }
        var meant: [String] = []
        for option in found.joined() where !meant.contains(option) { meant.append(option) }
        let what = "Unknown \(unknown.count.agreeing("option", "options")) \(words(unknown, "and"))."
        let advice = meant.isEmpty ? "" : " Did you mean \(words(meant, "or"))?"
        // An option that is meant here says enough.
        let others = zip(unknown, found).compactMap { $1.isEmpty ? elsewhere($0, than: command) : nil }
        let isAllElsewhere = others.count == unknown.count
        let rest = isAllElsewhere ? "" : " '\(command.words) --help-all' lists them all."
        return what + advice + others.joined() + rest
    }

    /// At most three options that may be meant by one: those of a word that means the same, that of nearly the same letters, or those that
    /// have a word of it in their names, or in what the help says of them.
    private static func near(_ unknown: String, among options: [HelpPage.Option]) -> [String] {
        let name = String(unknown.dropFirst(2).prefix(40))
        let names = options.compactMap(\.names.first)
        let same = (synonyms[name] ?? []).map { "--" + $0 }.filter(names.contains)
        if let first = same.first { return [first] }
        let distances = names.map { (name: $0, distance: NearestName.distance(unknown, $0)) }
        if let least = distances.min(by: { $0.distance < $1.distance }), least.distance <= (name.count + 1) / 3 {
            return [least.name]
        }
        let words = name.split(separator: "-").filter { $0.count > 2 }.map(stem)
        func has(_ text: String) -> Bool {
            !Set(words).isDisjoint(with: text.lowercased().split { !$0.isLetter }.map(stem))
        }
        let byName = names.filter(has)
        let found =
            byName.isEmpty ? options.filter { has($0.lines.joined(separator: " ")) }.compactMap(\.names.first) : byName
        return Array(found.prefix(3))
    }

    /// A word without the letter of the plural.
    private static func stem(_ word: Substring) -> Substring { word.hasSuffix("s") ? word.dropLast() : word }

    /// The commands without subcommands, and the options of each. Made when it is first needed: that takes as long as all pages of help.
    private static let optionsOfAll = CommandNames.leaves.map { command in
        let page = TripStoreCommand.helpMessage(for: command.type, includeHidden: true, columns: 500)
        return (words: command.words, options: Set(HelpPage.options(in: page).flatMap(\.names)))
    }

    /// The commands that have an option, at most three: those beside the one for which it was given, or else others. Nil if none has it.
    private static func elsewhere(_ option: String, than command: NamedCommand) -> String? {
        let group = command.words.split(separator: " ").dropLast().joined(separator: " ") + " "
        let having = optionsOfAll.filter { $0.options.contains(option) }
        let near = having.filter { $0.words.hasPrefix(group) }
        let found = near.isEmpty ? having : near
        guard let first = found.first else { return nil }
        let names = found.prefix(3).map { "'\($0.words.dropFirst("tripstore ".count))'" }
        let all = found.count > names.count ? names.joined(separator: ", ") + " and others" : words(names, "and")
        return " \(all) \(found.count.agreeing("has", "have")) '\(option)': '\(first.words) --help-all' lists it."
    }

    /// Names in one text, options in quotes: "'--a', '--b' and '--c'".
    static func words(_ names: [String], _ last: String) -> String {
        let names = names.map { $0.hasPrefix("--") ? "'\($0.prefix(60))'" : $0 }
        guard names.count > 1 else { return names.joined() }
        return "\(names.dropLast().joined(separator: ", ")) \(last) \(names[names.count - 1])"
    }
}
