import ArgumentParser
import Foundation
import TripFormats
import TripStore

/// Finds the day that is meant where people leave a part of it out.
///
/// - A date without a year is the one nearest to where the item begins, or to the days of the trip: one of these if it can be. Without
///   both it is the next one from today on, or the last one where days are past.
/// - A weekday is the first one from the beginning of the item on, or from today on, or from the first day of a trip that is not under way.
/// - A distance counts from the beginning of the item or of a range, or from today.
/// - The end of a range is the next such day from its beginning on.
/// - A time alone is the first one from `clock` on or, without it, of today or of the first day of a trip that is not under way.
struct WhenContext {
    let today: Day
    /// The days of the trip that is planned.
    var trip: ClosedRange<Day>?
    /// Where the item begins whose end is written.
    var beginning: Day?
    /// A day, and a time of it after which a time alone is; nil for any time of the day.
    var clock: (day: Day, after: String?)?
    /// The first day of the range whose end is written.
    var earliest: Day?
    /// Whether days are past, as those of the log are, and not to come.
    var isPast = false

    /// The day that begins what is planned.
    private var first: Day {
        guard let trip, !trip.contains(today) else { return today }
        return trip.lowerBound
    }

    /// The day of a text, and the time of day if the text says one, as in "20:05".
    func meaning(of text: String) throws -> (day: Day, time: String?) {
        let when = try WrittenWhen(parsing: text)
        guard let written = when.day else { return (dayOfClock(when.time), when.time) }
        let day = day(written)
        if let weekday = when.weekday, weekday != day.weekday {
            throw ArgumentParser.ValidationError(
                "'\(text.prefix(60))' would be \(DayText.words(day)). Leave out the weekday, or add the year.")
        }
        return (day, when.time)
    }

    /// The day of a text that says no time.
    func day(of text: String) throws -> Day {
        let (day, time) = try meaning(of: text)
        guard time == nil else {
            throw ArgumentParser.ValidationError("'\(text.prefix(60))' says a time, and a day is needed. Leave it out.")
        }
        return day
    }

    private func day(_ written: WrittenWhen.WrittenDay) -> Day {
        switch written {
        case .date(let day): return day
        case .today(let days): return today.advanced(by: days)
        case .distance(let days): return (beginning ?? earliest ?? today).advanced(by: days)
        case .weekday(let weekday):
            if isPast { return today.advanced(by: -((today.weekday - weekday + 7) % 7)) }
            let first = beginning ?? earliest ?? first
            return first.advanced(by: (weekday - first.weekday + 7) % 7)
        case .inYear(let month, let day): return nearest(month, day)
        }
    }

    private func nearest(_ month: Int, _ day: Int) -> Day {
        let range = beginning.map { $0...$0 } ?? trip
        let now = earliest ?? today
        let (first, last) = (range?.lowerBound ?? now, range?.upperBound ?? now)
        // Up to eight years are between two leap days.
        let days = (first.year - 8...last.year + 8).compactMap { Day(year: $0, month: month, day: day) }
        guard range != nil else {
            return (isPast ? days.last { $0 <= now } : days.first { $0 >= now }) ?? now
        }
        return days.min { distance($0, first, last) < distance($1, first, last) } ?? first
    }

    /// The days from a day to a range; 0 within it.
    private func distance(_ day: Day, _ first: Day, _ last: Day) -> Int {
        max(day.distance(to: first), last.distance(to: day), 0)
    }

    private func dayOfClock(_ time: String?) -> Day {
        guard let clock else { return first }
        guard let time, let after = clock.after, time <= after else { return clock.day }
        return clock.day.advanced(by: 1)
    }
}

extension WhenContext {
    /// By the calendar of the configuration's zone, or else of the device's; with no trip.
    static func current() throws -> WhenContext { WhenContext(today: try AgendaDays.today.days().lowerBound) }
}

extension Day {
    /// From Monday, which is 0: 1 January 1970 was a Thursday.
    fileprivate var weekday: Int { ((daysSince1970 + 3) % 7 + 7) % 7 }

    /// A day of the command line, as people write it; of the end of a range by its beginning.
    static func written(_ text: String, from first: Day?) throws -> Day {
        var context = try WhenContext.current()
        context.earliest = first
        return try context.day(of: text)
    }

    static func written(_ text: String) throws -> Day { try written(text, from: nil) }
}

/// The last day of a range on the command line, which is known once its first is.
struct LastDay {
    private let text: String

    init(_ text: String) throws {
        self.text = text
        _ = try day(from: nil)
    }

    /// A distance counts from today, as that of a first day does.
    func day(from first: Day?) throws -> Day {
        try Day.written(text, from: text.hasPrefix("+") || text.hasPrefix("-") ? nil : first)
    }
}

extension Moment {
    /// As in "Fri 2026-05-08 20:05 Europe/Lisbon".
    var echo: String {
        let time = localTime.dropFirst("2026-05-08T".count)
        return "\(localDay.echo) \(time.hasSuffix(":00") ? time.dropLast(3) : time) \(zone)"
    }
}

extension Day {
    /// As in "Fri 2026-05-08".
    var echo: String { "\(DayText.words(self).prefix(3)) \(self)" }
}
