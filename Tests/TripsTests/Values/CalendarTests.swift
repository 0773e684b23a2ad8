import Foundation
import TestSupport
import Testing

@testable import Trips

/// Our calendar against the one of Foundation, from when Europe took the Gregorian one: before, Foundation's is Julian.
@Suite("Days and Foundation's calendar")
struct CalendarTests {
    private static func calendar(_ zone: String) throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        return calendar
    }

    private static func date(_ day: Day) -> Date {
        Date(timeIntervalSince1970: Double(day.daysSince1970) * 86_400)
    }

    private static func parts(_ date: Date, _ calendar: Calendar) -> [Int?] {
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        return [parts.year, parts.month, parts.day]
    }

    private static func random(_ generator: inout SeededGenerator) -> Day {
        let range = Day(1583, 1, 1).daysSince1970...Day.last.daysSince1970
        return Day(1970, 1, 1).advanced(by: .random(in: range, using: &generator))
    }

    @Test("Both have the same year, month and day for a number of days", arguments: Seeds.some(5))
    func components(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let calendar = try Self.calendar("UTC")
        for _ in 0..<300 {
            let day = Self.random(&generator)
            #expect([day.year, day.month, day.day] == Self.parts(Self.date(day), calendar), "\(day)")
            let parts = DateComponents(year: day.year, month: day.month, day: day.day)
            #expect(calendar.date(from: parts) == Self.date(day), "\(day)")
        }
    }

    @Test("Both come to the same day some days later or earlier", arguments: Seeds.some(5))
    func arithmetic(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let calendar = try Self.calendar("UTC")
        for _ in 0..<300 {
            let day = Self.random(&generator)
            let other = Self.random(&generator)
            let days = day.distance(to: other)
            #expect(calendar.date(byAdding: .day, value: days, to: Self.date(day)) == Self.date(other))
            let parts = calendar.dateComponents([.day], from: Self.date(day), to: Self.date(other))
            #expect(parts.day == days)
        }
    }

    @Test("Both say which day it is at an instant in a zone", arguments: Zones.all)
    func daysInZones(zone: String) throws {
        var generator = SeededGenerator(seed: 1)
        let calendar = try Self.calendar(zone)
        for _ in 0..<200 {
            let date = Date(milliseconds: .random(in: Zones.span, using: &generator))
            let day = Day(date, in: calendar.timeZone)
            #expect([day.year, day.month, day.day] == Self.parts(date, calendar), "\(date.milliseconds)")
            #expect(Moment(date, zone).localDay == day)
        }
    }

    @Test("An instant beyond the range is on its first or last day")
    func farInstants() {
        #expect(Day(.distantPast.addingTimeInterval(-1e10), in: .gmt) == .first)
        #expect(Day(Date(timeIntervalSince1970: -.infinity), in: .gmt) == .first)
        #expect(Day(Date(timeIntervalSince1970: 1e15), in: .gmt) == .last)
        #expect(Day(Date(timeIntervalSince1970: .infinity), in: .gmt) == .last)
    }
}

/// Difficult zones: offsets of half and quarter hours, summer time of half an hour and of two, both sides of the date
/// line, a day left out, summer time that pauses.
enum Zones {
    static let all = [
        "UTC", "Europe/Lisbon", "Europe/Dublin", "America/New_York", "America/St_Johns", "America/Caracas",
        "Australia/Lord_Howe", "Antarctica/Troll", "Asia/Kathmandu", "Asia/Tehran", "Asia/Pyongyang",
        "Africa/Casablanca", "Pacific/Apia", "Pacific/Chatham", "Pacific/Kiritimati", "Pacific/Pago_Pago",
    ]

    /// The years 1973 to 2036.
    static let span: ClosedRange<Int64> = 94_694_400_000...2_114_380_799_999
}
