/// A rule by which an event recurs (RFC 5545, section 3.3.10), in the Gregorian calendar.
///
/// Parts that the RFC does not define for a frequency, as BYWEEKNO of months, limit it as well; a number of BYDAY has a meaning for months
/// and years alone, and is passed over elsewhere.
public struct RecurrenceRule: Hashable, Sendable {
    public enum Frequency: String, CaseIterable, Sendable {
        case secondly = "SECONDLY"
        case minutely = "MINUTELY"
        case hourly = "HOURLY"
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    /// Which of the days of one number count, as the first or last Friday.
    struct WeekdayOrdinals: Hashable, Sendable {
        /// Whether each of them counts.
        var isEach = false
        /// Which of the month or the year, from its end if negative.
        var ordinals: Set<Int> = []
    }

    public let frequency: Frequency
    public private(set) var interval = 1
    public private(set) var count: Int?
    public private(set) var until: CalendarTime?
    /// By the number of the day, 0 is Monday.
    var weekdays: [Int: WeekdayOrdinals] = [:]
    /// Numbers of days of the month and of the year; negative ones count from the end.
    var monthDays: Set<Int> = []
    private(set) var yearDays: Set<Int> = []
    /// Numbers of weeks of the year; negative ones count from the end. The first week has most of its days in the year.
    private(set) var weeks: Set<Int> = []
    /// In order, each once, as are the three below.
    var months: [Int] = []
    var hours: [Int] = []
    var minutes: [Int] = []
    var seconds: [Int] = []
    private(set) var positions: Set<Int> = []
    private(set) var weekStart = 0

    private static let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    /// The most numbers of one part.
    private static let mostNumbers = 400
    private static let largestInterval = 1 << 31

    /// Nil for text that is no rule, and for rules of another calendar than the Gregorian.
    public init?(_ text: String) {
        var parts: [String: Substring] = [:]
        for part in text.split(separator: ";", maxSplits: 20) {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, parts.updateValue(pair[1], forKey: pair[0].uppercased()) == nil else { return nil }
        }
        guard let name = parts.removeValue(forKey: "FREQ"), let frequency = Frequency(rawValue: name.uppercased())
        else {
            return nil
        }
        self.frequency = frequency
        for (name, value) in parts {
            guard set(name, value) else { return nil }
        }
        // A month has no more of one day of the week.
        let most = frequency == .yearly && months.isEmpty ? 53 : 5
        guard weekdays.values.allSatisfy({ $0.ordinals.allSatisfy { abs($0) <= most } }) else { return nil }
    }

    /// False for a part that is none.
    private mutating func set(_ name: String, _ value: Substring) -> Bool {
        func take<Value>(_ value: Value?, _ part: WritableKeyPath<Self, Value>) -> Bool {
            guard let value else { return false }
            self[keyPath: part] = value
            return true
        }
        switch name {
        case "INTERVAL": return take(Int(value).flatMap { 1...Self.largestInterval ~= $0 ? $0 : nil }, \.interval)
        case "COUNT": return take(Int(value).flatMap { $0 >= 1 ? .some($0) : nil }, \.count)
        case "UNTIL": return take(CalendarTime(value).map { .some($0) }, \.until)
        case "BYSECOND":
            // A leap second counts as the second before.
            return take(Self.numbers(value, 0...60).map { Set($0.map { min($0, 59) }).sorted() }, \.seconds)
        case "BYMINUTE": return take(Self.numbers(value, 0...59), \.minutes)
        case "BYHOUR": return take(Self.numbers(value, 0...23), \.hours)
        case "BYDAY": return take(Self.weekdays(value), \.weekdays)
        case "BYMONTHDAY": return take(Self.numbersOfBothEnds(value, 31), \.monthDays)
        case "BYYEARDAY": return take(Self.numbersOfBothEnds(value, 366), \.yearDays)
        case "BYWEEKNO": return take(Self.numbersOfBothEnds(value, 53), \.weeks)
        case "BYMONTH": return take(Self.numbers(value, 1...12), \.months)
        case "BYSETPOS": return take(Self.numbersOfBothEnds(value, 366), \.positions)
        case "WKST": return take(Self.names.firstIndex(of: value.uppercased()), \.weekStart)
        // RFC 7529: days that a month does not have are left out, as in RFC 5545.
        case "RSCALE": return value.uppercased() == "GREGORIAN"
        case "SKIP": return value.uppercased() == "OMIT"
        default: return false
        }
    }

    /// In order, each once.
    private static func numbers(_ text: Substring, _ range: ClosedRange<Int>) -> [Int]? {
        let numbers = text.split(separator: ",").map { Int($0) }
        guard !numbers.isEmpty, numbers.count <= mostNumbers,
            numbers.allSatisfy({ $0.map(range.contains) ?? false })
        else { return nil }
        return Set(numbers.compactMap { $0 }).sorted()
    }

    /// Numbers from 1 on, and negative ones, which count from the end.
    private static func numbersOfBothEnds(_ text: Substring, _ most: Int) -> Set<Int>? {
        numbers(text, -most...most).flatMap { $0.contains(0) ? nil : Set($0) }
    }

    private static func weekdays(_ text: Substring) -> [Int: WeekdayOrdinals]? {
        var days: [Int: WeekdayOrdinals] = [:]
        let parts = text.split(separator: ",")
        guard !parts.isEmpty, parts.count <= mostNumbers else { return nil }
        for part in parts {
            guard part.utf8.count >= 2, let number = names.firstIndex(of: part.suffix(2).uppercased()) else {
                return nil
            }
            let digits = part.dropLast(2)
            if digits.isEmpty {
                days[number, default: WeekdayOrdinals()].isEach = true
            } else {
                guard let ordinal = Int(digits), 1...53 ~= ordinal.magnitude else { return nil }
                days[number, default: WeekdayOrdinals()].ordinals.insert(ordinal)
            }
        }
        return days
    }
}

extension RecurrenceRule {
    /// Whether a number of BYDAY counts days of a month or a year.
    var countsWeekdays: Bool { frequency == .monthly || isYearly && weeks.isEmpty }

    private var isYearly: Bool { frequency == .yearly }

    /// Whether its periods are the years of numbered weeks, which begin up to three days before or after those of the calendar.
    var hasWeekYears: Bool { isYearly && !weeks.isEmpty }

    /// The seconds of a period of less than a day; nil for days and more.
    var clockUnit: Int? {
        switch frequency {
        case .secondly: 1
        case .minutely: 60
        case .hourly: 3600
        default: nil
        }
    }
}
