import Testing
import TripStore

@testable import TripFormats

@Suite("Nights of stays in calendars")
struct StayNightsTests {
    private static func stay(_ uid: String, _ lines: String) -> String {
        "BEGIN:VEVENT\nUID:\(uid)@test\nSUMMARY:Hotel Roma\n\(lines)\nEND:VEVENT\n"
    }

    private static func days(_ events: String...) throws -> [String] {
        let calendar = try CalendarItems(reading: CalendarSample.calendar(events.joined()), zone: "Europe/Rome")
        return calendar.entries.map { entry in
            [entry.item.startDay, entry.item.endDay].map { ($0 ?? nil)?.description ?? "none" }.joined(separator: " ")
        }
    }

    private static let start = "DTSTART;VALUE=DATE:20270624"

    @Test(
        "The day of leaving is DTEND, unless the event says how many nights it has or when one leaves",
        arguments: [
            ("DTEND;VALUE=DATE:20270628", "2027-06-28"),
            ("DTEND;VALUE=DATE:20270628\nDESCRIPTION:4 nights", "2027-06-28"),
            ("DTEND;VALUE=DATE:20270629\nDESCRIPTION:[Lodging] 4 nights", "2027-06-28"),
            ("DTEND;VALUE=DATE:20270629\nDESCRIPTION:Rooms: 1\\nNights: 4", "2027-06-28"),
            ("DTEND;VALUE=DATE:20270627\nDESCRIPTION:4 Nächte", "2027-06-28"),
            ("DURATION:P5D\nDESCRIPTION:4 noches", "2027-06-28"), ("DESCRIPTION:Stay: 4 nights", "2027-06-28"),
            ("DTEND;VALUE=DATE:20270629\nDESCRIPTION:Check-out: 28/06/2027", "2027-06-28"),
            ("DTEND;VALUE=DATE:20270629\nDESCRIPTION:Departure: Jun 28\\, 2027", "2027-06-28"),
            // Other numbers of nights, in sentences or too many, say nothing.
            ("DTEND;VALUE=DATE:20270629\nDESCRIPTION:You pay 4 nights in advance", "2027-06-29"),
            ("DTEND;VALUE=DATE:20270625\nDESCRIPTION:Night 2 of 4", "2027-06-25"),
            ("DTEND;VALUE=DATE:20270628\nDESCRIPTION:10 nights", "2027-06-28"),
            ("DTEND;VALUE=DATE:20270625\nDESCRIPTION:Nights: 0", "2027-06-25"),
        ])
    func said(lines: String, end: String) throws {
        #expect(try Self.days(Self.stay("a", "\(Self.start)\n\(lines)")) == ["2027-06-24 \(end)"])
    }

    @Test("The stays of a calendar that say nothing are read as the others of it, if these agree")
    func ofCalendar() throws {
        let silent = Self.stay("c", "DTSTART;VALUE=DATE:20270628\nDTEND;VALUE=DATE:20270701")
        let counted = Self.stay("a", "\(Self.start)\nDTEND;VALUE=DATE:20270629\nDESCRIPTION:4 nights")
        let plain = Self.stay("b", "\(Self.start)\nDTEND;VALUE=DATE:20270628\nDESCRIPTION:4 nights")
        #expect(try Self.days(counted, silent) == ["2027-06-24 2027-06-28", "2027-06-28 2027-06-30"])
        #expect(try Self.days(plain, silent) == ["2027-06-24 2027-06-28", "2027-06-28 2027-07-01"])
        #expect(try Self.days(counted, plain, silent).last == "2027-06-28 2027-07-01")
    }

    @Test("A stay from midnight to midnight in UTC has whole days, and one with times of day keeps these")
    func midnights() throws {
        let days = try Self.days(Self.stay("a", "DTSTART:20270624T000000Z\nDTEND:20270628T000000Z"))
        #expect(days == ["2027-06-24 2027-06-28"])
        let calendar = try CalendarItems(
            reading: CalendarSample.calendar(
                Self.stay("a", "DTSTART;TZID=Europe/Rome:20270624T150000\nDTEND;TZID=Europe/Rome:20270628T110000")),
            zone: "UTC")
        let item = try #require(calendar.entries.first?.item)
        #expect(item.start??.localDay == Day(2027, 6, 24) && item.end??.localDay == Day(2027, 6, 28))
    }
}
