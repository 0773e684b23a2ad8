package import TripStore

/// Days for people, in English.
package enum DayText {
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// As in "Sat 1 May 2027".
    package static func words(_ day: Day) -> String { "\(withoutYear(day)) \(day.year)" }

    /// As in "Sat 1 – Mon 3 May 2027": what both have is said once.
    package static func words(_ days: ClosedRange<Day>) -> String {
        let (first, last) = (days.lowerBound, days.upperBound)
        if first == last { return words(first) }
        let start =
            first.year != last.year
            ? words(first) : first.month != last.month ? withoutYear(first) : "\(weekday(first)) \(first.day)"
        return "\(start) – \(words(last))"
    }

    private static func withoutYear(_ day: Day) -> String { "\(weekday(day)) \(day.day) \(months[day.month - 1])" }

    /// 1 January 1970 was a Thursday.
    private static func weekday(_ day: Day) -> String { weekdays[((day.daysSince1970 + 3) % 7 + 7) % 7] }
}
