import Foundation
import TestSupport
import Testing
import TripStore

@testable import TripFormats

@Suite("Rules of recurrence")
struct RecurrenceRuleTests {
    /// The times of a rule, with its COUNT and UNTIL, in the form of calendars.
    private static func times(_ text: String, from start: CalendarTime, through last: Day = .last) throws -> [String] {
        let rule = try #require(RecurrenceRule(text), "\(text)")
        var times = RecurrenceTimes(rule, from: start, through: last, steps: 1_000_000)
        var found: [String] = []
        while found.count < rule.count ?? 30, let clock = times.next(),
            clock.euclideanFloor(86_400) <= last.daysSince1970, rule.until.map({ clock <= $0.clockSeconds }) ?? true
        {
            found.append(String(CalendarText.clock(clock).prefix(start.isDay ? 8 : 15)))
        }
        return found
    }

    private static func days(_ text: String, from first: Day, through last: Day) throws -> [String] {
        try times(text, from: .day(first), through: last)
    }

    @Test(
        "They have the times that RFC 5545 says",
        arguments: RecurrenceFacts.times)
    func examples(rule: String, start: String, expected: String) throws {
        let found = try Self.times(rule, from: try #require(CalendarTime(start)))
        // The time of day of the start, where no other is said.
        let times = expected.split(separator: " ").map { $0.contains("T") ? "\($0)" : "\($0)\(start.dropFirst(8))" }
        #expect(found == times)
    }

    @Test(
        "Rules with other parts, or values out of range, are none",
        arguments: [
            "", "FREQ=FORTNIGHTLY", "FREQ=SECONDLY;BYSECOND=61", "INTERVAL=2", "FREQ=DAILY;INTERVAL=0",
            "FREQ=DAILY;COUNT=0", "FREQ=DAILY;BYHOUR=24", "FREQ=DAILY;BYMINUTE=-1", "FREQ=YEARLY;BYWEEKNO=54",
            "FREQ=YEARLY;BYYEARDAY=0", "FREQ=DAILY;BYSETPOS=0", "FREQ=DAILY;BYEASTER=0",
            "RSCALE=HEBREW;FREQ=YEARLY", "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD", "FREQ=MONTHLY;BYMONTHDAY=32",
            "FREQ=YEARLY;BYMONTH=13", "FREQ=YEARLY;BYDAY=54MO", "FREQ=YEARLY;BYDAY=-9223372036854775808MO",
            "FREQ=MONTHLY;BYDAY=6MO", "FREQ=YEARLY;BYMONTH=5;BYDAY=-6MO", "FREQ=WEEKLY;BYDAY=53MO",
            "FREQ=WEEKLY;BYDAY=XX", "FREQ=DAILY;UNTIL=soon", "FREQ=DAILY;FREQ=DAILY",
            "FREQ=DAILY;COUNT=99999999999999999999",
        ])
    func refused(text: String) { #expect(RecurrenceRule(text) == nil) }

    @Test(
        "Numbers that a rule repeats count once, and it takes the steps of a rule that does not repeat them",
        arguments: [
            ("FREQ=YEARLY;BYMONTH=", "2"), ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=", "30"),
            ("FREQ=MONTHLY;BYMONTH=2;BYDAY=MO,", "5TU"), ("FREQ=YEARLY;BYSETPOS=", "366"),
            ("FREQ=YEARLY;BYDAY=", "53MO"),
        ])
    func repeated(rule: String, number: String) throws {
        func look(_ text: String) throws -> (times: [Int], steps: Int) {
            var times = RecurrenceTimes(
                try #require(RecurrenceRule(text)), from: .day(Day(2028, 2, 29)), through: Day(2030, 1, 1),
                further: 400,
                steps: 1_000_000)
            var found: [Int] = []
            while let time = times.next() { found.append(time) }
            return (found, 1_000_000 - times.steps)
        }
        let many = Array(repeating: number, count: 300).joined(separator: ",")
        let (once, often) = (try look(rule + number), try look(rule + many))
        #expect(once.times == often.times && once.steps == often.steps)
        // The years of the range, 400 more and one that ends it.
        #expect(often.steps <= 405 * 367, "\(often.steps)")
    }

    @Test("The steps of a file are bounded: then of each event the first time is taken, and a warning says so")
    func bounded() throws {
        let events = (0..<50).map {
            "BEGIN:VEVENT\nUID:\($0)@test\nDTSTART:20280101T100000Z\nRRULE:FREQ=YEARLY;BYDAY=53MO\nEND:VEVENT"
        }
        var limits = CalendarLimits()
        limits.mostRuleDays = 20_000
        let calendar = try CalendarItems(
            reading: CalendarSample.calendar(events.joined(separator: "\n")), zone: "UTC", limits: limits)
        #expect(Set(calendar.entries.map(\.externalID)).count >= 50)
        #expect(calendar.warnings.texts.contains { $0.contains("the file has too many rules") }, "\(calendar.warnings)")
        let whole = try CalendarItems(reading: CalendarSample.calendar(events[0]), zone: "UTC")
        #expect(!whole.warnings.texts.contains { $0.contains("too many rules") })
    }

    @Test(
        "A rule that has no time ends within bounded steps, whatever its periods are",
        arguments: RecurrenceRule.Frequency.allCases.flatMap { frequency in
            ["BYMONTH=2;BYMONTHDAY=30", "BYMONTH=4;BYYEARDAY=1", "INTERVAL=60;BYSECOND=31;BYMONTH=2;BYMONTHDAY=30"].map
            {
                "FREQ=\(frequency.rawValue);\($0)"
            }
        } + ["FREQ=SECONDLY;INTERVAL=60;BYSECOND=31", "FREQ=MINUTELY;INTERVAL=60;BYMINUTE=31"])
    func never(rule: String) throws {
        let start = try #require(CalendarTime("20270501T090000"))
        var times = RecurrenceTimes(try #require(RecurrenceRule(rule)), from: start, through: .last, steps: 10_000_000)
        #expect(times.next() == nil)
        // A year at most beyond those that show it.
        #expect(times.steps >= 10_000_000 - 50_400, "\(times.steps)")
    }

    @Test("At the end of the calendar they end")
    func lastYear() throws {
        for frequency in ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"] {
            let days = try Self.days("FREQ=\(frequency);INTERVAL=100000", from: Day(9999, 12, 30), through: .last)
            #expect(days == ["99991230"])
            #expect(try Self.days("FREQ=\(frequency)", from: .last, through: .last) == ["99991231"])
        }
        let late = try #require(CalendarTime("99991231T235950"))
        #expect(try Self.times("FREQ=MINUTELY", from: late) == ["99991231T235950"])
        #expect(try Self.times("FREQ=SECONDLY;INTERVAL=4", from: late).count == 3)
        #expect(try Self.times("FREQ=HOURLY;INTERVAL=2000000000", from: late).count == 1)
    }

    static let isHere = Program.succeeds("python3", "-c", "import dateutil.rrule")

    @Test(
        "Random rules have the times that Python's dateutil finds",
        .enabled(if: isHere, "python3 with the package python-dateutil is not here"), arguments: [29])
    func model(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let rules = (0..<150).map { _ in Self.random(&generator) }
        let script = """
            import sys
            from datetime import datetime
            from itertools import islice, takewhile
            from dateutil.rrule import rrulestr
            for line in sys.argv[1].split():
                rule = rrulestr(line, dtstart=datetime(2027, 1, 31, 9, 30))
                times = takewhile(lambda d: d < datetime(2029, 7, 1), rule)
                print(' '.join(d.strftime('%Y%m%dT%H%M%S') for d in islice(times, 30)))
            """
        let output = try #require(try Program.run("python3", ["-c", script, rules.joined(separator: " ")]))
        #expect(output.code == 0, "\(output.complaint)")
        let lines = output.text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(CalendarTime("20270131T093000"))
        for (rule, line) in zip(rules, lines) {
            let found = try Self.times(rule, from: start, through: Day(2029, 6, 30))
            #expect(found == line.split(separator: " ").map(String.init), "\(rule)")
        }
    }

    private static func random(_ generator: inout SeededGenerator) -> String {
        let frequency = ["HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"].randomElement(using: &generator) ?? "DAILY"
        // dateutil refuses hours that an interval never meets.
        var rule = "FREQ=\(frequency);INTERVAL=\(frequency == "HOURLY" ? 1 : Int.random(in: 1...4, using: &generator))"
        func list(_ values: [String]) -> String {
            values.shuffled(using: &generator).prefix(Int.random(in: 1...3, using: &generator)).joined(separator: ",")
        }
        let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
        if Bool.random(using: &generator) {
            let isCounted = frequency == "MONTHLY" && Bool.random(using: &generator)
            rule += ";BYDAY=" + list(isCounted ? ["1MO", "2TU", "-1WE", "-2FR", "3SU"] : names)
        }
        if Bool.random(using: &generator) { rule += ";BYMONTH=" + list((1...12).map(String.init)) }
        if frequency != "WEEKLY", Bool.random(using: &generator) {
            rule += ";BYMONTHDAY=" + list(["1", "2", "15", "29", "-1", "-15"])
        }
        if Bool.random(using: &generator) { rule += ";BYHOUR=" + list(["3", "6", "9", "10", "11", "23"]) }
        if Bool.random(using: &generator) { rule += ";BYMINUTE=" + list(["0", "30", "45"]) }
        if frequency == "MONTHLY" || frequency == "YEARLY", Bool.random(using: &generator) {
            rule += ";BYSETPOS=" + list(["1", "2", "-1", "-2"])
        }
        if frequency == "WEEKLY", Bool.random(using: &generator) {
            rule += ";WKST=" + (names.randomElement(using: &generator) ?? "MO")
        }
        return rule
    }
}
