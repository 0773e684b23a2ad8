import ArgumentParser
import Foundation
import TripStore

/// A day, a time of a day, or both, as people write them in English, before the year, the week or the day that they leave out is known.
///
///     when     = [weekday] day [["at"] time] | time
///     day      = "today" | "tomorrow" | "yesterday" | weekday | distance | date
///     weekday  = "mon" | "monday" | …                    the first three letters at least
///     distance = ("+" | "-") number ("d" | "w")          days or weeks
///     date     = year "-" month "-" day                  2027-05-03
///              | day month [year] | month day [year]     3 may, may 3rd, 3 may 2027
///              | day "." month "." [year]                3.5., 3.5.2027
///              | number "/" number ["/" year]            refused where both may be the month
///     time     = hour ":" minute | hour [":" minute] ("am" | "pm") | "noon"
///
/// Capitals count as small letters, and commas as spaces. Full times of ISO 8601 are none of these: `Moment` reads them.
struct WrittenWhen: Equatable {
    enum WrittenDay: Equatable {
        case date(Day)
        /// Of a year that is not said.
        case inYear(month: Int, day: Int)
        /// From Monday, which is 0.
        case weekday(Int)
        /// Days after today.
        case today(Int)
        /// Days after the day that is counted from.
        case distance(Int)
    }

    /// For the help: what can be written.
    static let forms = "'3 may', 'may 3', '3.5.', 'fri', 'tomorrow', '+2d', 2027-05-03, and a time as in 'fri 20:05'"

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]
    private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    /// Nil for a time alone.
    private(set) var day: WrittenDay?
    /// The weekday that stands before a date, and must be that of it.
    private(set) var weekday: Int?
    /// As in "20:05"; nil for a day alone.
    private(set) var time: String?

    /// Throws for what is none of these, for a day that no calendar has, and for one that may be two days.
    init(parsing text: String) throws {
        var words = text.lowercased().split { $0 == "," || $0.isWhitespace }.map(String.init)
        if words.count > 1, let half = words.last, half == "am" || half == "pm" {
            words.removeLast()
            words[words.count - 1] += half
        }
        if let time = words.last.flatMap(Self.time) {
            self.time = time
            words.removeLast()
            if words.last == "at" { words.removeLast() }
        }
        if words.count > 1, let weekday = Self.index(of: words[0], in: Self.weekdays) {
            self.weekday = weekday
            words.removeFirst()
        }
        if !words.isEmpty { day = try Self.day(words, text) }
        guard day != nil || time != nil else { throw Self.unreadable(text) }
    }

    static func isReadable(_ text: String) -> Bool { (try? WrittenWhen(parsing: text)) != nil }

    private static func time(_ word: String) -> String? {
        if word == "noon" { return "12:00" }
        if let match = word.wholeMatch(of: /([0-9]{1,2}):([0-9]{2})/) {
            guard let hour = Int(match.1), let minute = Int(match.2), hour < 24, minute < 60 else { return nil }
            return clock(hour, minute)
        }
        guard let match = word.wholeMatch(of: /([0-9]{1,2})(?::([0-9]{2}))?(am|pm)/), let hour = Int(match.1),
            1...12 ~= hour, let minute = Int(match.2 ?? "0"), minute < 60
        else { return nil }
        return clock(hour % 12 + (match.3 == "pm" ? 12 : 0), minute)
    }

    private static func clock(_ hour: Int, _ minute: Int) -> String {
        [hour, minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    private static func day(_ words: [String], _ text: String) throws -> WrittenDay {
        guard words.count > 1 else { return try day(words[0], text) }
        let year = words.count == 3 ? words[2].wholeMatch(of: /[0-9]{4}/).flatMap { Int($0.output) } : nil
        guard words.count == 2 || words.count == 3 && year != nil else { throw unreadable(text) }
        for (number, name) in [(words[0], words[1]), (words[1], words[0])] {
            guard let month = index(of: name, in: months),
                let day = number.wholeMatch(of: /([0-9]{1,2})(?:st|nd|rd|th|\.)?/).flatMap({ Int($0.1) })
            else { continue }
            return try date(day, month + 1, year, text)
        }
        throw unreadable(text)
    }

    private static func day(_ word: String, _ text: String) throws -> WrittenDay {
        if let days = ["today": 0, "tomorrow": 1, "yesterday": -1][word] { return .today(days) }
        if let weekday = index(of: word, in: weekdays) { return .weekday(weekday) }
        if let match = word.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})/), let day = Int(match.3),
            let month = Int(match.2)
        {
            return try date(day, month, Int(match.1), text)
        }
        if let match = word.wholeMatch(of: /([+-])([0-9]{1,4})([dw])/), let number = Int(match.2) {
            return .distance(number * (match.3 == "w" ? 7 : 1) * (match.1 == "-" ? -1 : 1))
        }
        if let match = word.wholeMatch(of: /([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})?/), let day = Int(match.1),
            let month = Int(match.2)
        {
            return try date(day, month, match.3.flatMap { Int($0) }, text)
        }
        guard let match = word.wholeMatch(of: /([0-9]{1,2})\/([0-9]{1,2})(?:\/([0-9]{4}))?/),
            let first = Int(match.1), let second = Int(match.2)
        else { throw unreadable(text) }
        let year = match.3.flatMap { Int($0) }
        if first != second, let other = try? date(second, first, year, text) {
            guard (try? date(first, second, year, text)) == nil else {
                let readings = "\(words(first, second)) or \(words(second, first))"
                throw ArgumentParser.ValidationError(
                    "'\(text.prefix(60))' may be \(readings). Write the month by its name.")
            }
            return other
        }
        return try date(first, second, year, text)
    }

    private static func words(_ day: Int, _ month: Int) -> String { "\(day) \(months[month - 1].capitalized)" }

    /// A year that is not said may be a leap year.
    private static func date(_ day: Int, _ month: Int, _ year: Int?, _ text: String) throws -> WrittenDay {
        guard let found = Day(year: year ?? 2000, month: month, day: day) else {
            throw ArgumentParser.ValidationError("'\(text.prefix(60))' is no day of the calendar. Write \(forms).")
        }
        return year == nil ? .inYear(month: month, day: day) : .date(found)
    }

    /// The place of a name in a list by at least three letters of it.
    private static func index(of word: String, in names: [String]) -> Int? {
        let word = word.hasSuffix(".") ? String(word.dropLast()) : word
        return word.count < 3 ? nil : names.firstIndex { $0.hasPrefix(word) }
    }

    private static func unreadable(_ text: String) -> ArgumentParser.ValidationError {
        ArgumentParser.ValidationError("'\(text.prefix(60))' is no day and no time. Write \(forms).")
    }
}
