import Foundation
import StoreSupport
import Testing
import TripStore

@testable import TripStoreCommands

@Suite("Days and times as people write them")
struct WhenContextTests {
    /// A text, and the day and the time that it means; the weekday of 2 May 2027 is a Sunday.
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let meaning: String

        init(_ text: String, _ meaning: String) { (self.text, self.meaning) = (text, meaning) }
        var testDescription: String { "'\(text)'" }
    }

    private static let today = Day(2027, 5, 2)

    private func check(_ example: Case, _ context: WhenContext) throws {
        let (day, time) = try context.meaning(of: example.text)
        #expect("\(day)\(time.map { " \($0)" } ?? "")" == example.meaning)
    }

    @Test(
        "Without a trip a day is the next from today on",
        arguments: [
            Case("2027-05-03", "2027-05-03"), Case("3 may", "2027-05-03"), Case("may 3", "2027-05-03"),
            Case("3 MAY", "2027-05-03"), Case("May 3rd", "2027-05-03"), Case("3. may", "2027-05-03"),
            Case("3.5.", "2027-05-03"), Case("03.05.2028", "2028-05-03"), Case("3 may 2026", "2026-05-03"),
            Case("may 3, 2026", "2026-05-03"), Case("2 may", "2027-05-02"), Case("1 may", "2028-05-01"),
            Case("31 dec", "2027-12-31"), Case("1 jan", "2028-01-01"), Case("29 feb", "2028-02-29"),
            Case("29 february 2028", "2028-02-29"), Case("13/5", "2027-05-13"), Case("5/13", "2027-05-13"),
            Case("5/5", "2027-05-05"), Case("sun", "2027-05-02"), Case("mon", "2027-05-03"), Case("fri", "2027-05-07"),
            Case("Saturday", "2027-05-08"), Case("today", "2027-05-02"), Case("tomorrow", "2027-05-03"),
            Case("yesterday", "2027-05-01"), Case("+2d", "2027-05-04"), Case("-1w", "2027-04-25"),
            Case("+300d", "2028-02-26"), Case("Fri 7 May 2027", "2027-05-07"),
            Case("Fri 2027-05-07 20:05", "2027-05-07 20:05"), Case("fri 20:05", "2027-05-07 20:05"),
            Case("fri at 8pm", "2027-05-07 20:00"), Case("fri, 8:05 PM", "2027-05-07 20:05"),
            Case("3 may noon", "2027-05-03 12:00"), Case("tomorrow 9:30", "2027-05-03 09:30"),
            Case("12am", "2027-05-02 00:00"), Case("12:30pm", "2027-05-02 12:30"), Case("20:05", "2027-05-02 20:05"),
        ])
    func withoutTrip(example: Case) throws { try check(example, WhenContext(today: Self.today)) }

    @Test(
        "A day without a year is the one nearest to the trip, and a weekday or a time of it",
        arguments: [
            Case("30 dec", "2028-12-30"), Case("2 jan", "2029-01-02"), Case("6 jan", "2029-01-06"),
            Case("27 dec", "2028-12-27"), Case("29 feb", "2028-02-29"), Case("fri", "2028-12-29"),
            Case("thu", "2028-12-28"), Case("wed", "2029-01-03"), Case("20:05", "2028-12-28 20:05"),
            Case("today", "2027-05-02"), Case("+1d", "2027-05-03"), Case("3 may 2027", "2027-05-03"),
        ])
    func ofTrip(example: Case) throws {
        try check(example, WhenContext(today: Self.today, trip: Day(2028, 12, 28)...Day(2029, 1, 5)))
    }

    @Test(
        "While a trip is under way, weekdays and times count from today",
        arguments: [Case("fri", "2027-05-07"), Case("sat", "2027-05-08"), Case("20:05", "2027-05-02 20:05")])
    func underWay(example: Case) throws {
        try check(example, WhenContext(today: Self.today, trip: Day(2027, 5, 1)...Day(2027, 5, 8)))
    }

    @Test(
        "An end is near its beginning, and a time alone is the next one",
        arguments: [
            Case("2 jan", "2028-01-02"), Case("+2d", "2028-01-01"), Case("sat", "2028-01-01"),
            Case("06:10", "2027-12-31 06:10"), Case("23:00", "2027-12-30 23:00"), Case("22:05", "2027-12-31 22:05"),
        ])
    func end(example: Case) throws {
        let beginning = Day(2027, 12, 30)
        try check(
            example, WhenContext(today: Self.today, beginning: beginning, clock: (day: beginning, after: "22:05")))
    }

    @Test(
        "Days of the log are past",
        arguments: [
            Case("3 may", "2026-05-03"), Case("2 may", "2027-05-02"), Case("fri", "2027-04-30"),
            Case("sun", "2027-05-02"), Case("29 feb", "2024-02-29"),
        ])
    func past(example: Case) throws { try check(example, WhenContext(today: Self.today, isPast: true)) }

    @Test(
        "A text that is no day or may be two is refused with the reason",
        arguments: [
            Case("3/5", "may be 3 May or 5 March"), Case("3/5/2027", "may be 3 May or 5 March"),
            Case("31 apr", "no day of the calendar"), Case("29 feb 2027", "no day of the calendar"),
            Case("2027-02-30", "no day of the calendar"), Case("32.1.", "no day of the calendar"),
            Case("13/13", "no day of the calendar"), Case("", "no day and no time"), Case("soon", "'3 may', 'may 3'"),
            Case("25:00", "no day and no time"), Case("13pm", "no day and no time"), Case("+2y", "no day and no time"),
            Case("3 may 27", "no day and no time"), Case("20:05 fri sat", "no day and no time"),
            Case("fri 8 may 2027", "would be Sat 8 May 2027"),
        ])
    func refused(example: Case) {
        let error = #expect(throws: (any Error).self) { try WhenContext(today: Self.today).meaning(of: example.text) }
        #expect(error.map { "\($0)".contains(example.meaning) } == true, "\(String(describing: error))")
    }

    @Test("The words of a date behind an option are one value, and others stay as they are")
    func joined() {
        func joined(_ line: String) -> String {
            DateArguments.joined(line.split(separator: ",").map(String.init)).joined(separator: ",")
        }
        #expect(joined("add,hotel,Grand,--from,3,may,--nights,2") == "add,hotel,Grand,--from=3 may,--nights,2")
        #expect(joined("edit,--start,fri,20:05,Tram") == "edit,--start=fri 20:05,Tram")
        #expect(joined("add,--departure,3,may,2027,at,8pm") == "add,--departure=3 may 2027 at 8pm")
        #expect(joined("trips,--from,-1w,--to,+2d") == "trips,--from=-1w,--to,+2d")
        for line in [
            "edit,--start,fri,Tram", "edit,--start,3 may,2027", "edit,--name,3,may", "trips,--,--from,3,may",
            "trips,--from", "show,x,--as-of,-1", "trips,--from=3,may",
        ] { #expect(joined(line) == line) }
    }
}
