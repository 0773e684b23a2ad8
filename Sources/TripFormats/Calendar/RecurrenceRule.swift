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

    /// A day of the week: 0 is Monday; and which of the month or year, from its end if negative.
    struct Weekday: Hashable, Sendable {
        let number: Int
        let ordinal: Int?
    }

    public let frequency: Frequency
    public private(set) var interval = 1
    public private(set) var count: Int?
    public private(set) var until: CalendarTime?
    private(set) var weekdays: [Weekday] = []
    private(set) var monthDays: [Int] = []
    private(set) var months: [Int] = []
    private(set) var positions: [Int] = []
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
    }

    private static func numbers(_ text: Substring, _ range: ClosedRange<Int>) -> [Int]? {
        let numbers = text.split(separator: ",").map { Int($0) }
        guard !numbers.isEmpty, numbers.count <= mostNumbers,
            numbers.allSatisfy({ $0.map { range.contains(abs($0)) } ?? false })
        else { return nil }
        return numbers.compactMap { $0 }
    }

    private static func weekdays(_ text: Substring) -> [Weekday]? {
        var days: [Weekday] = []
        for part in text.split(separator: ",") {
            guard days.count < mostNumbers, part.utf8.count >= 2,
                let number = names.firstIndex(of: part.suffix(2).uppercased())
            else { return nil }
            let digits = part.dropLast(2)
            if digits.isEmpty {
                days.append(Weekday(number: number, ordinal: nil))
            } else {
                guard let ordinal = Int(digits), 1...53 ~= abs(ordinal) else { return nil }
                days.append(Weekday(number: number, ordinal: ordinal))
            }
        }
        return days.isEmpty ? nil : days
    }
}

extension RecurrenceRule {
    /// The days on which an event recurs that begins on a day, from that one through another; without COUNT and UNTIL, which need times.
    ///
    /// The first day is the first even where the rule does not have it, as section 3.8.5.3 says. `body` returns whether to go on. Time is
    /// linear in the days of the range.
    /// - Parameter further: how many periods after the range are looked at as well, for a day that shows that the rule goes on.
    func forEachDay(from first: Day, through last: Day, further: Int = 0, _ body: (Day) -> Bool) {
        guard body(first) else { return }
        var (period, further) = (0, further)
        while let days = days(ofPeriod: period, from: first) {
            guard let start = days.start else { return }
            if start > last {
                guard further > 0 else { return }
                further -= 1
            }
            for day in days.days where day > first {
                guard day <= last || further > 0, body(day) else { return }
            }
            period += 1
        }
    }

    /// The days of a day, week, month or year, in order; nil beyond the year 9999.
    private func days(ofPeriod period: Int, from first: Day) -> (start: Day?, days: [Day])? {
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
            let numbers = weekdays.isEmpty ? [first.weekday] : weekdays.map(\.number)
            let days = (0..<7).compactMap { Day(daysSince1970: monday + $0) }.filter {
                numbers.contains($0.weekday) && isInMonths($0)
            }
            return (Day(daysSince1970: max(monday, Day.first.daysSince1970)), positioned(days))
        case .monthly:
            let month = first.year * 12 + first.month - 1 + step
            guard let start = Day(year: month / 12, month: month % 12 + 1, day: 1) else { return nil }
            guard isInMonths(start) else { return (start, []) }
            return (start, positioned(days(ofMonth: start, first)))
        case .yearly:
            guard let start = Day(year: first.year + step, month: 1, day: 1) else { return nil }
            return (start, positioned(days(ofYear: start, first)))
        }
    }

    private func days(ofMonth start: Day, _ first: Day) -> [Day] {
        let all = start.month(in: start.year, start.month)
        if !monthDays.isEmpty { return all.filter { hasMonthDay($0, all.count) && hasWeekday($0, in: all) } }
        if !weekdays.isEmpty { return all.filter { hasWeekday($0, in: all) } }
        return all.filter { $0.day == first.day }
    }

    private func days(ofYear start: Day, _ first: Day) -> [Day] {
        if months.isEmpty, monthDays.isEmpty, !weekdays.isEmpty {
            let all = (1...12).flatMap { start.month(in: start.year, $0) }
            return all.filter { hasWeekday($0, in: all) }
        }
        let used = !months.isEmpty ? months : monthDays.isEmpty ? [first.month] : Array(1...12)
        return used.flatMap { month -> [Day] in
            Day(year: start.year, month: month, day: 1).map { days(ofMonth: $0, first) } ?? []
        }
    }

    /// For days of a daily rule.
    private func isAllowed(_ day: Day) -> Bool {
        isInMonths(day) && (weekdays.isEmpty || weekdays.contains { $0.number == day.weekday })
            && (monthDays.isEmpty || hasMonthDay(day, Day(day.year, day.month + 1, 0).day))
    }

    private func isInMonths(_ day: Day) -> Bool { months.isEmpty || months.contains(day.month) }

    private func hasMonthDay(_ day: Day, _ count: Int) -> Bool {
        monthDays.contains { $0 == day.day || $0 == day.day - count - 1 }
    }

    /// Whether it is one of the rule's days of the week, counted in a month or a year.
    private func hasWeekday(_ day: Day, in all: [Day]) -> Bool {
        guard !weekdays.isEmpty else { return true }
        guard let start = all.first else { return false }
        let index = start.distance(to: day)
        return weekdays.contains { weekday in
            guard weekday.number == day.weekday else { return false }
            guard let ordinal = weekday.ordinal else { return true }
            return ordinal == index / 7 + 1 || ordinal == -((all.count - 1 - index) / 7 + 1)
        }
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

    /// The days of a month, in order.
    fileprivate func month(in year: Int, _ month: Int) -> [Day] {
        (1...31).compactMap { Day(year: year, month: month, day: $0) }
    }
}
