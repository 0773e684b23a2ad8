import Foundation
import TripStore

/// Joins the words of a date behind an option to one argument, as in `--from 3 may` and `--from -1w`, and those of the days of an agenda, as in
/// `agenda 3 may..8 may`: the argument parser would take them for several. A word that has a space in it was quoted, and stands for itself.
enum DateArguments {
    private static let most = 9

    /// The options whose values are days or times.
    private static let options: Set<String> = {
        let fields = FieldOption.all(for: AnyKind.self).filter {
            [.day, .moment].contains($0.form) && $0.part == .whole
        }
        return Set(
            (fields.flatMap { [$0.name] + $0.aliases } + ["from", "to", "until", "since", "as-of", "days"]).map {
                "--" + $0
            })
    }()

    static func joined(_ arguments: [String]) -> [String] {
        var joined: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument != "--" else { return joined + [argument] + rest }
            let words = rest.prefix(most).prefix { !$0.hasPrefix("--") && !$0.contains(" ") }
            if arguments.first == "agenda", !argument.hasPrefix("--") {
                let count = length(of: [argument] + words, or: nil)
                joined.append(([argument] + rest.prefix(max(count - 1, 0))).joined(separator: " "))
                rest = rest.dropFirst(max(count - 1, 0))
                continue
            }
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
        where isReadable(words.prefix(count).joined(separator: " ")) { return count }
        return first.map { $0.hasPrefix("-") && isReadable($0) } == true ? 1 : 0
    }

    /// Whether it is a day, a time or a range of days.
    private static func isReadable(_ text: String) -> Bool {
        let ends = text.components(separatedBy: "..")
        return ends.count <= 2 && ends.allSatisfy(WrittenWhen.isReadable)
    }
}
