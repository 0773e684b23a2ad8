import ArgumentParser
import Events
import TripStore

/// A command with options for the fields of kinds.
protocol FieldCommand: ParsableCommand {
    static var fieldOptions: [FieldOption] { get }
}

/// The help of a command as the argument parser writes it, in lines that fit, with the options for fields by theme.
///
/// `--help` has the options that people need most, and says how many more `--help-all` has.
struct HelpPage {
    /// Whether the page that is written leaves out what few people need.
    @TaskLocal static var isShort = false

    /// The visibility of an option that few people need. Everywhere but on the short page, as in completions, it is like any other.
    static var rare: ArgumentVisibility { isShort ? .hidden : .default }

    /// The option of the whole page.
    private static let whole = "--help-all"
    private static let general = ["--author", "--store", "--json", "--colors", "--version", "--help"]

    private let command: NamedCommand
    private let isWhole: Bool
    private let columns: Int

    /// The command line as the parser takes it, and the page for it. In fewer columns than 60 no column of words fits beside the options.
    static func page(of arguments: inout [String], in layout: Int?) -> HelpPage {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        let given = arguments[..<end].indices.filter { arguments[$0] == whole }
        for index in given { arguments[index] = "--help" }
        return HelpPage(
            command: CommandNames.command(in: arguments), isWhole: !given.isEmpty, columns: max(layout ?? 80, 60))
    }

    /// The text of a page that the parser writes in some columns; other texts are completion scripts.
    func text(_ write: (Int) -> String) -> String {
        let page = write(columns)
        guard page.hasPrefix("OVERVIEW: ") || page.hasPrefix("USAGE: ") else { return CompletionScript.quickened(page) }
        guard !isWhole else { return laidOut(page) }
        let short = Self.$isShort.withValue(true) { write(columns) }
        let rest = Self.options(in: page).count - Self.options(in: short).count
        let advice = "\n  '\(command.words) \(Self.whole)' shows \(rest.counted("more option"))."
        return laidOut(short) + (rest == 0 ? "" : advice)
    }

    /// A text with its usage in lines that fit.
    func fitted(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { fitted(line: String($0)) }
            .joined(separator: "\n")
    }

    private func fitted(line: String) -> String {
        // A group of subcommands has a name of its own.
        if line.hasSuffix(" SUBCOMMANDS:") { return line.replacing(" SUBCOMMANDS:", with: ":") }
        guard line.hasPrefix("USAGE: ") || line.hasPrefix("Usage: "), line.count > columns else { return line }
        // An option stays with its value, and what is in brackets together.
        var parts: [String] = []
        var depth = 0
        for word in line.split(separator: " ").map(String.init) {
            let isValue = word.hasPrefix("<") && parts.last.map { $0.hasPrefix("-") && !$0.contains(" ") } ?? false
            if depth > 0 || isValue || word == "...", let last = parts.popLast() {
                parts.append("\(last) \(word)")
            } else {
                parts.append(word)
            }
            depth += word.count { $0 == "[" } - word.count { $0 == "]" }
        }
        var lines = [""]
        for part in parts {
            let last = lines.removeLast()
            if last.isEmpty {
                lines.append(part)
            } else if last.count + 1 + part.count <= columns {
                lines.append("\(last) \(part)")
            } else {
                lines += [last, String(repeating: " ", count: "USAGE: ".count) + part]
            }
        }
        return lines.joined(separator: "\n")
    }

    /// With the options for fields by theme, and those that every command has behind its own.
    private func laidOut(_ page: String) -> String {
        var lines = fitted(page).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let start = lines.firstIndex(of: "OPTIONS:") else { return lines.joined(separator: "\n") }
        let end = lines[start...].firstIndex(of: "") ?? lines.endIndex
        let options = Self.options(in: lines[start..<end].joined(separator: "\n"))
        func isGeneral(_ option: Option) -> Bool { option.names.contains(where: Self.general.contains) }
        let ordered = options.filter { !isGeneral($0) } + options.filter(isGeneral)
        guard let fields = (command.type as? any FieldCommand.Type)?.fieldOptions else {
            lines.replaceSubrange(start + 1..<end, with: ordered.flatMap(\.lines))
            return lines.joined(separator: "\n")
        }
        let themes = Dictionary(fields.map { ($0.typed, $0.theme) }) { first, _ in first }
        let byTheme = Dictionary(grouping: ordered) { option in
            option.names.lazy.compactMap { themes[$0] }.first ?? .more
        }
        let sections = FieldTheme.allCases.compactMap { theme in
            byTheme[theme].map { ["\(theme.rawValue.uppercased()):"] + $0.flatMap(\.lines) }
        }
        lines.replaceSubrange(start..<end, with: Array(sections.joined(separator: [""])))
        return lines.joined(separator: "\n")
    }

    /// An option of a page, with the lines that it takes.
    typealias Option = (names: [String], lines: [String])

    static func options(in page: String) -> [Option] {
        var options: [Option] = []
        for line in page.split(separator: "\n").map(String.init) {
            if line.hasPrefix("  -") {
                let label = line.dropFirst(2).prefix { $0 != "<" }.split(separator: "  ").first ?? ""
                options.append((label.matches(of: /--[a-z0-9-]+/).map { String($0.output) }, [line]))
            } else if line.hasPrefix("   "), var option = options.popLast() {
                option.lines.append(line)
                options.append(option)
            }
        }
        return options
    }
}
