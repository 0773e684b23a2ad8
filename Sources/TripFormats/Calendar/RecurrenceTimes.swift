import TripStore

/// The times of a rule from the start of its event on, in order, as the clock shows them: a start that the rule does not have is none of
/// them, and COUNT and UNTIL are not looked at.
///
/// Time is linear in the steps: a step is a day of a period, or of periods of less than a day one of these.
struct RecurrenceTimes: IteratorProtocol {
    /// How many steps without a time show that there is none. A Monday that is 29 February takes 15,000 at most.
    private static let mostBarren = 50_000

    private let rule: RecurrenceRule
    private let positions: [Int]
    /// The times of a day, or those within a shorter period.
    private let hours: [Int]
    private let minutes: [Int]
    private let seconds: [Int]
    private let start: Int
    private let startDay: Day
    private let year: Int
    private let last: Int
    private var further: Int
    /// How many steps may be taken.
    private(set) var steps: Int
    private var barren = 0
    private var period = 0
    /// The seconds since 1970 with which the days of the period, or the period itself, begin.
    private var bases: [Int] = []
    /// The times of the period that count, in order; nil for all.
    private var chosen: [Int]?
    /// The next of them.
    private var index = 0

    /// - Parameters:
    ///   - start: the first time of the event, from which the rule takes what it does not say.
    ///   - last: the last day of the range.
    ///   - further: how many periods after the range are looked at as well, for a time that shows that the rule goes on.
    ///   - steps: how many steps may be taken.
    init(_ rule: RecurrenceRule, from start: CalendarTime, through last: Day, further: Int = 0, steps: Int) {
        self.rule = rule.completed(from: start.day)
        positions = rule.positions.sorted()
        (self.start, startDay) = (start.clockSeconds, start.day)
        (self.last, self.further, self.steps) = (last.daysSince1970 * 86_400 + 86_399, further, steps)
        year = self.rule.firstYear(from: start.day)
        let second = self.start.euclideanRemainder(86_400)
        func list(_ numbers: [Int], _ unit: Int, _ own: Int) -> [Int] {
            if rule.clockUnit.map({ $0 <= unit }) ?? false { return [0] }
            return numbers.isEmpty || start.isDay ? [own] : numbers
        }
        hours = list(rule.hours, 3600, second / 3600)
        minutes = list(rule.minutes, 60, second / 60 % 60)
        seconds = list(rule.seconds, 1, second % 60)
    }

    /// Seconds since 1970; nil after the last time that the range and the steps allow.
    mutating func next() -> Int? {
        while true {
            if index < size {
                index += 1
                barren = 0
                return time(index - 1)
            }
            guard steps > 0, barren <= Self.mostBarren, nextPeriod() else { return nil }
        }
    }

    private var size: Int { chosen?.count ?? bases.count * timesOfBase }
    private var timesOfBase: Int { hours.count * minutes.count * seconds.count }

    private func time(_ place: Int) -> Int {
        let index = chosen?[place] ?? place
        let (minute, second) = index.quotientAndRemainder(dividingBy: seconds.count)
        let (hour, ofHour) = minute.quotientAndRemainder(dividingBy: minutes.count)
        let (base, ofDay) = hour.quotientAndRemainder(dividingBy: hours.count)
        return bases[base] + hours[ofDay] * 3600 + minutes[ofHour] * 60 + seconds[second]
    }

    private mutating func nextPeriod() -> Bool {
        let before = steps
        let begin = if let unit = rule.clockUnit { nextClock(unit) } else { nextDays() }
        guard let begin else { return false }
        barren += before - steps
        if begin > last {
            guard further > 0 else { return false }
            further -= 1
        }
        if !positions.isEmpty {
            let count = bases.count * timesOfBase
            let indices = positions.map { $0 > 0 ? $0 - 1 : count + $0 }
            chosen = Set(indices.filter { 0..<count ~= $0 }).sorted()
        }
        skipToStart()
        return true
    }

    /// O(log times): a period may have millions before the start.
    private mutating func skipToStart() {
        index = 0
        var end = size
        while index < end {
            let middle = (index + end) / 2
            if time(middle) < start { index = middle + 1 } else { end = middle }
        }
    }

    /// The beginning of the next period of days; nil beyond the years 1 to 9999.
    private mutating func nextDays() -> Int? {
        guard let days = rule.days(ofPeriod: period, from: startDay, year: year) else { return nil }
        period += 1
        steps -= days.count
        bases = days.compactMap { number in
            Day(daysSince1970: number).flatMap { rule.allows($0) ? number * 86_400 : nil }
        }
        return days.lowerBound * 86_400
    }

    /// The beginning of the next hour, minute or second; nil beyond the years 1 to 9999. Without bases if the rule does not have it: then all
    /// are passed over that it cannot have.
    private mutating func nextClock(_ unit: Int) -> Int? {
        let first = start - start.euclideanRemainder(unit)
        let (distance, overflow) = period.multipliedReportingOverflow(by: unit * rule.interval)
        guard !overflow, distance < 1 << 40, let day = Day(daysSince1970: (first + distance).euclideanFloor(86_400))
        else { return nil }
        let time = first + distance
        steps -= 1
        period += 1
        if let later = rule.nextClock(after: time, on: day) {
            bases = []
            period = max(period, (later - first - 1) / (unit * rule.interval) + 1)
        } else {
            bases = [time]
        }
        return time
    }
}

extension RecurrenceRule {
    /// With the days that the rule does not say: those of the start.
    fileprivate func completed(from start: Day) -> RecurrenceRule {
        var rule = self
        guard weekdays.isEmpty, monthDays.isEmpty, yearDays.isEmpty else { return rule }
        switch frequency {
        case .weekly: rule.weekdays[start.weekday] = WeekdayOrdinals(isEach: true)
        case .yearly where hasWeekYears: rule.weekdays[start.weekday] = WeekdayOrdinals(isEach: true)
        case .monthly: rule.monthDays = [start.day]
        case .yearly:
            rule.monthDays = [start.day]
            if months.isEmpty { rule.months = [start.month] }
        default: break
        }
        return rule
    }

    /// The year of the first period: of numbered weeks that which has the start, if it has a time from there on.
    fileprivate func firstYear(from start: Day) -> Int {
        guard hasWeekYears else { return start.year }
        let weeks = WeekYears(weekStart: weekStart)
        let year = weeks.year(of: start)
        let rest = max(start.daysSince1970, weeks.start(year))..<weeks.start(year + 1)
        return rest.contains { Day(daysSince1970: $0).map(allows) ?? false } ? year : start.year
    }

    /// The earliest time after a time that a rule of hours, minutes or seconds may have; nil if it has the time itself.
    fileprivate func nextClock(after time: Int, on day: Day) -> Int? {
        guard let unit = clockUnit else { return nil }
        if !allows(day) { return (day.daysSince1970 + 1) * 86_400 }
        let second = time.euclideanRemainder(86_400)
        if !hours.isEmpty, !hours.contains(second / 3600) { return time - second % 3600 + 3600 }
        if unit <= 60, !minutes.isEmpty, !minutes.contains(second / 60 % 60) { return time - second % 60 + 60 }
        return unit > 1 || seconds.isEmpty || seconds.contains(second % 60) ? nil : time + 1
    }
}
