public import Foundation

/// A day of the calendar, without a zone: years 1 to 9999 of the Gregorian calendar, extended to before its start.
public struct Day: Hashable, Sendable {
    /// The days since 1 January 1970.
    public var daysSince1970: Int { Int(number) }

    private let number: Int32

    private static let range = CivilCalendar.days(year: 1, month: 1, day: 1)...CivilCalendar.days(
        year: 9999, month: 12, day: 31)

    /// 1 January of the year 1.
    public static let first = Day(clamping: range.lowerBound)
    /// 31 December 9999.
    public static let last = Day(clamping: range.upperBound)

    private init(clamping days: Int) {
        number = Int32(min(max(days, Self.range.lowerBound), Self.range.upperBound))
    }

    /// A day written in code. What is beyond a month counts on, so that 31 April is 1 May and month 0 the December
    /// before; what is beyond the years 1 to 9999 is the first or last day. For input use `init(year:month:day:)`.
    public init(_ year: Int, _ month: Int, _ day: Int) {
        // Far beyond any day of the range, and as far from overflow.
        let limit = 10_000_000
        let months = min(max(month, -limit), limit) - 1
        let years = min(max(year, -limit), limit) + (months >= 0 ? months / 12 : (months - 11) / 12)
        let days = CivilCalendar.days(year: years, month: months - months.flooredDivision(by: 12) * 12 + 1, day: 1)
        self.init(clamping: days + min(max(day, -limit * 400), limit * 400) - 1)
    }

    /// The day of that year, month and day; nil if the calendar has none.
    public init?(year: Int, month: Int, day: Int) {
        guard 1...9999 ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
        self.init(year, month, day)
        guard self.day == day else { return nil }
    }

    /// Nil beyond the years 1 to 9999.
    public init?(daysSince1970 days: some BinaryInteger) {
        guard let days = Int(exactly: days), Self.range.contains(days) else { return nil }
        self.init(clamping: days)
    }

    /// The day that it is at a moment in a zone.
    public init(_ date: Date, in zone: TimeZone) {
        self.init(clamping: Moment(date, zone.identifier).localDays(in: zone))
    }

    /// Year, month and day of the calendar.
    public var components: (year: Int, month: Int, day: Int) { CivilCalendar.date(days: daysSince1970) }
    public var year: Int { components.year }
    /// 1 to 12.
    public var month: Int { components.month }
    /// 1 to 31.
    public var day: Int { components.day }
}

extension Int {
    /// The quotient rounded down, as calendars need it before 1970.
    func flooredDivision(by divisor: Int) -> Int { (self - (self % divisor + divisor) % divisor) / divisor }
}

extension Day: Strideable {
    public static func < (a: Day, b: Day) -> Bool { a.number < b.number }
    public static func == (a: Day, b: Day) -> Bool { a.number == b.number }

    public func distance(to other: Day) -> Int { other.daysSince1970 - daysSince1970 }

    /// Some days later, or earlier; beyond the years 1 to 9999 the last or first day.
    public func advanced(by days: Int) -> Day {
        Day(clamping: daysSince1970.addingReportingOverflow(days).overflow ? (days < 0 ? .min : .max) : daysSince1970 + days)
    }
}

extension Day: LosslessStringConvertible, Codable {
    /// As in 2027-05-01.
    public var description: String {
        let (year, month, day) = components
        return "\(CivilCalendar.padded(year, 4))-\(CivilCalendar.padded(month, 2))-\(CivilCalendar.padded(day, 2))"
    }

    /// From YYYY-MM-DD, all digits given; nil for anything else.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.allSatisfy(UInt8.decimalDigits.contains) }),
            let year = Int(Substring(parts[0])), let month = Int(Substring(parts[1])), let day = Int(Substring(parts[2]))
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let day = Day(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\(text) is no day of the form YYYY-MM-DD")
        }
        self = day
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension UInt8 {
    static let decimalDigits = UInt8(ascii: "0")...UInt8(ascii: "9")
}
