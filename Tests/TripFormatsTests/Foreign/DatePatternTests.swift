import Testing
import TripStore

@testable import TripFormats

@Suite("Days and times of tables")
struct DatePatternTests {
    /// The time in a form that is easy to write down: the day, the second, then what else the text says.
    private static func read(_ text: String, _ pattern: String) throws -> String? {
        try #require(DatePattern(pattern)).parse(text).map { time in
            var words = [time.day.map { "\($0)" } ?? "-"]
            if let milliseconds = time.milliseconds {
                words.append("\(milliseconds / 1000)" + (milliseconds % 1000 == 0 ? "" : ".\(milliseconds % 1000)"))
            }
            if let offset = time.offset { words.append("offset \(offset)") }
            if let zone = time.zone { words.append(zone) }
            if let shift = time.shift { words.append("days \(shift)") }
            return words.joined(separator: " ")
        }
    }

    @Test(
        "Days and times are read as their pattern says",
        arguments: [
            ("yyyy-MM-dd", "2027-05-01", "2027-05-01"), ("M/d/yyyy h:mm a", "5/1/2027 12:05 am", "2027-05-01 300"),
            ("M/d/yyyy h:mm a", "5/1/2027 12:05 PM", "2027-05-01 43500"),
            ("M/d/yyyy h:mm a", "5/1/2027 9:30\u{202F}p.m.", "2027-05-01 77400"),
            ("dd.MM.yyyy HH:mm:ss", "01.05.2027 23:59:59", "2027-05-01 86399"),
            ("yyyy-MM-dd", "2027-5-1", nil), ("d.M.yyyy", "31.4.2027", nil),
            ("yyyy-MM-dd HH:mm", "2027-05-01 24:00", "2027-05-01 0 days 1"),
            ("yyyy-MM-dd HH:mm", "2027-05-01 24:01", nil),
            ("d.M.yy", "1.5.27", "2027-05-01"), ("d.M.yy", "1.5.69", "1969-05-01"), ("d.M.yy", "1.5.2027", nil),
            ("EEE d.M.yyyy", "Sat 1.5.2027", "2027-05-01"), ("HH:mm", "09:30", "- 34200"),
            ("yyyy年M月d日", "2027年5月1日", "2027-05-01"), ("yyyy-MM-dd", "\u{200E}2027–05–01", "2027-05-01"),
        ])
    func patterns(pattern: String, text: String, expected: String?) throws {
        #expect(try Self.read(text, pattern) == expected)
    }

    @Test(
        "Months in words are read in many languages, and abbreviations of one month alone",
        arguments: [
            ("d MMM yyyy", "1 May 2027", 5), ("d MMM yyyy", "1 Mai 2027", 5), ("d. MMMM yyyy", "1. März 2027", 3),
            ("d MMM yyyy", "1 Sept. 2027", 9), ("d MMMM yyyy", "1 août 2027", 8), ("d MMMM yyyy", "1 aout 2027", 8),
            ("d MMMM yyyy", "1 maja 2027", 5), ("d MMMM yyyy", "1 toukokuuta 2027", 5),
            ("d MMMM yyyy", "1 мая 2027", 5),
            ("EEEE, d 'de' MMMM 'de' yyyy", "sábado, 1 de mayo de 2027", 5), ("MMM d, yyyy", "DEC 1, 2027", 12),
            ("d MMM yyyy", "1 fe\u{301}vrier 2027", 2), ("dd-MMM-yy", "01-May--27", nil),
            ("dd-MMM-yy", "01-May-27", 5), ("d-MMM-yyyy", "1-MAI-2027", 5), ("EEE-d-MMM-yyyy", "Sat-1-May-2027", 5),
            ("EEEE, d MMM yyyy", "segunda-feira, 1 mar 2027", 3), ("d MMM yyyy", "1 ma 2027", nil),
            ("d MMM yyyy", "1 jui 2027", nil), ("d MMM yyyy", "1 Foo 2027", nil),
        ])
    func months(pattern: String, text: String, month: Int?) throws {
        #expect(
            try #require(DatePattern(pattern)).parse(text)?.day == month.flatMap { Day(year: 2027, month: $0, day: 1) })
    }

    @Test(
        "Behind a time may be a fraction, an offset, a zone and a number of days",
        arguments: [
            ("09:30:00Z", "34200 offset 0"), ("09:30:00+02:00", "34200 offset 7200"),
            ("09:30:00 -0530", "34200 offset -19800"),
            ("09:30:00+02", "34200 offset 7200"), ("09:30:00 GMT+1", "34200 offset 3600"),
            ("09:30:00.250", "34200.250"),
            ("09:30:00,5Z", "34200.500 offset 0"), ("09:30:00 Europe/Lisbon", "34200 Europe/Lisbon"),
            ("09:30:00+01:00 Europe/Lisbon", "34200 offset 3600 Europe/Lisbon"),
            ("09:30:00+01:00[Europe/Lisbon]", "34200 offset 3600 Europe/Lisbon"), ("09:30:00 +1", "34200 days 1"),
            ("09:30:00(+2)", "34200 days 2"), ("09:30:00⁺¹", "34200 days 1"), ("09:30:00 -1", "34200 days -1"),
            ("09:30:00 +1 day", "34200 days 1"), ("09:30:00 +25:00", nil), ("09:30:00 No/Where", nil),
            ("09:30:00 x", nil),
        ])
    func suffixes(text: String, expected: String?) throws {
        #expect(try Self.read("2027-05-01 " + text, "yyyy-MM-dd HH:mm:ss") == expected.map { "2027-05-01 " + $0 })
    }

    @Test(
        "A pattern that could not be read, or has a part twice, is none",
        arguments: [
            "", "dd.MM", "yyyy-MM-dd mm", "yyyy-MM-dd h:mm", "yyyy-MM-dd HH:hh a", "yyyy yyyy MM dd", "QQ yyyy-MM-dd",
            "x",
        ])
    func unusable(pattern: String) { #expect(DatePattern(pattern) == nil) }

    private static let journeys =
        #"{"source":"x","columns":{"name":"n","start":["d","a"],"end":["d","b"],"zone":"z","endZone":"y"}}"#

    @Test(
        "An end that has its day from the start is on the next day if its clock shows less, and there is none if the row has no time of it",
        arguments: [
            ("2027-06-01,22:20,00:20,Europe/London,Europe/Madrid", "2027-06-02T00:20:00+02:00"),
            ("2027-06-01,22:20,00:20+1,Europe/London,Europe/Madrid", "2027-06-02T00:20:00+02:00"),
            ("2027-06-01,22:20,00:20 +2,Europe/London,Europe/Madrid", "2027-06-03T00:20:00+02:00"),
            ("2027-06-01,18:00,11:00,Asia/Tokyo,America/Los_Angeles", "2027-06-01T11:00:00-07:00"),
            ("2027-06-02,00:30,10:00 -1,Pacific/Auckland,Pacific/Honolulu", "2027-06-01T10:00:00-10:00"),
            ("2027-06-01,22:20,,Europe/London,Europe/Madrid", nil),
            ("2027-06-01,22:20,n/a,Europe/London,Europe/Madrid", nil),
        ])
    func overnight(row: String, end: String?) throws {
        let table = try TableItems(
            reading: Array("n,d,a,b,z,y\nZZ 1,\(row)\n".utf8), TableMapping(json: Array(Self.journeys.utf8)),
            zone: "UTC",
            currency: "EUR")
        let item = try #require(table.entries.first?.item, "\(table.faults)")
        #expect((item.end ?? nil)?.localISO8601 == end && item.endDay == .some(nil) && item.start != .some(nil))
    }

    @Test("A time alone is of the day of the start, and an end with a day of its own stays before a start")
    func ends() throws {
        let mapping = try TableMapping(
            json: Array(#"{"source":"x","columns":{"name":"n","start":"a","end":"b"}}"#.utf8))
        let text = "n,a,b\n1,2027-05-01 22:00,01:00\n2,2027-05-01 22:00,2027-05-01 01:00\n3,22:00,23:00\n"
        let table = try TableItems(reading: Array(text.utf8), mapping, zone: "UTC", currency: "EUR")
        #expect(
            table.entries.map { ($0.item.end ?? nil)?.localISO8601 } == [
                "2027-05-02T01:00:00Z", "2027-05-01T01:00:00Z",
            ])
        #expect(table.faults.map { $0.place?.description } == ["line 4, column 3"])
    }
}
