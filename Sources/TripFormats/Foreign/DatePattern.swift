import TripStore

/// How days and times are written in a table: letters stand for parts as in the date formats of Unicode, and text between apostrophes and all
/// other signs for themselves.
struct DatePattern: Hashable, Sendable {
    enum Part: Hashable {
        case number(Character, digits: ClosedRange<Int>)
        /// Two digits of a year.
        case shortYear
        case month, weekday, noon, fraction, offset, zone
        case sign(Character)
    }

    let text: String
    let parts: [Part]
    /// Whether it has a day; one without is the day of the start.
    let hasDay: Bool
    /// Whether it has a time of day.
    let hasTime: Bool

    /// Nil for a pattern that has neither a day nor an hour, parts of one alone, or a part twice.
    init?(_ text: String) {
        guard text.count <= 100 else { return nil }
        var parts: [Part] = []
        var seen: Set<Character> = []
        var rest = Substring(text)
        while let first = rest.first {
            if first == "'" {
                let quoted = rest.dropFirst().prefix { $0 != "'" }
                parts += Self.signs(quoted.isEmpty ? "'" : quoted)
                rest = rest.dropFirst(quoted.count + 2)
                continue
            }
            let count = rest.prefix { $0 == first }.count
            rest = rest.dropFirst(count)
            guard let part = Self.part(first, count) else {
                guard !first.isASCII || !first.isLetter || first == "T" else { return nil }
                parts += Self.signs(String(repeating: first, count: first.isWhitespace ? 1 : count))
                continue
            }
            guard seen.insert(first).inserted else { return nil }
            parts.append(part)
        }
        hasDay = seen.contains("y")
        hasTime = seen.contains("H") || seen.contains("h")
        let day: Set<Character> = ["y", "M", "d"]
        guard hasDay || hasTime, day.isDisjoint(with: seen) || day.isSubset(of: seen),
            !(seen.contains("H") && seen.contains("h")), seen.contains("h") == seen.contains("a"),
            hasTime || seen.isDisjoint(with: ["m", "s", "S", "X", "x", "Z", "V"])
        else { return nil }
        self.text = text
        self.parts = parts
    }

    private static func part(_ letter: Character, _ count: Int) -> Part? {
        switch (letter, count) {
        case ("y", 1), ("y", 4): .number(letter, digits: 4...4)
        case ("y", 2): .shortYear
        case ("M", 3...4): .month
        case ("E", 1...4): .weekday
        case ("M", 2), ("d", 2), ("H", 2), ("h", 2), ("m", 2), ("s", 2): .number(letter, digits: 2...2)
        case ("M", 1), ("d", 1), ("H", 1), ("h", 1), ("m", 1): .number(letter, digits: 1...2)
        case ("a", 1): .noon
        case ("S", 1...9): .fraction
        case ("X", 1...5), ("x", 1...5), ("Z", 1...5): .offset
        case ("V", 1...2): .zone
        default: nil
        }
    }

    private static func signs(_ text: some StringProtocol) -> [Part] {
        text.compactMap { $0.isWhitespace ? " " : String($0).plain.first }.map { .sign($0) }
    }

    /// Reads a text. Behind a time there may be a fraction of a second, an offset, the name of a zone and a number of days, as in `+1`, even
    /// where the pattern has none of them. Nil for text of another form and for days that do not exist.
    func parse(_ text: String) -> TableTime? {
        var scanner = TableTimeScanner(text)
        for part in parts { guard scanner.read(part) else { return nil } }
        return scanner.finish(hasDay: hasDay, hasTime: hasTime)
    }
}
