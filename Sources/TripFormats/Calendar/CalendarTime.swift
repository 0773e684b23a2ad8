public import TripStore

/// A day or a time of a calendar, as written: which instant it is depends on zones.
public enum CalendarTime: Hashable, Sendable {
    /// A whole day.
    case day(Day)
    /// A time of day by the clocks of a zone, which is named as in the file; nil for clocks wherever one is.
    case local(Day, second: Int, zone: String?)
    /// A time of day in UTC.
    case utc(Day, second: Int)

    /// The day as written.
    public var day: Day {
        switch self {
        case .day(let day), .local(let day, _, _), .utc(let day, _): day
        }
    }

    /// Whether a text would be a time if its seconds were there.
    static func lacksSeconds(_ text: String) -> Bool {
        let clock = text.hasSuffix("Z") ? text.dropLast() : text[...]
        return clock.utf8.count == 13 && clock.contains("T") && CalendarTime(clock + "00") != nil
    }

    /// Whether it is a whole day.
    public var isDay: Bool { if case .day = self { true } else { false } }

    /// From `20270501`, `20270501T093000` or `20270501T073000Z` and the TZID of the property, or with an offset behind it in its place, as
    /// `20270501T093000+0200`; nil for anything else, and for days that the calendar does not have in the years 1 to 9999. A leap second
    /// counts as the second before.
    public init?(_ text: some StringProtocol, zone: String? = nil) {
        let digits = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in digits[range] {
                guard byte.isDigit else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            return value
        }
        guard digits.count >= 8, let year = number(0..<4), let month = number(4..<6), let ofMonth = number(6..<8),
            let day = Day(year: year, month: month, day: ofMonth)
        else { return nil }
        if digits.count == 8 {
            self = .day(day)
            return
        }
        let isUTC = digits.count == 16 && digits[15] == UInt8(ascii: "Z")
        let offset = digits.count > 16 && "+-".utf8.contains(digits[15]) ? String(text.suffix(digits.count - 15)) : nil
        guard digits.count == 15 || isUTC || offset.flatMap({ ZoneNames.offset($0) }) != nil,
            digits[8] == UInt8(ascii: "T"), let hour = number(9..<11),
            let minute = number(11..<13), let second = number(13..<15), hour < 24, minute < 60, second <= 60
        else { return nil }
        let seconds = hour * 3600 + minute * 60 + min(second, 59)
        self = isUTC ? .utc(day, second: seconds) : .local(day, second: seconds, zone: offset ?? zone)
    }

    /// A time of a series that starts at another: of a day that at which the series is, and without a zone in its zone, for programs leave
    /// out both.
    func like(_ start: CalendarTime) -> CalendarTime {
        guard isDay, !start.isDay else { return self.in(zoneOf: start) }
        return start.at(clock: clockSeconds + start.clockSeconds.euclideanRemainder(86_400)) ?? self
    }

    /// The time a number of days later; nil beyond the years 1 to 9999.
    func later(days: Int) -> CalendarTime? { later(seconds: days * 86_400) }

    /// The time a number of seconds later by the same clocks; nil beyond the years 1 to 9999. A whole day moves by whole days.
    func later(seconds: Int) -> CalendarTime? { at(clock: clockSeconds + seconds) }

    /// When the same clocks show some seconds since 1970; nil beyond the years 1 to 9999.
    func at(clock: Int) -> CalendarTime? {
        guard let day = Day(daysSince1970: clock.euclideanFloor(86_400)) else { return nil }
        let second = clock.euclideanRemainder(86_400)
        return switch self {
        case .day: .day(day)
        case .local(_, _, let zone): .local(day, second: second, zone: zone)
        case .utc: .utc(day, second: second)
        }
    }

    /// A time of no zone in that of another; any other as it is.
    func `in`(zoneOf other: CalendarTime) -> CalendarTime {
        guard case .local(let day, let second, nil) = self, case .local(_, _, let zone) = other else { return self }
        return .local(day, second: second, zone: zone)
    }

    /// The seconds that the clock shows since 1970.
    var clockSeconds: Int {
        switch self {
        case .day(let day): day.daysSince1970 * 86_400
        case .local(let day, let second, _), .utc(let day, let second): day.daysSince1970 * 86_400 + second
        }
    }
}

extension Int {
    func euclideanFloor(_ divisor: Int) -> Int { self / divisor - (self % divisor < 0 ? 1 : 0) }

    func euclideanRemainder(_ divisor: Int) -> Int {
        let rest = self % divisor
        return rest < 0 ? rest + divisor : rest
    }
}

/// A duration of a calendar (RFC 5545, section 3.3.6): days by the calendar, and seconds.
struct CalendarDuration: Hashable, Sendable {
    let days: Int
    let seconds: Int

    /// From text as `P1DT2H30M`, `-PT15M` or `P2W`; nil for anything else and beyond 10,000 years.
    init?(_ text: String) {
        var rest = Substring(text)
        let isNegative = rest.hasPrefix("-")
        if let sign = rest.first, sign == "-" || sign == "+" { rest.removeFirst() }
        guard rest.first == "P" else { return nil }
        rest.removeFirst()
        var (days, seconds, inTime, hasPart) = (0, 0, false, false)
        while let first = rest.first {
            if first == "T", !inTime {
                inTime = true
                rest.removeFirst()
                continue
            }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits), number <= 3_660_000 * 86_400, let unit = rest.dropFirst(digits.count).first
            else { return nil }
            switch (unit, inTime) {
            case ("W", false): days += number * 7
            case ("D", false): days += number
            case ("H", true): seconds += number * 3600
            case ("M", true): seconds += number * 60
            case ("S", true): seconds += number
            default: return nil
            }
            guard days <= 3_660_000, seconds <= 3_660_000 * 86_400 else { return nil }
            hasPart = true
            rest = rest.dropFirst(digits.count + 1)
        }
        guard hasPart else { return nil }
        self.days = isNegative ? -days : days
        self.seconds = isNegative ? -seconds : seconds
    }

    /// Whether it is none of before a time, and ends within the years 1 to 9999.
    func isLength(from start: CalendarTime) -> Bool {
        days >= 0 && seconds >= 0 && start.later(days: days)?.later(seconds: seconds) != nil
    }
}
