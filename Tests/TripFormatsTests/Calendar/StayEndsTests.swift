import Testing
import TripStore

@testable import TripFormats

@Suite("Check-ins and check-outs in calendars")
struct StayEndsTests {
    private static func items(_ events: (String, String)...) throws -> CalendarItems {
        let text = events.enumerated().map { index, event in
            "BEGIN:VEVENT\nUID:\(index)@test\nSUMMARY:\(event.0)\n\(event.1)\nEND:VEVENT"
        }
        return try CalendarItems(reading: CalendarSample.calendar(text.joined(separator: "\n")), zone: "UTC")
    }

    private static func words(_ calendar: CalendarItems) -> [String] {
        calendar.entries.map { entry in
            let days = entry.item.days.map { "\($0.lowerBound) \($0.upperBound)" } ?? ""
            return "\(entry.externalID) \(entry.item.kind) \(entry.item.name) \(days)"
        }
    }

    private static func day(_ day: Int, nights: Int = 1) -> String {
        "DTSTART;VALUE=DATE:\(20_270_500 + day)\nDTEND;VALUE=DATE:\(20_270_500 + day + nights)"
    }

    private static func hour(_ day: Int, _ hour: Int) -> String {
        "DTSTART:\(20_270_500 + day)T\(hour)0000Z\nDTEND:\(20_270_500 + day)T\(hour + 1)0000Z"
    }

    @Test(
        "A check-in and a check-out of one name are one stay",
        arguments: [
            ("Check-in: Hotel Sol", "Check-out: Hotel Sol"), ("Check in at Hotel Sol", "Check out of Hotel Sol"),
            ("Hotel Sol (check-in)", "Hotel Sol (check-out)"), ("Anreise: Hotel Sol", "Abreise: Hotel Sol"),
            ("CHECKIN hotel sol", "checkout Hotel Sol"),
        ])
    func joined(first: String, last: String) throws {
        let days = try Self.items((last, Self.day(5)), (first, Self.day(1)))
        #expect(Self.words(days).map { $0.lowercased() } == ["1@test lodging hotel sol 2027-05-01 2027-05-05"])
        let times = try Self.items((first, Self.hour(1, 14)), (last, Self.hour(5, 10)))
        let item = try #require(times.entries.first?.item)
        #expect(times.entries.count == 1 && item.start??.localISO8601 == "2027-05-01T14:00:00Z")
        #expect(item.end??.localISO8601 == "2027-05-05T10:00:00Z" && item.startDay == .some(nil))
        #expect(times.skipped == 0 && times.warnings.texts.contains { $0.contains("taken for one stay") })
        let mixed = try Self.items((first, Self.hour(1, 14)), (last, Self.day(5)))
        #expect(Self.words(mixed).map { $0.lowercased() } == ["0@test lodging hotel sol 2027-05-01 2027-05-05"])
    }

    @Test(
        "A check-out that is earlier than its check-in, by the clocks of another zone a day later, leaves a stay of whole days"
    )
    func zones() throws {
        let calendar = try Self.items(
            ("Check-in: Ship", "DTSTART;TZID=Pacific/Pago_Pago:20270501T230000"),
            ("Check-out: Ship", "DTSTART;TZID=Pacific/Kiritimati:20270502T003000"))
        #expect(Self.words(calendar) == ["0@test lodging Ship 2027-05-01 2027-05-02"])
        #expect(calendar.entries.first?.item.start == .some(nil) && calendar.entries.first?.item.end == .some(nil))
    }

    @Test("Stays at one place, one after the other, are each their own")
    func several() throws {
        let (first, last) = ("Check-in: Inn", "Check-out: Inn")
        let calendar = try Self.items(
            (first, Self.day(1)), (last, Self.day(3)), (first, Self.day(3)), (last, Self.day(6)),
            ("Check-in: Hotel B", Self.day(6)))
        #expect(
            Self.words(calendar) == [
                "0@test lodging Inn 2027-05-01 2027-05-03", "2@test lodging Inn 2027-05-03 2027-05-06",
                "4@test lodging Check-in: Hotel B 2027-05-06 2027-05-07",
            ])
    }

    @Test("A check-out without its check-in takes no night, and a stay that is whole stays as it is")
    func alone() throws {
        let calendar = try Self.items(
            ("Check-out: Inn", Self.day(3)), ("Check-in: Hotel B", Self.day(4)), ("Check-out: Hotel C", Self.day(6)),
            ("Check-out of Hotel D by 11", Self.day(10, nights: 4)),
            ("Hotel E: check-in 15:00, check-out 11:00", Self.day(20)), ("Hotel F, late check-out", Self.day(25)))
        #expect(
            Self.words(calendar) == [
                "0@test activity Check-out: Inn 2027-05-03 2027-05-03",
                "1@test lodging Check-in: Hotel B 2027-05-04 2027-05-05",
                "2@test activity Check-out: Hotel C 2027-05-06 2027-05-06",
                "3@test lodging Check-out of Hotel D by 11 2027-05-10 2027-05-14",
                "4@test lodging Hotel E: check-in 15:00, check-out 11:00 2027-05-20 2027-05-21",
                "5@test lodging Hotel F, late check-out 2027-05-25 2027-05-26",
            ])
        #expect(calendar.warnings.texts.contains { $0.contains("without its check-in") && $0.contains("(2 times)") })
    }

    @Test(
        "A stay of a day and a time of leaving comes back as it was from a calendar of this version and of an earlier one",
        arguments: [
            ("LEAVING", "20271101", "2027-10-30 – end"), ("EXACT", "20271102", "2027-10-30 – end"),
            ("EXACT", "20271101", "2027-10-30 – end"), ("LEAVING", "20271102", "2027-10-30 2027-11-02 –"),
            // Another program added a night.
            ("EXACT", "20271103", "2027-10-30 2027-11-02 –"),
        ])
    func dayAndLeaving(times: String, end: String, fields: String) throws {
        let calendar = try CalendarItems(
            reading: CalendarSample.calendar(
                """
                BEGIN:VEVENT
                UID:\(CalendarNames.uid(Lodging.ID.new().reference))
                SUMMARY:Inn
                DTSTART;VALUE=DATE:20271030
                DTEND;VALUE=DATE:\(end)
                X-TRIPSTORE-STAGE:planned
                X-TRIPSTORE-TIMES:\(times)
                X-TRIPSTORE-START-DAY:2027-10-30
                X-TRIPSTORE-END:2027-11-01T10:00:00Z Europe/Lisbon
                END:VEVENT
                """), zone: "UTC")
        let item = try #require(calendar.entries.first).item
        let days = [item.startDay ?? nil, item.endDay ?? nil].map { $0.map { "\($0)" } ?? "–" }
        let leaves =
            (item.end ?? nil).map { $0.localISO8601 == "2027-11-01T10:00:00Z" ? "end" : $0.localISO8601 } ?? "–"
        #expect((days + [leaves]).joined(separator: " ") == fields)
    }
}
