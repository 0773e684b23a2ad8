import TripStore

/// The place of a day in its month and its year.
private struct DayPlace {
    private let number: Int
    private let year: Int
    let month: Int
    /// From 1 on.
    let dayOfMonth: Int

    init(_ day: Day) {
        number = day.daysSince1970
        (year, month, dayOfMonth) = day.components
    }

    var monthLength: Int { CivilDay.first(year, month + 1) - CivilDay.first(year, month) }
    /// From 1 on.
    var dayOfYear: Int { number - CivilDay.first(year) + 1 }
    var yearLength: Int { CivilDay.first(year + 1) - CivilDay.first(year) }
}

private enum CivilDay {
    /// The days since 1970 of the first of a month, also of years that `Day` does not have.
    static func first(_ year: Int, _ month: Int = 1) -> Int {
        Int(CivilCalendar.days(year: Int64(year), month: Int64(month), day: 1))
    }
}

extension Day {
    /// 0 is Monday.
    var weekday: Int { (daysSince1970 + 3).euclideanRemainder(7) }
}

/// Years of numbered weeks: the first week has most of its days in the calendar's year.
struct WeekYears {
    /// With which day of the week weeks begin, 0 is Monday.
    let weekStart: Int

    /// The first day of a year, as days since 1970.
    func start(_ year: Int) -> Int {
        let first = CivilDay.first(year)
        let back = ((first + 3).euclideanRemainder(7) - weekStart).euclideanRemainder(7)
        return first - back + (back > 3 ? 7 : 0)
    }

    /// The year that has a day.
    func year(of day: Day) -> Int {
        let (number, year) = (day.daysSince1970, day.year)
        if number < start(year) { return year - 1 }
        return number < start(year + 1) ? year : year + 1
    }

    /// The number of the week that has a day, from 1 on, and how many weeks its year has.
    func week(of day: Day) -> (number: Int, count: Int) {
        let year = year(of: day)
        let start = start(year)
        return ((day.daysSince1970 - start) / 7 + 1, (self.start(year + 1) - start) / 7)
    }
}

extension RecurrenceRule {
    /// Whether the parts of a rule that are about days have a day.
    func allows(_ day: Day) -> Bool {
        let found = weekdays[day.weekday]
        if !weekdays.isEmpty, found == nil { return false }
        let place = DayPlace(day)
        if !months.isEmpty, !months.contains(place.month) { return false }
        if !monthDays.isEmpty, !Self.has(place.dayOfMonth, of: place.monthLength, monthDays) { return false }
        if !yearDays.isEmpty, !Self.has(place.dayOfYear, of: place.yearLength, yearDays) { return false }
        if let found, !found.isEach, countsWeekdays, !has(found.ordinals, place) { return false }
        guard !weeks.isEmpty else { return true }
        let (week, count) = WeekYears(weekStart: weekStart).week(of: day)
        return Self.has(week, of: count, weeks)
    }

    /// Whether a set has a number, which counts from 1 on, or the negative one that counts from the end.
    private static func has(_ number: Int, of count: Int, _ numbers: Set<Int>) -> Bool {
        numbers.contains(number) || numbers.contains(number - count - 1)
    }

    /// Whether a day is one of the numbered days of its kind: within the month, or within the year of a rule for years that names no month.
    private func has(_ ordinals: Set<Int>, _ place: DayPlace) -> Bool {
        let isWithinMonth = frequency == .monthly || !months.isEmpty
        let index = (isWithinMonth ? place.dayOfMonth : place.dayOfYear) - 1
        let count = isWithinMonth ? place.monthLength : place.yearLength
        return ordinals.contains(index / 7 + 1) || ordinals.contains(-((count - 1 - index) / 7 + 1))
    }

    /// The days, as days since 1970, that a rule of days or longer periods looks at in a period; nil beyond the years 1 to 9999.
    /// - Parameters:
    ///   - start: the day from which periods are counted.
    ///   - year: the year of the first period of a rule for years.
    func days(ofPeriod period: Int, from start: Day, year first: Int) -> Range<Int>? {
        let (step, overflow) = period.multipliedReportingOverflow(by: interval)
        guard !overflow, step < 4_000_000 else { return nil }
        switch frequency {
        case .secondly, .minutely, .hourly: return nil
        case .daily:
            let day = start.daysSince1970 + step
            return Day(daysSince1970: day).map { _ in day..<day + 1 }
        case .weekly:
            let back = (start.weekday - weekStart).euclideanRemainder(7)
            let first = start.daysSince1970 - back + step * 7
            return first <= Day.last.daysSince1970 ? first..<first + 7 : nil
        case .monthly:
            let month = start.year * 12 + start.month - 1 + step
            guard month / 12 <= 9999 else { return nil }
            return CivilDay.first(month / 12, month % 12 + 1)..<CivilDay.first(month / 12, month % 12 + 2)
        case .yearly:
            let year = first + step
            guard year <= 9999 else { return nil }
            guard hasWeekYears else {
                return CivilDay.first(year, months.first ?? 1)..<CivilDay.first(year, (months.last ?? 12) + 1)
            }
            let weeks = WeekYears(weekStart: weekStart)
            return weeks.start(year)..<weeks.start(year + 1)
        }
    }
}
