import TripStore

/// How days and times are written in a table: `yyyy`, `MM` or `M`, `dd` or `d`, `HH` or `H`, `hh` or `h` with `a` (AM or PM), `mm`,
/// `ss`; all else stands for itself.
struct DatePattern: Hashable, Sendable {
    private enum Part: Hashable {
        case number(Character, digits: ClosedRange<Int>)
        case noon
        case sign(Character)
    }

    let text: String
    private let parts: [Part]
    /// Whether it has a time of day.
    let hasTime: Bool

    /// Nil for a pattern without a year, a month and a day, or with any of them twice.
    init?(_ text: String) {
        var parts: [Part] = []
        var rest = Substring(text)
        var seen: Set<Character> = []
        while let first = rest.first {
            let count = rest.prefix { $0 == first }.count
            switch (first, count) {
            case ("y", 4): parts.append(.number(first, digits: 4...4))
            case ("M", 2), ("d", 2), ("H", 2), ("h", 2), ("m", 2), ("s", 2): parts.append(.number(first, digits: 2...2))
            case ("M", 1), ("d", 1), ("H", 1), ("h", 1): parts.append(.number(first, digits: 1...2))
            case ("a", 1): parts.append(.noon)
            default:
                guard !first.isLetter || first == "T" else { return nil }
                parts += Array(repeating: .sign(first), count: count)
                rest = rest.dropFirst(count)
                continue
            }
            guard seen.insert(first).inserted else { return nil }
            rest = rest.dropFirst(count)
        }
        guard seen.isSuperset(of: ["y", "M", "d"]), !(seen.contains("H") && seen.contains("h")),
            seen.contains("h") == seen.contains("a"), text.count <= 100
        else { return nil }
        self.text = text
        self.parts = parts
        hasTime = seen.contains("H") || seen.contains("h")
    }

    /// The day, and the second of the day if the pattern has a time; nil for text of another form and for days that do not exist.
    func parse(_ text: String) -> (day: Day, second: Int?)? {
        var values: [Character: Int] = [:]
        var isAfternoon: Bool?
        var rest = Substring(text)
        for part in parts {
            switch part {
            case .sign(let sign):
                guard rest.first == sign else { return nil }
                rest.removeFirst()
            case .noon:
                let word = rest.prefix(2).uppercased()
                guard word == "AM" || word == "PM" else { return nil }
                isAfternoon = word == "PM"
                rest = rest.dropFirst(2)
            case .number(let name, let digits):
                let found = rest.prefix(digits.upperBound).prefix { $0.isASCII && $0.isNumber }
                guard digits.contains(found.count), let number = Int(found) else { return nil }
                values[name] = number
                rest = rest.dropFirst(found.count)
            }
        }
        guard rest.isEmpty, let year = values["y"], let month = values["M"], let ofMonth = values["d"],
            let day = Day(year: year, month: month, day: ofMonth)
        else { return nil }
        guard hasTime else { return (day, nil) }
        var hour = values["H"] ?? 0
        if let half = values["h"] {
            guard 1...12 ~= half, let isAfternoon else { return nil }
            hour = half % 12 + (isAfternoon ? 12 : 0)
        }
        let (minute, second) = (values["m"] ?? 0, values["s"] ?? 0)
        guard hour < 24, minute < 60, second < 60 else { return nil }
        return (day, hour * 3600 + minute * 60 + second)
    }
}
