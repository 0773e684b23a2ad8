import TripStore

/// Joins the words of a date behind an option to one argument, as in `--from 3 may` and `--from -1w`, which the argument parser would take for
/// several. A word that has a space in it was quoted, and stands for itself.
enum DateArguments {
    private static let most = 5

    /// The options whose values are days or times.
    private static let options: Set<String> = {
        let fields = FieldOption.all(for: AnyKind.self).filter {
            [.day, .moment].contains($0.form) && $0.part == .whole
        }
        return Set(
            (fields.flatMap { [$0.name] + $0.aliases } + ["from", "to", "until", "since", "as-of"]).map { "--" + $0 })
    }()

    static func joined(_ arguments: [String]) -> [String] {
        var joined: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument != "--" else { return joined + [argument] + rest }
            let words = rest.prefix(most).prefix { !$0.hasPrefix("--") && !$0.contains(" ") }
            let found = argument.hasPrefix("--") ? length(of: Array(words), or: rest.first) : 0
            // The options last: they are listed from the fields of all kinds.
            let count = found > 0 && options.contains(argument) ? found : 0
            joined.append(count == 0 ? argument : "\(argument)=\(rest.prefix(count).joined(separator: " "))")
            rest = rest.dropFirst(count)
        }
        return joined
    }

    /// How many words are one value; 0 for a single one that the argument parser takes as it is.
    private static func length(of words: [String], or first: String?) -> Int {
        for count in stride(from: words.count, to: 1, by: -1)
        where WrittenWhen.isReadable(words.prefix(count).joined(separator: " ")) { return count }
        return first.map { $0.hasPrefix("-") && WrittenWhen.isReadable($0) } == true ? 1 : 0
    }
}
