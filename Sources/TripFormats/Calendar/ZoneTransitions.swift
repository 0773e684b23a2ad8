import Foundation
import TripStore

/// The changes of a zone's offset, as a VTIMEZONE lists them.
struct ZoneTransitions {
    struct Change: Hashable {
        /// Seconds since 1970.
        let instant: Int
        /// Seconds east of Greenwich before and after it.
        let from: Int
        let to: Int
        let isDaylight: Bool
    }

    let name: String
    private(set) var changes: [Change] = []

    /// The changes in some years, and before each run of them the offset with which it begins. Of a year everything is listed from the day
    /// before it to the day after.
    ///
    /// Found by halving the weeks in which the offset differs: no zone goes back to its offset within one. O(years).
    init(_ zone: TimeZone, named name: String, years: Set<Int>) {
        self.name = name
        var end: Int?
        for year in years.sorted() {
            let start = Day(year, 1, 1).daysSince1970 * 86_400 - 86_400
            let stop = (Day(year, 12, 31).daysSince1970 + 2) * 86_400
            var time = max(start, end ?? start)
            if end.map({ $0 < start }) ?? true {
                let offset = zone.offset(at: start)
                changes.append(Change(instant: start, from: offset, to: offset, isDaylight: zone.isDaylight(at: start)))
            }
            while time < stop {
                let next = min(time + 7 * 86_400, stop)
                if zone.offset(at: time) != zone.offset(at: next) { changes.append(zone.change(time, next)) }
                time = next
            }
            end = stop
        }
    }

    /// Writes the VTIMEZONE: one observance for each kind of change, with all of its dates.
    func write(to writer: inout CalendarWriter) {
        struct Kind: Hashable {
            let from, to: Int
            let isDaylight: Bool
        }
        var order: [Kind] = []
        var onsets: [Kind: [String]] = [:]
        for change in changes {
            let kind = Kind(from: change.from, to: change.to, isDaylight: change.isDaylight)
            if onsets[kind] == nil { order.append(kind) }
            onsets[kind, default: []].append(CalendarText.clock(change.instant + change.from))
        }
        writer.begin("VTIMEZONE")
        writer.property("TZID", text: name)
        for kind in order {
            guard let dates = onsets[kind], let first = dates.first else { continue }
            let component = kind.isDaylight ? "DAYLIGHT" : "STANDARD"
            writer.begin(component)
            writer.property("DTSTART", value: first)
            writer.property("TZOFFSETFROM", value: Self.offset(kind.from))
            writer.property("TZOFFSETTO", value: Self.offset(kind.to))
            writer.property("TZNAME", value: Self.offset(kind.to))
            if dates.count > 1 { writer.property("RDATE", value: dates.dropFirst().joined(separator: ",")) }
            writer.end(component)
        }
        writer.end("VTIMEZONE")
    }

    /// As +0100; with seconds where there are some.
    private static func offset(_ seconds: Int) -> String {
        let size = abs(seconds)
        let parts = [size / 3600, size / 60 % 60] + (size % 60 == 0 ? [] : [size % 60])
        return (seconds < 0 ? "-" : "+") + parts.map { CalendarText.padded($0, 2) }.joined()
    }
}

extension TimeZone {
    fileprivate func offset(at seconds: Int) -> Int {
        secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
    }

    fileprivate func isDaylight(at seconds: Int) -> Bool {
        isDaylightSavingTime(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
    }

    /// The change between two instants with different offsets.
    fileprivate func change(_ low: Int, _ high: Int) -> ZoneTransitions.Change {
        let from = offset(at: low)
        var (low, high) = (low, high)
        while high - low > 1 {
            let middle = (low + high) / 2
            if offset(at: middle) == from { low = middle } else { high = middle }
        }
        return ZoneTransitions.Change(instant: high, from: from, to: offset(at: high), isDaylight: isDaylight(at: high))
    }
}

/// Days and times as calendars write them.
enum CalendarText {
    static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    static func day(_ day: Day) -> String {
        let parts = day.components
        return padded(parts.year, 4) + padded(parts.month, 2) + padded(parts.day, 2)
    }

    /// As 20270501T093000, of the seconds since 1970 that a clock shows; the last or first of the years 1 to 9999 beyond them.
    static func clock(_ seconds: Int) -> String {
        let days = seconds.euclideanFloor(86_400)
        let day = Day(daysSince1970: days) ?? (days < 0 ? .first : .last)
        let rest = seconds.euclideanRemainder(86_400)
        return CalendarText.day(day) + "T" + [rest / 3600, rest / 60 % 60, rest % 60].map { padded($0, 2) }.joined()
    }

    /// In UTC, whole seconds.
    static func utc(_ date: Date) -> String { clock(Int(date.timeIntervalSince1970.rounded(.down))) + "Z" }
}
