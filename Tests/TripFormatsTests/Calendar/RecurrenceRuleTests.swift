import Foundation
import TestSupport
import Testing
import TripStore

@testable import TripFormats

@Suite("Rules of recurrence")
struct RecurrenceRuleTests {
    private static func days(_ text: String, from first: Day, through last: Day) throws -> [Day] {
        var days: [Day] = []
        let rule = try #require(RecurrenceRule(text), "\(text)")
        var steps = 1_000_000
        rule.forEachDay(from: first, through: last, steps: &steps) { day in
            days.append(day)
            return rule.count.map { days.count < $0 } ?? true
        }
        return days
    }

    @Test(
        "They have the days that RFC 5545 says",
        arguments: [
            ("FREQ=DAILY;COUNT=3", "2027-05-01 2027-05-02 2027-05-03"),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SA;COUNT=4", "2027-05-01 2027-05-11 2027-05-15 2027-05-25"),
            ("FREQ=MONTHLY;BYDAY=-1FR;COUNT=3", "2027-05-01 2027-05-28 2027-06-25"),
            ("FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3", "2027-05-01 2027-05-31 2027-07-31"),
            ("FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3", "2027-05-01 2027-05-31 2027-06-30"),
            ("FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;COUNT=3", "2027-05-01 2027-10-31 2028-10-29"),
            ("FREQ=YEARLY;COUNT=2", "2027-05-01 2028-05-01"),
            ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3", "2027-05-01 2027-05-31 2027-06-30"),
        ])
    func examples(rule: String, days: String) throws {
        let found = try Self.days(rule, from: Day(2027, 5, 1), through: Day(2030, 1, 1))
        #expect(found.map(\.description).joined(separator: " ") == days)
    }

    @Test(
        "Rules with other parts, or values out of range, are none",
        arguments: [
            "", "FREQ=HOURLY", "FREQ=SECONDLY;COUNT=9", "INTERVAL=2", "FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;COUNT=0",
            "FREQ=DAILY;BYHOUR=9", "FREQ=MONTHLY;BYMONTHDAY=32", "FREQ=YEARLY;BYMONTH=13", "FREQ=YEARLY;BYDAY=54MO",
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
        func look(_ text: String) throws -> (days: [Day], steps: Int) {
            var (days, steps): ([Day], Int) = ([], 1_000_000)
            try #require(RecurrenceRule(text)).forEachDay(
                from: Day(2028, 2, 29), through: Day(2030, 1, 1), further: 400, steps: &steps
            ) { day in
                days.append(day)
                return true
            }
            return (days, 1_000_000 - steps)
        }
        let many = Array(repeating: number, count: 300).joined(separator: ",")
        let (once, often) = (try look(rule + number), try look(rule + many))
        #expect(once.days == often.days && once.steps == often.steps)
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

    @Test("At the end of the calendar they end")
    func lastYear() throws {
        for frequency in ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"] {
            let days = try Self.days("FREQ=\(frequency);INTERVAL=100000", from: Day(9999, 12, 30), through: .last)
            #expect(days == [Day(9999, 12, 30)])
            #expect(try Self.days("FREQ=\(frequency)", from: .last, through: .last) == [.last])
        }
    }

    static let isHere = Program.succeeds("python3", "-c", "import dateutil.rrule")

    @Test(
        "Random rules have the days that Python's dateutil finds",
        .enabled(if: isHere, "python3 with the package python-dateutil is not here"))
    func model() throws {
        var generator = SeededGenerator(seed: 29)
        let rules = (0..<300).map { _ in Self.random(&generator) }
        let first = Day(2027, 1, 31)
        let script = """
            import sys
            from datetime import datetime
            from dateutil.rrule import rrulestr
            for line in sys.argv[1].split():
                rule = rrulestr(line, dtstart=datetime(2027, 1, 31))
                print(' '.join(d.strftime('%Y-%m-%d') for d in rule.between(datetime(2027, 1, 31), datetime(2029, 6, 30), inc=True)))
            """
        let output = try #require(try Program.run("python3", ["-c", script, rules.joined(separator: " ")]))
        #expect(output.code == 0, "\(output.complaint)")
        let lines = output.text.split(separator: "\n", omittingEmptySubsequences: false)
        for (rule, line) in zip(rules, lines) {
            // The first day counts here where the rule does not have it.
            let found = try Self.days(rule, from: first, through: Day(2029, 6, 30)).filter { $0 != first }
            let expected = line.split(separator: " ").map(String.init).filter { $0 != "2027-01-31" }
            #expect(found.map(\.description) == expected, "\(rule)")
        }
    }

    private static func random(_ generator: inout SeededGenerator) -> String {
        let frequency = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"].randomElement(using: &generator) ?? "DAILY"
        var rule = "FREQ=\(frequency);INTERVAL=\(Int.random(in: 1...4, using: &generator))"
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
            rule += ";BYMONTHDAY=" + list(["1", "2", "15", "29", "31", "-1", "-15"])
        }
        if frequency == "WEEKLY", Bool.random(using: &generator) {
            rule += ";WKST=" + (names.randomElement(using: &generator) ?? "MO")
        }
        return rule
    }
}
