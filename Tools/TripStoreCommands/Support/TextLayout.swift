import Foundation
import TripFormats

/// How text for people is laid out: in how many columns, in which characters, and whether in colours.
public struct TextLayout: Sendable, Hashable {
    /// Narrower terminals are taken as this wide.
    static let leastColumns = 20

    /// The columns of a terminal; nil where lines may have any length, as in a pipe.
    public let columns: Int?
    /// Whether characters beyond ASCII are replaced.
    public let isASCII: Bool
    /// Whether text may have colours and weights.
    public let isStyled: Bool

    public init(columns: Int? = nil, isASCII: Bool = false, isStyled: Bool = false) {
        self.columns = columns.map { max($0, Self.leastColumns) }
        self.isASCII = isASCII
        self.isStyled = isStyled
    }

    /// The layout of a process: COLUMNS counts more than the terminal, and as in POSIX the character set is that of the first of LC_ALL,
    /// LC_CTYPE and LANG that is set.
    init(environment: [String: String], terminalColumns: Int?) {
        let named = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        let set = locale.lowercased().replacing("-", with: "")
        self.init(
            columns: named ?? terminalColumns, isASCII: !set.contains("utf8"),
            isStyled: ColorChoice.isWanted(onTerminal: terminalColumns != nil, environment))
    }

    /// What stands for what was cut off.
    private var ellipsis: String { isASCII ? "..." : "…" }

    /// The text on one line, in the characters that may be printed.
    func shown(_ text: String) -> String { isASCII ? text.visible.inASCII : text.visible }

    /// The text, cut if it is wider; not within an escaped character.
    func cut(_ text: String, to width: Int) -> String {
        guard text.columns > width else { return text }
        var (kept, used) = ("", ellipsis.columns)
        var rest = text[...]
        while !rest.isEmpty {
            var end = rest.index(after: rest.startIndex)
            if rest.hasPrefix("\\u{"), let brace = rest.firstIndex(of: "}") { end = rest.index(after: brace) }
            used += String(rest[..<end]).columns
            if used > width { break }
            kept += rest[..<end]
            rest = rest[end...]
        }
        return kept + ellipsis
    }

    /// Values with commas between them, cut to as many whole ones as have room: half an amount is another amount.
    func cutList(_ text: String, to width: Int) -> String {
        guard text.columns > width else { return text }
        let parts = text.components(separatedBy: ", ")
        for count in stride(from: parts.count - 1, to: 0, by: -1) {
            let kept = parts[..<count].joined(separator: ", ") + ", \(ellipsis)"
            if kept.columns <= width { return kept }
        }
        return cut(text, to: width)
    }

    /// The least width in which a value of each list is whole.
    func leastWidth(ofList text: String) -> Int {
        let parts = text.components(separatedBy: ", ")
        return parts[0].columns + (parts.count > 1 ? 2 + ellipsis.columns : 0)
    }

    /// A text behind a heading, no wider than the terminal; it goes on below its beginning.
    func lines(_ text: String, behind heading: String) -> [String] {
        let below = String(repeating: " ", count: heading.columns)
        let lines = wrapped(shown(text), to: columns.map { $0 - heading.columns })
        return lines.enumerated().map { ($0.offset == 0 ? heading : below) + $0.element }
    }

    /// The text in lines that are no wider, broken between words. Words that are wider are broken too.
    func wrapped(_ text: String, to width: Int?) -> [String] {
        guard let limit = width.map({ max($0, 2) }), text.columns > limit else { return [text] }
        var (lines, line, used) = ([String](), "", 0)
        for (number, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if number > 0, used + 1 + String(word).columns > limit {
                lines.append(line)
                (line, used) = ("", 0)
            } else if number > 0 {
                line += " "
                used += 1
            }
            for character in word {
                if used + character.columns > limit {
                    lines.append(line)
                    (line, used) = ("", 0)
                }
                line.append(character)
                used += character.columns
            }
        }
        return lines + [line]
    }
}

extension Console {
    /// Prints a text behind a heading in lines that fit.
    func tell(_ text: String, behind heading: String = "") {
        for line in layout.lines(text, behind: heading) { out(line) }
    }
}

extension String {
    /// With spaces behind it up to a width.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - columns)) }
}
