import Foundation
import TestSupport
import Testing

@testable import Trips

@Suite("Days")
struct DayTests {
    @Test(
        "A day counts from 1 January 1970",
        arguments: [
            (1970, 1, 1, 0), (1969, 12, 31, -1), (1970, 12, 31, 364), (2000, 2, 29, 11_016), (2027, 5, 1, 20_939),
            (1, 1, 1, -719_162), (9999, 12, 31, 2_932_896),
        ])
    func numbers(year: Int, month: Int, day: Int, number: Int) throws {
        let found = try #require(Day(year: year, month: month, day: day))
        #expect(found.daysSince1970 == number)
        #expect(found.components == (year, month, day))
        #expect((found.year, found.month, found.day) == (year, month, day))
        #expect(Day(daysSince1970: number) == found)
        #expect(Day(year, month, day) == found)
    }

    @Test("Every year of the range has its days, by the rule of leap years")
    func years() {
        var number = -719_162
        for year in 1...9999 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let march = number + 59 + (isLeap ? 1 : 0)
            #expect(Day(year: year, month: 1, day: 1)?.daysSince1970 == number)
            #expect(Day(year: year, month: 2, day: 29)?.daysSince1970 == (isLeap ? march - 1 : nil))
            #expect(Day(year: year, month: 3, day: 1)?.daysSince1970 == march)
            #expect(Day(daysSince1970: march - 1).map { $0.components == (year, 2, isLeap ? 29 : 28) } == true)
            number += isLeap ? 366 : 365
        }
        #expect(number - 1 == Day.last.daysSince1970)
    }

    @Test("Every day of a common and of a leap year has its month and day", arguments: [1900, 2000, 2027, 2028])
    func months(year: Int) throws {
        let isLeap = year == 2000 || year == 2028
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var number = try #require(Day(year: year, month: 1, day: 1)).daysSince1970
        for (index, length) in lengths.enumerated() {
            for day in 1...length {
                #expect(Day(daysSince1970: number).map { $0.components == (year, index + 1, day) } == true)
                number += 1
            }
            #expect(Day(year: year, month: index + 1, day: length + 1) == nil)
        }
    }

    @Test(
        "Input that the calendar does not have is no day",
        arguments: [
            (2027, 2, 29), (1900, 2, 29), (2027, 4, 31), (2027, 13, 1), (2027, 0, 1), (2027, 1, 0), (2027, 1, 32),
            (0, 12, 31), (10_000, 1, 1), (-1, 1, 1), (.max, 1, 1), (.min, 1, 1), (2027, .max, 1), (2027, .min, 1),
            (2027, 1, .max), (2027, 1, .min),
        ] as [(Int, Int, Int)])
    func impossible(year: Int, month: Int, day: Int) { #expect(Day(year: year, month: month, day: day) == nil) }

    @Test(
        "A day written in code counts on beyond its month",
        arguments: [
            ((2027, 4, 31), "2027-05-01"), ((2027, 2, 29), "2027-03-01"), ((2027, 0, 1), "2026-12-01"),
            ((2027, 13, 1), "2028-01-01"), ((2027, 25, 1), "2029-01-01"), ((2027, -11, 1), "2026-01-01"),
            ((2027, -12, 1), "2025-12-01"), ((2027, 1, 0), "2026-12-31"), ((2027, 3, -27), "2027-02-01"),
            ((2027, 1, 366), "2028-01-01"), ((0, 13, 1), "0001-01-01"), ((10_000, 0, 31), "9999-12-31"),
        ])
    func countingOn(parts: (Int, Int, Int), text: String) {
        #expect(Day(parts.0, parts.1, parts.2).description == text)
    }

    @Test(
        "A day written in code before the year 1 is the first day",
        arguments: [
            (0, 1, 1), (-5_000, 6, 1), (1, 1, 0), (.min, 1, 1), (1, .min, 1), (1, 1, .min), (.min, .min, .min),
        ] as [(Int, Int, Int)])
    func beforeTheRange(year: Int, month: Int, day: Int) { #expect(Day(year, month, day) == .first) }

    @Test(
        "A day written in code after the year 9999 is the last day",
        arguments: [
            (10_000, 1, 1), (9999, 12, 32), (9999, 13, 1), (.max, 1, 1), (1, .max, 1), (1, 1, .max), (.max, .max, .max),
        ] as [(Int, Int, Int)])
    func afterTheRange(year: Int, month: Int, day: Int) { #expect(Day(year, month, day) == .last) }

    @Test("The range ends at the years 1 and 9999, whatever the type of number")
    func range() {
        #expect(Day.first.description == "0001-01-01")
        #expect(Day.last.description == "9999-12-31")
        #expect(Day(daysSince1970: Day.first.daysSince1970) == .first)
        #expect(Day(daysSince1970: Day.last.daysSince1970) == .last)
        #expect(Day(daysSince1970: Day.first.daysSince1970 - 1) == nil)
        #expect(Day(daysSince1970: Day.last.daysSince1970 + 1) == nil)
        #expect(Day(daysSince1970: Int64.min) == nil)
        #expect(Day(daysSince1970: UInt64.max) == nil)
        #expect(Day(daysSince1970: Int128.max) == nil)
        #expect(Day(daysSince1970: UInt8(1)) == Day(1970, 1, 2))
    }

    @Test("Arithmetic stops at the ends of the range", arguments: [1, 400, 3_652_058, 3_652_059, Int.max])
    func saturation(days: Int) {
        #expect(Day.last.advanced(by: days) == .last)
        #expect(Day.first.advanced(by: -days) == .first)
        #expect((Day.first.advanced(by: days) == .last) == (days >= 3_652_058))
        #expect((Day.last.advanced(by: -days) == .first) == (days >= 3_652_058))
    }

    @Test("The least number of days leads to the first day, from wherever")
    func leastNumber() {
        #expect(Day.last.advanced(by: .min) == .first)
        #expect(Day.first.advanced(by: .min) == .first)
    }

    @Test("A range of days runs over the end of February")
    func ranges() {
        let days = Day(2028, 2, 28)...Day(2028, 3, 1)
        #expect(days.map(\.description) == ["2028-02-28", "2028-02-29", "2028-03-01"])
        #expect((Day(2027, 2, 28)..<Day(2027, 3, 1)).count == 1)
        #expect(!days.contains(Day(2028, 3, 2)))
        let weeks = stride(from: Day(2027, 5, 1), to: Day(2027, 5, 16), by: 7)
        #expect(weeks.map(\.day) == [1, 8, 15])
    }

    @Test("Two days are ordered as their distance says, and it leads from one to the other", arguments: Seeds.some(5))
    func distances(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let all = Day.first.daysSince1970...Day.last.daysSince1970
        for _ in 0..<200 {
            let (a, b) = (Int.random(in: all, using: &generator), Int.random(in: all, using: &generator))
            guard let first = Day(daysSince1970: a), let second = Day(daysSince1970: b) else {
                Issue.record("\(a) and \(b) are days")
                continue
            }
            #expect(first.distance(to: second) == b - a)
            #expect(first.advanced(by: b - a) == second)
            #expect((first < second) == (a < b))
            #expect((first == second) == (a == b))
        }
    }
}
