public import Foundation

/// A day of the calendar, without a zone: years 1 to 9999 of the Gregorian calendar, extended to before its start.
public struct Day: Hashable, Sendable {
    private let number: Int32

    private static let least = CivilCalendar.days(year: 1, month: 1, day: 1)
    private static let greatest = CivilCalendar.days(year: 9999, month: 12, day: 31)

    /// 1 January of the year 1.
    public static let first = Day(clamping: least)
    /// 31 December 9999.
    public static let last = Day(clamping: greatest)

    private init(clamping days: Int64) { number = Int32(min(max(days, Self.least), Self.greatest)) }

    private init(unbounded days: Int64) { number = Int32(clamping: days) }

    /// The day after it, also after the last, which only bounds ranges: no entity has that day, and no text names it.
    package var nextBound: Day { Day(unbounded: Int64(number) + 1) }

    /// A day in source code: it never fails.
    ///
    /// Days beyond a month count on, as in mktime: 31 April is 1 May and month 0 the December before. Days beyond the
    /// years 1 to 9999 are clamped to the first or the last day. For input use `init(year:month:day:)`.
    public init(_ year: Int, _ month: Int, _ day: Int) {
        // Bounds far beyond any day of the range, and as far from overflow.
        let (years, months) = (Self.bounded(month, 1_200_000) - 1).flooredDivision(by: 12)
        let firstOfMonth = CivilCalendar.days(year: Self.bounded(year, 50_000) + years, month: months + 1, day: 1)
        self.init(clamping: firstOfMonth + Self.bounded(day, 40_000_000) - 1)
    }

    private static func bounded(_ number: Int, _ limit: Int) -> Int64 { Int64(min(max(number, -limit), limit)) }

    /// The day of that year, month and day; nil if the calendar has none.
    public init?(year: Int, month: Int, day: Int) {
        guard 1...9999 ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
        self.init(year, month, day)
        guard self.day == day else { return nil }
    }

    /// Nil beyond the years 1 to 9999.
    public init?(daysSince1970 days: some BinaryInteger) {
        guard let days = Int64(exactly: days), Self.least...Self.greatest ~= days else { return nil }
        self.init(clamping: days)
    }

    /// The day at a moment in a zone.
    public init(_ date: Date, in zone: TimeZone) {
        self.init(clamping: Moment(date, zone.identifier).local(in: zone).days)
    }

    /// The days since 1 January 1970.
    public var daysSince1970: Int { Int(number) }

    /// Year, month (1 to 12) and day (1 to 31) of the calendar.
    package var components: (year: Int, month: Int, day: Int) {
        let (year, month, day) = CivilCalendar.date(days: Int64(number))
        return (Int(year), Int(month), Int(day))
    }

    /// 1 to 9999.
    public var year: Int { components.year }
    /// 1 to 12.
    public var month: Int { components.month }
    /// 1 to 31.
    public var day: Int { components.day }
}

extension Day: Strideable {
    public static func < (a: Day, b: Day) -> Bool { a.number < b.number }
    public static func == (a: Day, b: Day) -> Bool { a.number == b.number }

    /// The days from this one to another.
    public func distance(to other: Day) -> Int { other.daysSince1970 - daysSince1970 }

    /// Some days later, or earlier; clamped to the years 1 to 9999.
    public func advanced(by days: Int) -> Day {
        let (sum, overflow) = Int64(number).addingReportingOverflow(Int64(days))
        return overflow ? (days < 0 ? .first : .last) : Day(clamping: sum)
    }
}

extension Day: LosslessStringConvertible {
    /// The day as YYYY-MM-DD, for example 2027-05-01.
    public var description: String { CivilCalendar.text(days: Int64(number)) }

    /// From YYYY-MM-DD, with all digits; nil for anything else, and for days that the calendar does not have.
    public init?(_ text: String) {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
            let day = scanner.number(2), scanner.isAtEnd
        else { return nil }
        self.init(year: Int(year), month: Int(month), day: Int(day))
    }

    /// From YYYY-MM-DD. Throws `ValidationError` with `invalidDay` for anything else.
    public init(parsing text: String) throws(ValidationError) {
        guard let day = Day(text) else {
            throw ValidationError(
                .invalidDay, "\"\(text.prefix(100))\" is no day of the calendar. Write it as in 2027-05-01.")
        }
        self = day
    }
}

extension ClosedRange<Day> {
    /// From text: a day as 2027-05-01, a range of days as 2027-05-01..2027-05-08, both included, a month as 2027-05, or a year as 2027.
    ///
    /// Throws `ValidationError` with `invalidDay` for what is no day of the calendar, or `invalidRange` for a last day before the first.
    package init(parsing text: String) throws(ValidationError) {
        if let separator = text.firstRange(of: "..") {
            let first = try Day(parsing: String(text[..<separator.lowerBound]))
            let last = try Day(parsing: String(text[separator.upperBound...]))
            guard first <= last else {
                throw ValidationError(
                    .invalidRange,
                    "The last day \(last) is before the first, \(first). Write the earlier one first: \(last)..\(first)."
                )
            }
            self = first...last
        } else if let month = Day("\(text)-01") {
            self = month...Day(month.year, month.month + 1, 0)
        } else if let year = Day("\(text)-01-01") {
            self = year...Day(year.year, 12, 31)
        } else if let day = Day(text) {
            self = day...day
        } else {
            throw ValidationError(
                .invalidDay,
                "\"\(text.prefix(100))\" is no day of the calendar and no range of days. Write a day as in 2027-05-01, a range as in "
                    + "2027-05-01..2027-05-08, a month as in 2027-05, or a year as in 2027.")
        }
    }
}
