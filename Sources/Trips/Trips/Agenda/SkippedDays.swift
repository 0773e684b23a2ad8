import Foundation
import Synchronization

/// The days that calendars of a zone do not have, for when it moved over the date line: 30 December 2011 in Samoa.
///
/// They are found once for each zone and kept, so that an agenda does not ask the platform about the clocks of every day.
enum SkippedDays {
    /// Zones were introduced after the first of these days, and no zone plans to move.
    private static let searched = Day(1840, 1, 1)...Day(2110, 1, 1)
    /// No zone has moved back within so many days.
    private static let step = 180
    /// Clocks change by two hours at most for any other reason, and by 23 hours at least over the date line.
    private static let leap = Int64(12 * 3_600)

    private static let known = Mutex<[String: [Day]]>([:])

    /// In order; none of a zone that the platform does not know.
    static func of(_ zone: String) -> [Day] {
        if let days = known.withLock({ $0[zone] }) { return days }
        guard let timeZone = TimeZoneCache.zone(zone) else { return [] }
        let days = search(timeZone)
        known.withLock { known in
            // Names come from other devices, so what is kept is bounded.
            if known.count >= 2_000 { known.removeAll() }
            known[zone] = days
        }
        return days
    }

    /// Whether a day of the range is one that the calendars of a zone do not have. O(1) after the first time.
    static func contains(_ day: Day, in zone: String) -> Bool { of(zone).contains(day) }

    private static func search(_ zone: TimeZone) -> [Day] {
        var found: [Day] = []
        var (first, offset) = (searched.lowerBound, offset(on: searched.lowerBound, in: zone))
        while first < searched.upperBound {
            let next = first.advanced(by: step)
            let other = self.offset(on: next, in: zone)
            if other - offset > leap { found += days(from: first, to: next, in: zone) }
            (first, offset) = (next, other)
        }
        return found
    }

    /// Those around the one change over the date line between two days.
    private static func days(from first: Day, to last: Day, in zone: TimeZone) -> [Day] {
        let before = offset(on: first, in: zone)
        var (low, high) = (first, last)
        while low.distance(to: high) > 1 {
            let middle = low.advanced(by: low.distance(to: high) / 2)
            if offset(on: middle, in: zone) - before > leap { high = middle } else { low = middle }
        }
        return (low.advanced(by: -2)...high.advanced(by: 2)).filter { !$0.isShown(in: zone) }
    }

    private static func offset(on day: Day, in zone: TimeZone) -> Int64 {
        Moment(milliseconds: day.noon, zone: "").local(in: zone).offset
    }
}

extension Day {
    /// Whether calendars of a zone have the day, by its clocks before and after it.
    func isShown(in zone: TimeZone) -> Bool {
        // Local time is at most a day from UTC.
        let day = 93_600_000 as Int64
        let offsets = [noon - day, noon + day].map { Moment(milliseconds: $0, zone: "").local(in: zone).offset }
        // Without a change of clocks nothing is skipped.
        if offsets[0] == offsets[1] { return true }
        return offsets.contains { offset in
            Moment(milliseconds: noon - offset * 1_000, zone: "").local(in: zone).days == daysSince1970
        }
    }
}
