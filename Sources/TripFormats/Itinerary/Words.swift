import Events
import Foundation
package import TripStore

/// Numbers in words, for people.
package enum Words {
    /// A number of bytes, as in 1.2 MB; a thousand to the next unit.
    package static func bytes(_ count: Int) -> String {
        guard count >= 1000 else { return "\(count) B" }
        var (value, unit) = (Double(count) / 1000, 0)
        let units = ["kB", "MB", "GB", "TB"]
        // A value that would be rounded up to a thousand belongs to the next unit.
        while value >= 999.95, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return String(format: value < 9.995 ? "%.2f %@" : "%.1f %@", value, units[unit])
    }

    /// A length of time, in its greatest unit and the next, as in "2 h 5 min".
    package static func duration(milliseconds: Int64) -> String {
        let seconds = milliseconds.magnitude / 1000
        let parts = [
            (seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s"),
        ]
        guard let first = parts.firstIndex(where: { $0.0 > 0 }) else { return "0 s" }
        return parts[first...].prefix(2).filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }
}

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

    /// A day with its weekday, as in "Sat 1 May".
    static func withoutYear(_ day: Day) -> String { "\(weekday(day)) \(day.day) \(months[day.month - 1])" }

    /// 1 January 1970 was a Thursday.
    private static func weekday(_ day: Day) -> String { weekdays[((day.daysSince1970 + 3) % 7 + 7) % 7] }
}

/// Names the zone of a time where it is another than that of the time before, or its distance from UTC is.
struct ClockZones {
    private var last: String?

    /// As in "Tokyo time, UTC+9", and "UTC" of no place; nil where it is as before. A zone that the platform does not know counts as UTC, and is
    /// named so.
    mutating func change(to moment: Moment) -> String? {
        let offset = moment.secondsFromUTC
        let place = moment.isOfPlace ? Itinerary.Place(city: "", zone: moment.zone).words + ", " : ""
        let words = offset.map { place + Self.words($0) } ?? "UTC, as \(moment.zone) is not known"
        defer { last = words }
        return words == last ? nil : words
    }

    /// As in UTC+5:30.
    private static func words(_ seconds: Int) -> String {
        let minutes = abs(seconds) / 60
        let rest = minutes % 60
        guard minutes > 0 else { return "UTC" }
        return "UTC\(seconds < 0 ? "−" : "+")\(minutes / 60)" + (rest == 0 ? "" : ":\(rest < 10 ? "0" : "")\(rest)")
    }
}
