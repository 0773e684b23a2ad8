import TripStore

/// A rule by which an event recurs (RFC 5545, section 3.3.10): FREQ from DAILY to YEARLY, INTERVAL, COUNT, UNTIL, BYDAY, BYMONTHDAY,
/// BYMONTH, BYSETPOS and WKST.
public struct RecurrenceRule: Hashable, Sendable {
    public enum Frequency: String, Sendable {
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
    private(set) var weekdays: [Int: WeekdayOrdinals] = [:]
    private(set) var monthDays: Set<Int> = []
    /// In order, each once.
    private(set) var months: [Int] = []
    private(set) var positions: Set<Int> = []
    private(set) var weekStart = 0

    private static let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    /// The most numbers of one part.
    private static let mostNumbers = 400

    /// Nil for text that is no rule, and for rules with other parts, as BYHOUR.
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
            switch name {
            case "INTERVAL":
                guard let number = Int(value), 1...100_000 ~= number else { return nil }
                interval = number
            case "COUNT":
                guard let number = Int(value), number >= 1 else { return nil }
                count = number
            case "UNTIL":
                guard let time = CalendarTime(value) else { return nil }
                until = time
            case "BYDAY":
                guard let days = Self.weekdays(value) else { return nil }
                weekdays = days
            case "BYMONTHDAY":
                guard let days = Self.numbers(value, 1...31) else { return nil }
                monthDays = days
            case "BYMONTH":
                guard let numbers = Self.numbers(value, 1...12), numbers.allSatisfy({ $0 > 0 }) else { return nil }
                months = numbers.sorted()
            case "BYSETPOS":
                guard let numbers = Self.numbers(value, 1...366) else { return nil }
                positions = numbers
            case "WKST":
                guard let number = Self.names.firstIndex(of: value.uppercased()) else { return nil }
                weekStart = number
            default: return nil
            }
        }
        // A month has no more of one day of the week.
        let most = frequency == .yearly && !isWithinMonths ? 53 : 5
        guard weekdays.values.allSatisfy({ $0.ordinals.allSatisfy { abs($0) <= most } }) else { return nil }
    }

    /// Whether the days of a rule for years are found month by month.
    private var isWithinMonths: Bool { !months.isEmpty || !monthDays.isEmpty || weekdays.isEmpty }

    private static func numbers(_ text: Substring, _ range: ClosedRange<Int>) -> Set<Int>? {
        let numbers = text.split(separator: ",").map { Int($0) }
        guard !numbers.isEmpty, numbers.count <= mostNumbers,
            numbers.allSatisfy({ $0.map { range.contains(abs($0)) } ?? false })
        else { return nil }
        return Set(numbers.compactMap { $0 })
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
                guard let ordinal = Int(digits), 1...53 ~= abs(ordinal) else { return nil }
                days[number, default: WeekdayOrdinals()].ordinals.insert(ordinal)
            }
        }
        return days
    }
}

extension RecurrenceRule {
    /// The days on which an event recurs that begins on a day, from that one through another; without COUNT and UNTIL, which need times.
    ///
    /// The first day is the first even where the rule does not have it, as section 3.8.5.3 says. `body` returns whether to go on. Time is
    /// linear in the steps.
    /// - Parameters:
    ///   - further: how many periods after the range are looked at as well, for a day that shows that the rule goes on.
    ///   - steps: how many days may be looked at, and how many are left afterwards.
    /// - Returns: false if the steps did not suffice.
    @discardableResult
    func forEachDay(
        from first: Day, through last: Day, further: Int = 0, steps: inout Int, _ body: (Day) -> Bool
    ) -> Bool {
        guard body(first) else { return true }
        var (period, further) = (0, further)
        while let days = days(ofPeriod: period, from: first, &steps) {
            guard let start = days.start else { return true }
            if start > last {
                guard further > 0 else { return true }
                further -= 1
            }
            for day in days.days where day > first {
                guard day <= last || further > 0, body(day) else { return true }
            }
            guard steps > 0 else { return false }
            period += 1
        }
        return true
    }

    /// The days of a day, week, month or year, in order; nil beyond the year 9999.
    private func days(ofPeriod period: Int, from first: Day, _ steps: inout Int) -> (start: Day?, days: [Day])? {
        steps -= 1
        let (step, overflow) = period.multipliedReportingOverflow(by: interval)
        guard !overflow, step < 4_000_000 else { return nil }
        switch frequency {
        case .daily:
            guard let day = Day(daysSince1970: first.daysSince1970 + step) else { return nil }
            return (day, isAllowed(day) ? [day] : [])
        case .weekly:
            let back = (first.weekday - weekStart).euclideanRemainder(7)
            let monday = first.daysSince1970 - back + step * 7
            guard monday <= Day.last.daysSince1970 else { return nil }
            steps -= 7
            let days = (0..<7).compactMap { Day(daysSince1970: monday + $0) }.filter { day in
                (weekdays.isEmpty ? day.weekday == first.weekday : weekdays[day.weekday] != nil) && isInMonths(day)
            }
            return (Day(daysSince1970: max(monday, Day.first.daysSince1970)), positioned(days))
        case .monthly:
            let month = first.year * 12 + first.month - 1 + step
            guard let start = Day(year: month / 12, month: month % 12 + 1, day: 1) else { return nil }
            guard isInMonths(start) else { return (start, []) }
            return (start, positioned(days(ofMonth: start, first, &steps)))
        case .yearly:
            guard let start = Day(year: first.year + step, month: 1, day: 1) else { return nil }
            return (start, positioned(days(ofYear: start, first, &steps)))
        }
    }

    private func days(ofMonth start: Day, _ first: Day, _ steps: inout Int) -> [Day] {
        let count = start.daysInMonth
        steps -= count
        return (0..<count).filter { index in
            guard monthDays.isEmpty else {
                return hasMonthDay(index + 1, count) && hasWeekday(start.weekday, index, count)
            }
            return weekdays.isEmpty ? index + 1 == first.day : hasWeekday(start.weekday, index, count)
        }.compactMap { Day(daysSince1970: start.daysSince1970 + $0) }
    }

    private func days(ofYear start: Day, _ first: Day, _ steps: inout Int) -> [Day] {
        guard isWithinMonths else {
            let count = Day(year: start.year, month: 2, day: 29) == nil ? 365 : 366
            steps -= count
            return (0..<count).filter { hasWeekday(start.weekday, $0, count) }.compactMap {
                Day(daysSince1970: start.daysSince1970 + $0)
            }
        }
        let used = !months.isEmpty ? months : monthDays.isEmpty ? [first.month] : Array(1...12)
        var days: [Day] = []
        for month in used {
            guard let start = Day(year: start.year, month: month, day: 1) else { continue }
            days += self.days(ofMonth: start, first, &steps)
        }
        return days
    }

    /// For days of a daily rule.
    private func isAllowed(_ day: Day) -> Bool {
        isInMonths(day) && (weekdays.isEmpty || weekdays[day.weekday] != nil)
            && (monthDays.isEmpty || hasMonthDay(day.day, day.daysInMonth))
    }

    private func isInMonths(_ day: Day) -> Bool { months.isEmpty || months.contains(day.month) }

    private func hasMonthDay(_ day: Int, _ count: Int) -> Bool {
        monthDays.contains(day) || monthDays.contains(day - count - 1)
    }

    /// Whether a day is one of the rule's days of the week.
    /// - Parameters:
    ///   - first: the day of the week of the first day of its month or year.
    ///   - index: from that day on.
    ///   - count: the days of the month or the year.
    private func hasWeekday(_ first: Int, _ index: Int, _ count: Int) -> Bool {
        guard !weekdays.isEmpty else { return true }
        guard let found = weekdays[(first + index) % 7] else { return false }
        return found.isEach || found.ordinals.contains(index / 7 + 1)
            || found.ordinals.contains(-((count - 1 - index) / 7 + 1))
    }

    private func positioned(_ days: [Day]) -> [Day] {
        guard !positions.isEmpty else { return days }
        return days.enumerated().filter { index, _ in
            positions.contains(index + 1) || positions.contains(index - days.count)
        }.map(\.element)
    }
}

extension Day {
    /// 0 is Monday.
    var weekday: Int { (daysSince1970 + 3).euclideanRemainder(7) }

    /// How many days its month has.
    fileprivate var daysInMonth: Int {
        switch month {
        case 2: Day(year: year, month: 2, day: 29) == nil ? 28 : 29
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
