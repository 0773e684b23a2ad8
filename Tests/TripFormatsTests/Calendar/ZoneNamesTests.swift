import Testing
import TripStore

@testable import TripFormats

@Suite("Names of zones in calendars")
struct ZoneNamesTests {
    private static func start(_ zone: String, _ time: String = "20270612T100000", definition: String = "") throws
        -> String?
    {
        let zoneLines = definition.isEmpty ? "" : "BEGIN:VTIMEZONE\nTZID:\(zone)\n\(definition)\nEND:VTIMEZONE\n"
        let calendar = try CalendarItems(
            reading: CalendarSample.calendar(
                zoneLines + "BEGIN:VEVENT\nUID:1@test\nSUMMARY:x\nDTSTART;TZID=\"\(zone)\":\(time)\nEND:VEVENT"),
            zone: "Pacific/Fiji")
        return (calendar.entries.first?.item.start ?? nil)?.description
    }

    @Test(
        "A name that says a zone, an offset or places is taken for the zone that it means",
        arguments: [
            ("Z", "Z UTC"), ("Etc/UTC", "Z Etc/UTC"), ("+0200", "+02:00 Etc/GMT-2"), ("-05:00", "-05:00 Etc/GMT+5"),
            ("UTC+2", "+02:00 Etc/GMT-2"), ("GMT+02:00", "+02:00 Etc/GMT-2"), ("GMT -5", "-05:00 Etc/GMT+5"),
            ("UTC+5:30", "+05:30 GMT+0530"), ("Etc/GMT-2", "+02:00 Etc/GMT-2"), ("UTC+14", "+14:00 Etc/GMT-14"),
            ("-0330", "-03:30 GMT-0330"), ("europe/berlin", "+02:00 Europe/Berlin"),
            ("America/New York", "-04:00 America/New_York"), ("Europe/Berlin 1", "+02:00 Europe/Berlin"),
            ("America/New_York_1", "-04:00 America/New_York"), ("Eastern Standard Time 1", "-04:00 America/New_York"),
            ("W. Europe Standard Time (2)", "+02:00 Europe/Berlin"),
            ("South Sudan Standard Time", "+02:00 Africa/Juba"),
            ("Volgograd Standard Time", "+03:00 Europe/Volgograd"), ("Romance Daylight Time", "+02:00 Europe/Paris"),
            ("/freeassociation.sourceforge.net/Europe/Paris", "+02:00 Europe/Paris"),
            ("/mozilla.org/20050126_1/Europe/Berlin", "+02:00 Europe/Berlin"),
            ("/citadel.org/20190914_1/America/Argentina/Salta", "-03:00 America/Argentina/Salta"),
            ("http://www.tzurl.org/zoneinfo/Europe/Berlin", "+02:00 Europe/Berlin"), ("tzone://Microsoft/Utc", "Z UTC"),
            ("(UTC-05:00) Eastern Time (US & Canada)", "-05:00 Etc/GMT+5"),
            ("(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", "+01:00 Etc/GMT-1"),
            ("(GMT+01.00) Sarajevo/Warsaw/Zagreb", "+01:00 Etc/GMT-1"), ("(UTC-05:00)", "-05:00 Etc/GMT+5"),
            ("(GMT-08.00) Pacific Time (US & Canada)/Tijuana", "-08:00 Etc/GMT+8"),
            // What is written counts, whatever the place has.
            ("(UTC+04:00) Volgograd", "+04:00 Etc/GMT-4"), ("Tokyo, Osaka, Sapporo", "+09:00 Asia/Tokyo"),
            ("Nowhere/Else", "+12:00 Pacific/Fiji"), ("Home", "+12:00 Pacific/Fiji"),
        ])
    func names(name: String, expected: String) throws {
        #expect(try Self.start(name) == "2027-06-12T10:00:00\(expected)")
    }

    @Test("Every name of Windows leads to a zone that the platform knows")
    func windows() {
        #expect(WindowsZones.names.count > 140)
        for (name, zone) in WindowsZones.names { #expect(ZoneNames.listed(zone) != nil, "\(name): \(zone)") }
    }

    private static func observance(_ kind: String, _ from: String, _ to: String, _ rule: String = "") -> String {
        "BEGIN:\(kind)\nDTSTART:20000101T020000\nTZOFFSETFROM:\(from)\nTZOFFSETTO:\(to)"
            + (rule.isEmpty ? "" : "\nRRULE:FREQ=YEARLY;\(rule)") + "\nEND:\(kind)"
    }

    @Test("A zone that only the calendar defines is the one with its rules, or keeps the clocks of its offsets")
    func definitions() throws {
        let time = "2027-06-12T10:00:00"
        let american = [
            Self.observance("STANDARD", "-0400", "-0500", "BYMONTH=11;BYDAY=1SU"),
            Self.observance("DAYLIGHT", "-0500", "-0400", "BYMONTH=3;BYDAY=2SU"),
        ].joined(separator: "\n")
        #expect(try Self.start("Custom", definition: american) == "\(time)-04:00 America/New_York")
        for (offset, zone) in [("+1400", "+14:00 Etc/GMT-14"), ("-0330", "-03:30 GMT-0330")] {
            let fixed = Self.observance("STANDARD", offset, offset)
            #expect(try Self.start("own-\(offset)", definition: fixed) == "\(time)\(zone)")
        }
        // The name says a zone that has these offsets, and one that has not.
        let nine = Self.observance("STANDARD", "+0900", "+0900")
        #expect(
            try Self.start("(UTC-05:00) Eastern Time (US & Canada)", definition: american)
                == "\(time)-04:00 America/New_York")
        #expect(try Self.start("(UTC+09:00) Seoul", definition: nine) == "\(time)+09:00 Asia/Seoul")
        #expect(try Self.start("(UTC+01:00) Berlin", definition: nine) == "\(time)+09:00 Etc/GMT-9")
        // Summer time of no zone.
        let own = [
            Self.observance("STANDARD", "+0217", "+0117", "BYMONTH=10;BYDAY=-1SU"),
            Self.observance("DAYLIGHT", "+0117", "+0217", "BYMONTH=3;BYDAY=-1SU"),
        ].joined(separator: "\n")
        #expect(try Self.start("Custom", definition: own) == "\(time)+02:17 GMT+0217")
        let winter = "2027-12-12T10:00:00+01:17 GMT+0117"
        #expect(try Self.start("Custom", "20271212T100000", definition: own) == winter)
    }

    @Test("An offset behind a time is that of its clock")
    func writtenOffsets() throws {
        #expect(try Self.start("Europe/Berlin", "20270612T100000-0330") == "2027-06-12T10:00:00-03:30 GMT-0330")
        #expect(CalendarTime("20270612T100000+2500") == nil && CalendarTime("20270612T100000+") == nil)
    }

    @Test(
        "A zone that is an offset alone is shown by the sign that people know",
        arguments: [
            ("Etc/GMT-14", "UTC+14"), ("Etc/GMT+5", "UTC-5"), ("GMT-0330", "UTC-3:30"), ("Etc/GMT", "GMT time"),
            ("Europe/Lisbon", "Lisbon time"),
        ])
    func words(zone: String, words: String) { #expect(Itinerary.Place(city: "", zone: zone).words == words) }
}
