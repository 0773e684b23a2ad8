import Testing
import TripStore

@testable import TripFormats

@Suite("Events that recur")
struct RecurringEventTests {
    private static func items(_ lines: String) throws -> CalendarItems {
        try CalendarItems(reading: CalendarSample.event(lines), zone: "UTC")
    }

    private static func events(_ lines: String...) throws -> CalendarItems {
        let events = lines.map { "BEGIN:VEVENT\nUID:1@test\n\($0)\nEND:VEVENT" }.joined(separator: "\n")
        return try CalendarItems(reading: CalendarSample.calendar(events), zone: "UTC")
    }

    private static func starts(_ calendar: CalendarItems) -> [String: String] {
        var starts: [String: String] = [:]
        for entry in calendar.entries { starts[entry.externalID] = entry.item.start??.localISO8601 ?? "none" }
        return starts
    }

    @Test("A series keeps its names when it moves, gains a rule, or its days change")
    func names() throws {
        let names = ["1@test", "1@test#1", "1@test#2"]
        for lines in [
            "DTSTART:20270501T090000Z\nRRULE:FREQ=DAILY;COUNT=3", "DTSTART:20270501T110000Z\nRRULE:FREQ=DAILY;COUNT=3",
            "DTSTART;TZID=Europe/Lisbon:20270503T110000\nRRULE:FREQ=WEEKLY;COUNT=3",
        ] {
            #expect(try Self.items(lines).entries.map(\.externalID) == names)
        }
        #expect(try Self.items("DTSTART:20270501T090000Z").entries.map(\.externalID) == ["1@test"])
        // What is left out keeps its number, and a date beside the rule has a name of its own.
        let odd = try Self.items(
            "DTSTART:20270501T090000Z\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20270502T090000Z\nRDATE:20270502T120000Z")
        #expect(odd.entries.map(\.externalID) == ["1@test", "1@test#2027-05-02T12:00:00Z", "1@test#2"])
        #expect(odd.cancellations.map(\.externalID) == ["1@test#1"])
        #expect(odd.cancellations.map(\.otherIDs) == [["1@test#2027-05-02T09:00:00Z"]])
    }

    @Test("A time that an event of its own replaces keeps the name that it has in the series")
    func replaced() throws {
        let series = "SUMMARY:a\nDTSTART:20270501T090000Z\nRRULE:FREQ=DAILY;COUNT=3"
        let moved = "SUMMARY:b\nRECURRENCE-ID:20270502T090000Z\nDTSTART:20270505T090000Z"
        for calendar in [try Self.events(series, moved), try Self.events(moved, series)] {
            #expect(
                Self.starts(calendar) == [
                    "1@test": "2027-05-01T09:00:00Z", "1@test#1": "2027-05-05T09:00:00Z",
                    "1@test#2": "2027-05-03T09:00:00Z",
                ])
            #expect(calendar.entries.filter { $0.item.name == "b" }.map(\.externalID) == ["1@test#1"])
        }
        // Without the series it is named by the day on which it was to be, or by its time if there are two on that day.
        #expect(Self.starts(try Self.events(moved)).keys.sorted() == ["1@test#2027-05-02"])
        let later = "SUMMARY:c\nRECURRENCE-ID:20270502T150000Z\nDTSTART:20270505T100000Z"
        #expect(
            Self.starts(try Self.events(moved, later)).keys.sorted() == [
                "1@test#2027-05-02T09:00:00Z", "1@test#2027-05-02T15:00:00Z",
            ])
    }

    @Test(
        "A time of a series is found by its day, and by its clock without a zone, as programs write them",
        arguments: ["RECURRENCE-ID;VALUE=DATE:20270502", "RECURRENCE-ID:20270502T090000"])
    func sparse(line: String) throws {
        let start = "DTSTART;TZID=Asia/Tokyo:20270501T090000"
        let calendar = try Self.events(
            "SUMMARY:a\n\(start)\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20270503T090000",
            "SUMMARY:b\n\(line)\nDTSTART;TZID=Asia/Tokyo:20270502T110000")
        #expect(
            Self.starts(calendar) == [
                "1@test": "2027-05-01T09:00:00+09:00", "1@test#1": "2027-05-02T11:00:00+09:00",
            ])
        #expect(calendar.cancellations.map(\.externalID) == ["1@test#2"])
    }

    @Test("With RANGE=THISANDFUTURE all later times are changed, but for those that are replaced by themselves")
    func following() throws {
        let calendar = try Self.events(
            "SUMMARY:a\nDTSTART;TZID=Europe/Lisbon:20270501T090000\nDTEND;TZID=Europe/Lisbon:20270501T100000\nRRULE:FREQ=DAILY;COUNT=5",
            "SUMMARY:b\nRECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Lisbon:20270502T090000\n"
                + "DTSTART;TZID=Europe/Lisbon:20270502T110000\nDURATION:PT2H",
            "SUMMARY:c\nRECURRENCE-ID;TZID=Europe/Lisbon:20270504T090000\nDTSTART;TZID=Europe/Lisbon:20270504T200000")
        #expect(
            Self.starts(calendar) == [
                "1@test": "2027-05-01T09:00:00+01:00", "1@test#1": "2027-05-02T11:00:00+01:00",
                "1@test#2": "2027-05-03T11:00:00+01:00", "1@test#3": "2027-05-04T20:00:00+01:00",
                "1@test#4": "2027-05-05T11:00:00+01:00",
            ])
        let later = try #require(calendar.entries.first { $0.externalID == "1@test#4" })
        #expect(later.item.name == "b" && later.item.end??.localISO8601 == "2027-05-05T13:00:00+01:00")
    }

    @Test(
        "Hours of a duration are exact, and its days are days of the calendar, over a change of clocks",
        arguments: [
            ("DURATION:PT24H", "2027-10-31T11:00:00Z"), ("DURATION:P1D", "2027-10-31T12:00:00Z"),
            ("DURATION:P1DT1H", "2027-10-31T13:00:00Z"), ("DURATION:PT13H", "2027-10-31T01:00:00+01:00"),
            ("DURATION:PT14H", "2027-10-31T01:00:00Z"), ("DURATION:P1W", "2027-11-06T12:00:00Z"),
            ("DTEND;TZID=Europe/Lisbon:20271031T120000", "2027-10-31T12:00:00Z"),
        ])
    func durations(line: String, end: String) throws {
        let entry = try #require(try Self.items("DTSTART;TZID=Europe/Lisbon:20271030T120000\n\(line)").entries.first)
        #expect(entry.item.end??.localISO8601 == end && entry.item.end??.zone == "Europe/Lisbon")
    }

    @Test("Every time of a series takes exactly as long as its DTEND says, and as many days as its DURATION says")
    func lengths() throws {
        let start = "DTSTART;TZID=Europe/Lisbon:20271029T220000\nRRULE:FREQ=DAILY;COUNT=2\n"
        let exact = try Self.items(start + "DTEND;TZID=Europe/Lisbon:20271030T220000").entries
        #expect(exact.map { $0.item.end??.localISO8601 } == ["2027-10-30T22:00:00+01:00", "2027-10-31T21:00:00Z"])
        let nominal = try Self.items(start + "DURATION:P1D").entries
        #expect(nominal.map { $0.item.end??.localISO8601 } == ["2027-10-30T22:00:00+01:00", "2027-10-31T22:00:00Z"])
        let days = try Self.items("DTSTART;VALUE=DATE:20270501\nRRULE:FREQ=WEEKLY;COUNT=2\nDTEND;VALUE=DATE:20270503")
        #expect(days.entries.map(\.item.endDay) == [Day(2027, 5, 2), Day(2027, 5, 9)])
        // A journey of several zones.
        let flight = try Self.items(
            "DTSTART;TZID=Europe/Berlin:20270501T230000\nDTEND;TZID=Europe/Lisbon:20270502T010000\nRRULE:FREQ=DAILY;COUNT=2"
        )
        #expect(flight.entries.last?.item.end??.description == "2027-05-03T01:00:00+01:00 Europe/Lisbon")
    }

    @Test(
        "A rule that goes on after the bound is warned of, however long its steps are, and one that ends is not",
        arguments: [
            ("FREQ=YEARLY;INTERVAL=10", 1), ("FREQ=DAILY;INTERVAL=10000", 1), ("FREQ=MONTHLY;INTERVAL=100;COUNT=2", 1),
            ("FREQ=YEARLY;INTERVAL=10;COUNT=1", 0), ("FREQ=YEARLY;INTERVAL=10;UNTIL=20360101T000000Z", 0),
            ("FREQ=DAILY;INTERVAL=100000;UNTIL=99991231T000000Z", 1), ("FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30", 0),
        ])
    func longSteps(rule: String, warnings: Int) throws {
        let calendar = try Self.items("DTSTART:20270501T090000Z\nRRULE:\(rule)")
        #expect(calendar.entries.count == 1 && calendar.warnings.texts.count == warnings)
    }

    @Test("Hours recur by the clock, and a time that the clocks skip is there once")
    func hours() throws {
        let night = try Self.items(
            "DTSTART;TZID=Europe/Lisbon:20270327T230000\nRRULE:FREQ=HOURLY;COUNT=4")
        #expect(
            night.entries.map { $0.item.start??.localISO8601 } == [
                "2027-03-27T23:00:00Z", "2027-03-28T00:00:00Z", "2027-03-28T02:00:00+01:00",
                "2027-03-28T03:00:00+01:00",
            ])
        let days = try Self.items("DTSTART;VALUE=DATE:20270501\nRRULE:FREQ=HOURLY;COUNT=4")
        #expect(days.entries.count == 1 && days.warnings.texts.count == 1)
    }

    @Test("A period of RDATE has its own end, and the other times that of the event")
    func periods() throws {
        let calendar = try Self.items(
            "DTSTART:20270501T090000Z\nDURATION:PT1H\n"
                + "RDATE;VALUE=PERIOD:20270502T090000Z/20270502T113000Z,20270503T090000Z/PT15M,20270504T090000Z/PT-1M")
        #expect(
            calendar.entries.map { $0.item.end??.localISO8601 } == [
                "2027-05-01T10:00:00Z", "2027-05-02T11:30:00Z", "2027-05-03T09:15:00Z", "2027-05-04T10:00:00Z",
            ])
    }

    @Test(
        "An event takes place at the times of all of its rules, and not at those of its exclusions",
        arguments: [
            (["RRULE:FREQ=DAILY;COUNT=2", "RRULE:FREQ=WEEKLY;COUNT=3"], [1, 2, 8, 15]),
            (["RRULE:FREQ=WEEKLY;COUNT=3", "RRULE:FREQ=DAILY;UNTIL=20270503"], [1, 2, 3, 8, 15]),
            (["RRULE:FREQ=DAILY;COUNT=6", "EXRULE:FREQ=DAILY;INTERVAL=2"], [2, 4, 6]),
            // The start is none of the times of a rule for Mondays, which are 3 and 10 May.
            (["RRULE:FREQ=DAILY;COUNT=4", "EXRULE:FREQ=WEEKLY;BYDAY=MO"], [1, 2, 4]),
            (["RRULE:FREQ=DAILY;COUNT=10", "EXRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=1"], [1, 2, 4, 5, 6, 7, 8, 9, 10]),
            (["RRULE:FREQ=DAILY;COUNT=4", "EXRULE:FREQ=DAILY;UNTIL=20270502T090000Z"], [3, 4]),
            (["RRULE:FREQ=DAILY;COUNT=2", "RDATE:20270503T090000Z", "EXRULE:FREQ=DAILY;INTERVAL=2"], [2]),
            (["RRULE:FREQ=DAILY;COUNT=4", "EXRULE:FREQ=DAILY;INTERVAL=3", "EXRULE:FREQ=DAILY;BYDAY=SU"], [3]),
        ])
    func severalRules(lines: [String], days: [Int]) throws {
        let calendar = try Self.items((["DTSTART:20270501T090000Z"] + lines).joined(separator: "\n"))
        let starts = calendar.entries.compactMap { $0.item.start??.localISO8601 }
        #expect(starts == days.map { "2027-05-\($0 < 10 ? "0" : "")\($0)T09:00:00Z" })
        #expect(calendar.warnings.texts == [])
    }

    @Test("The times of further rules have names of their own, so those of the first rule keep theirs")
    func namesOfSeveralRules() throws {
        let first = "DTSTART:20270501T090000Z\nRRULE:FREQ=WEEKLY;COUNT=2"
        #expect(try Self.items(first).entries.map(\.externalID) == ["1@test", "1@test#1"])
        let both = try Self.items(first + "\nRRULE:FREQ=DAILY;COUNT=2")
        #expect(both.entries.map(\.externalID) == ["1@test", "1@test#2027-05-02T09:00:00Z", "1@test#1"])
        let excluded = try Self.items(first + "\nEXRULE:FREQ=DAILY;COUNT=1")
        #expect(excluded.entries.map(\.externalID) == ["1@test#1"])
        #expect(excluded.cancellations.map(\.externalID) == ["1@test"])
    }

    @Test("Several rules and exclusions are bounded together, and a rule that cannot be followed is named")
    func boundsOfSeveralRules() throws {
        let endless = try Self.items(
            "DTSTART:20270501T090000Z\nRRULE:FREQ=DAILY\nRRULE:FREQ=DAILY;BYHOUR=12\nEXRULE:FREQ=MINUTELY;BYHOUR=9")
        #expect(endless.entries.count + endless.cancellations.count == CalendarLimits().mostInstances)
        #expect(endless.entries.allSatisfy { $0.item.start??.localISO8601.hasSuffix("T12:00:00Z") == true })
        #expect(endless.warnings.texts.contains { $0.contains("400 times") })
        let wrong = try Self.items("DTSTART:20270501T090000Z\nRRULE:FREQ=DAILY;COUNT=2\nRRULE:FREQ=NEVER\nEXRULE:x")
        #expect(wrong.entries.count == 2)
        #expect(
            wrong.warnings.texts.contains { $0.contains("an RRULE cannot be followed: the times of the event's other") }
        )
        #expect(wrong.warnings.texts.contains { $0.contains("an EXRULE cannot be followed") })
        // Each with its own line, "line 6: an RRULE …".
        let lines = wrong.warnings.texts.compactMap { Int($0.dropFirst(5).prefix { $0.isNumber }) }
        #expect(lines.count == 2 && lines.first.map { $0 + 1 } == lines.last)
    }

    @Test("A rule that ended before its event begins leaves none of its times")
    func endedBefore() throws {
        #expect(try Self.items("DTSTART:20270501T090000Z\nRRULE:FREQ=DAILY;UNTIL=20270430T090000Z").entries.isEmpty)
    }

    @Test("A rule that another program gives an item of a store adds items, and the item stays itself")
    func ruleOfOwn() throws {
        let id = Activity.ID.new()
        let calendar = try CalendarItems(
            reading: CalendarSample.calendar(
                "BEGIN:VEVENT\nUID:\(CalendarNames.uid(id.reference))\nSUMMARY:x\nX-TRIPSTORE-STAGE:planned\n"
                    + "DTSTART:20270501T090000Z\nRRULE:FREQ=DAILY;COUNT=2\nEND:VEVENT"), zone: "UTC")
        #expect(
            calendar.entries.map(\.own) == [id.reference, nil] && Set(calendar.entries.map(\.externalID)).count == 2)
    }
}
