import TripStore

/// A day, a time of a day, or both, as a cell has them.
struct TableTime: Equatable {
    /// Nil for a time alone.
    var day: Day?
    /// The time of the day; nil for a day alone.
    var milliseconds: Int?
    /// Seconds ahead of UTC, if the cell says it: then it decides the instant.
    var offset: Int?
    /// The zone that the cell names.
    var zone: String?
    /// Days to add, as in `00:20 +1`; nil if the cell has no number of days.
    var shift: Int?

    /// The moment on a day by the clocks of a zone; nil if there is none, or for a day alone.
    func moment(on day: Day, in zone: String) -> Moment? {
        guard let milliseconds else { return nil }
        let seconds = milliseconds / 1000
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { CalendarText.padded($0, 2) }
        let text =
            "\(day.advanced(by: shift ?? 0))T" + clock.joined(separator: ":") + "."
            + CalendarText.padded(milliseconds % 1000, 3) + suffix
        return try? Moment(parsing: text, in: self.zone ?? zone)
    }

    private var suffix: String {
        guard let offset else { return "" }
        let minutes = abs(offset) / 60
        return (offset < 0 ? "-" : "+") + CalendarText.padded(minutes / 60, 2) + ":"
            + CalendarText.padded(minutes % 60, 2)
    }
}

/// Reads the parts of a pattern from a text.
struct TableTimeScanner {
    private var rest: Substring
    private var values: [Character: Int] = [:]
    private var isAfternoon: Bool?
    private var time = TableTime()

    init(_ text: String) { rest = Substring(text.plain) }

    /// Takes a part; false if something else is there.
    mutating func read(_ part: DatePattern.Part) -> Bool {
        switch part {
        case .sign(" "):
            // Between letters and digits it may be missing, as in "9:30pm".
            if rest.first == " " { rest.removeFirst() } else { return rest.first?.isLetter ?? false }
        case .sign(let sign):
            guard rest.first == sign else { return false }
            rest.removeFirst()
        case .number(let name, let digits):
            guard let number = number(digits) else { return false }
            values[name] = number
        case .shortYear:
            guard let number = number(2...2) else { return false }
            values["y"] = number + (number < 69 ? 2000 : 1900)
        case .month:
            guard let month = MonthNames.month(named: word()) else { return false }
            values["M"] = month
        case .weekday: return !word().isEmpty
        case .noon: return noon()
        case .fraction: return fraction()
        case .offset: return offset()
        case .zone: return zone()
        }
        return true
    }

    private mutating func number(_ digits: ClosedRange<Int>) -> Int? {
        let found = rest.prefix(digits.upperBound).prefix { $0.isASCII && $0.isNumber }
        guard digits.contains(found.count), let number = Int(found) else { return nil }
        rest = rest.dropFirst(found.count)
        return number
    }

    /// The letters that come next, with hyphens between them, and a point behind them.
    private mutating func word() -> Substring {
        // No regular expression: compiling one takes longer than reading the whole row.
        var word = rest.first?.isLetter == true ? rest.prefix { $0.isLetter || $0 == "-" } : ""
        while word.last == "-" { word.removeLast() }
        rest = rest.dropFirst(word.count)
        if !word.isEmpty, rest.first == "." { rest.removeFirst() }
        return word
    }

    private mutating func noon() -> Bool {
        let text = rest.drop { $0 == " " }.lowercased()
        guard let form = ["a.m.", "p.m.", "a. m.", "p. m.", "am", "pm", "a.m", "p.m"].first(where: text.hasPrefix)
        else {
            return false
        }
        isAfternoon = form.hasPrefix("p")
        rest = rest.drop { $0 == " " }.dropFirst(form.count)
        return true
    }

    private mutating func fraction() -> Bool {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard 1...9 ~= digits.count, let number = Int((digits + "00").prefix(3)) else { return false }
        time.milliseconds = number
        rest = rest.dropFirst(digits.count)
        return true
    }

    private mutating func offset() -> Bool {
        let before = rest
        for name in ["UTC", "GMT", "Z", "z"] where rest.hasPrefix(name) {
            rest = rest.dropFirst(name.count)
            time.offset = 0
            break
        }
        guard let sign = rest.first, "+-".contains(sign) else { return time.offset != nil }
        let isNamed = time.offset != nil
        rest.removeFirst()
        guard let hours = number(isNamed ? 1...2 : 2...2), hours < 24 else {
            rest = before
            return false
        }
        if rest.first == ":" { rest.removeFirst() }
        let minutes = number(2...2) ?? 0
        time.offset = (hours * 3600 + minutes * 60) * (sign == "-" ? -1 : 1)
        return minutes < 60 && rest.first?.isNumber != true
    }

    private mutating func zone() -> Bool {
        let name = rest.drop { "[(".contains($0) }.prefix {
            $0.isASCII && ($0.isLetter || $0.isNumber || "/_+-".contains($0))
        }
        guard !name.isEmpty, Moment(milliseconds: 0, zone: String(name)).timeZone != nil else { return false }
        time.zone = String(name)
        rest = rest[name.endIndex...]
        if let first = rest.first, "])".contains(first) { rest.removeFirst() }
        return true
    }

    /// A number of days, as in `+1`, `(+1)` or `+1 day`.
    private mutating func shift() -> Bool {
        let form = /\(?([+-]|⁺)([0-9]|¹|²)(?![0-9:]) ?(days?|d|tage?|jours?|j|d[ií]as?|giorn[oi]|dag(ar|en)?)?\)?/
            .ignoresCase()
        guard time.shift == nil, let found = rest.prefixMatch(of: form) else { return false }
        let digit = ["¹": 1, "²": 2][found.2] ?? Int(found.2) ?? 0
        time.shift = found.1 == "-" ? -digit : digit
        rest = rest[found.range.upperBound...]
        return true
    }

    /// The time, with what follows its pattern; nil if something else follows.
    mutating func finish(hasDay: Bool, hasTime: Bool) -> TableTime? {
        if hasTime, values["s"] != nil, time.milliseconds == nil, let sign = rest.first, ".,".contains(sign) {
            rest.removeFirst()
            guard fraction() else { return nil }
        }
        while !rest.isEmpty {
            if rest.first == " " {
                rest.removeFirst()
                continue
            }
            guard hasTime, shift() || time.offset == nil && offset() || time.zone == nil && zone() else { return nil }
        }
        if hasDay {
            guard let year = values["y"], let month = values["M"], let ofMonth = values["d"],
                let day = Day(year: year, month: month, day: ofMonth)
            else { return nil }
            time.day = day
        }
        guard hasTime else { return time }
        guard let second = second() else { return nil }
        time.milliseconds = second * 1000 + (time.milliseconds ?? 0)
        return time
    }

    private mutating func second() -> Int? {
        var hour = values["H"] ?? 0
        if let half = values["h"] {
            guard 1...12 ~= half, let isAfternoon else { return nil }
            hour = half % 12 + (isAfternoon ? 12 : 0)
        }
        let (minute, second) = (values["m"] ?? 0, values["s"] ?? 0)
        guard minute < 60, second < 60 else { return nil }
        // The end of a day, as some write it.
        if hour == 24, minute == 0, second == 0 {
            time.shift = (time.shift ?? 0) + 1
            return 0
        }
        return hour < 24 ? hour * 3600 + minute * 60 + second : nil
    }
}
