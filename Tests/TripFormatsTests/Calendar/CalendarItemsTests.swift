import Testing
import TripStore

@testable import TripFormats

@Suite("Items of calendars")
struct CalendarItemsTests {
    private static func items(_ bytes: [UInt8]) throws -> CalendarItems {
        try CalendarItems(reading: bytes, zone: "UTC")
    }

    private static func time(_ moment: Moment??) -> String? { moment??.description }

    @Test("A planner's calendar: a flight, a stay of whole days, a meal and a cancelled train")
    func planner() throws {
        let calendar = try Self.items(CalendarSample.bytes("calendars/tripit-style.ics"))
        #expect(calendar.name == "Lisbon and Porto" && calendar.warnings.isEmpty && calendar.skipped == 0)
        let items = calendar.entries.map(\.item)
        #expect(items.map(\.kind) == [.transportation, .lodging, .activity, .transportation])
        let (flight, stay, meal, train) = (items[0], items[1], items[2], items[3])
        #expect(
            flight.mode == .plane && flight.number == "TP 555" && flight.reservation == "QX7R2P"
                && flight.stage == .booked)
        #expect(flight.departure?.code == "FRA" && flight.arrival?.code == "LIS")
        #expect(flight.departure?.coordinates == Coordinates(latitude: 50.033333, longitude: 8.570556))
        #expect(Self.time(flight.start) == "2027-05-01T07:35:00Z UTC")
        #expect(flight.links == [Link("https://itineraries.example/trip/1")])
        #expect(stay.startDay == Day(2027, 5, 1) && stay.endDay == Day(2027, 5, 5) && stay.reservation == "88231547")
        #expect(stay.address??.formatted == "Beco da Achada 2, 1100-003 Lisboa, Portugal")
        #expect(stay.notes?.hasSuffix("X-room-type: Double, courtyard") == true)
        #expect(Self.time(meal.end) == "2027-05-03T23:00:00+01:00 Europe/Lisbon" && meal.stage == .idea)
        #expect(train.mode == .train && train.stage == .cancelled && train.reservation == "CP-99120")
    }

    @Test("A time in UTC has the zone in which the calendar is shown, but for a journey, which is at two places")
    func shownZone() throws {
        let text = """
            BEGIN:VCALENDAR
            X-WR-TIMEZONE:Europe/Berlin
            BEGIN:VEVENT
            UID:1
            SUMMARY:ZZ 711 FRA to HND
            DTSTART:20270502T093500Z
            DTEND:20270502T231500Z
            END:VEVENT
            BEGIN:VEVENT
            UID:2
            SUMMARY:Lunch
            DTSTART:20270502T093500Z
            END:VEVENT
            BEGIN:VEVENT
            UID:3
            SUMMARY:Train to Rome
            DTSTART;TZID=Europe/Rome:20270502T093500
            DURATION:PT1H
            END:VEVENT
            END:VCALENDAR
            """
        let items = try Self.items(Array(text.utf8)).entries.map(\.item)
        #expect(items.map { $0.start??.zone } == ["UTC", "Europe/Berlin", "Europe/Rome"])
        #expect(items.map { $0.end??.zone } == ["UTC", nil, "Europe/Rome"])
    }

    @Test(
        "What cannot be used is warned of with its reason",
        arguments: [
            ("DTSTART:20270501T090000Z\nGEO:nan;1", "a GEO is left out, for it is no place on Earth"),
            ("DTSTART:20270501T090000Z\nGEO:91;1", "a GEO is left out, for it is no place on Earth"),
            ("DTSTART:99991231T220000Z\nDURATION:PT5H", "a DURATION is left out, for it ends beyond the year 9999"),
            ("DTSTART:20270501T090000Z\nDURATION:soon", "a DURATION is left out, for it is none"),
        ])
    func leftOut(lines: String, warning: String) throws {
        let calendar = try Self.items(CalendarSample.event(lines))
        #expect(calendar.entries.count == 1)
        #expect(calendar.warnings.texts.map { $0.split(separator: ": ").last.map(String.init) } == [warning])
    }

    @Test("An airline's calendar: each end in the zone of its place, and a zone by its name in Windows")
    func airline() throws {
        let calendar = try Self.items(CalendarSample.bytes("calendars/airline-style.ics"))
        let items = calendar.entries.map(\.item)
        #expect(items.map(\.number) == ["LH 1782", "LH 1783"])
        #expect(Self.time(items[0].start) == "2027-06-12T14:25:00+02:00 Europe/Warsaw")
        #expect(Self.time(items[0].end) == "2027-06-12T16:20:00+01:00 Europe/Lisbon")
        #expect(items[0].reservation == "QK4J7T" && items[0].links == [Link("https://airline.example/boarding/QK4J7T")])
        #expect(
            calendar.warnings.texts == [
                "line 32: an alarm is left out",
                "line 20: the zone \"Central European Standard Time\" is taken for Europe/Warsaw",
            ])
    }

    @Test("A hotel's calendar: a zone by its offsets, and a breakfast that recurs, with one left out and one moved")
    func hotel() throws {
        let calendar = try Self.items(CalendarSample.bytes("calendars/hotel-style.ics"))
        let items = calendar.entries.map(\.item)
        #expect(items.map(\.kind) == [.lodging, .activity, .activity, .activity])
        #expect(Self.time(items[0].start) == "2027-07-10T15:00:00+02:00 Europe/Berlin")
        #expect(items[0].notes?.contains("Organizer: Hotel am Hof, mailto:desk@hotel.example") == true)
        #expect(
            items.dropFirst().map { Self.time($0.start) } == [
                "2027-07-11T07:00:00+02:00 Europe/Berlin", "2027-07-14T07:00:00+02:00 Europe/Berlin",
                "2027-07-12T08:00:00+02:00 Europe/Berlin",
            ])
        let names = calendar.entries.map(\.externalID)
        #expect(
            names.dropFirst() == [
                "breakfast-5530129@rooms.example", "breakfast-5530129@rooms.example#3",
                "breakfast-5530129@rooms.example#1",
            ])
    }

    @Test(
        "What is to be known of a zone is found, or warned of",
        arguments: [
            ("Europe/Lisbon", "", "Europe/Lisbon", 0),
            ("/tool.example/Zones/America/Buenos_Aires", "", "America/Buenos_Aires", 1),
            ("W. Europe Standard Time", "", "Europe/Berlin", 1),
            ("Home", "X-LIC-LOCATION:Asia/Tokyo\n", "Asia/Tokyo", 1),
            (
                "Home", "BEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:-0300\nTZOFFSETTO:-0300\nEND:STANDARD\n",
                "Etc/GMT+3", 1
            ),
            (
                "Home", "BEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0545\nTZOFFSETTO:+0545\nEND:STANDARD\n",
                "Asia/Kathmandu", 1
            ),
            (
                "Home", "BEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0117\nTZOFFSETTO:+0117\nEND:STANDARD\n",
                "GMT+0117", 1
            ),
            ("Nowhere/Else", "", "UTC", 1),
        ])
    func zones(name: String, definition: String, zone: String, warnings: Int) throws {
        let zoneLines = definition.isEmpty ? "" : "BEGIN:VTIMEZONE\nTZID:\(name)\n\(definition)END:VTIMEZONE\n"
        let calendar = try Self.items(
            CalendarSample.calendar(
                zoneLines + "BEGIN:VEVENT\nUID:1\nSUMMARY:x\nDTSTART;TZID=\(name):20270501T120000\nEND:VEVENT"))
        let start = calendar.entries.first?.item.start ?? nil
        #expect(start?.zone == zone && calendar.warnings.texts.count == warnings)
        // Of a zone that nothing else has the offset counts.
        if definition.contains("+0117") { #expect(start?.localISO8601 == "2027-05-01T12:00:00+01:17") }
    }

    @Test(
        "Times that are none leave their event out; other ends are left out alone",
        arguments: [
            ("DTSTART:00000501T120000", 0), ("DTSTART:100000501T120000", 0), ("DTSTART:20270230", 0), ("DTSTART:", 0),
            ("DTSTART;TZID=Europe/Lisbon:20270501T240000", 0), ("SUMMARY:None", 0), ("DTSTART:99991231T235959Z", 1),
            ("DTSTART:00010101", 1), ("DTSTART:20270501T120000Z\nDTEND:20270501", 1),
            ("DTSTART:20270501T120000Z\nDURATION:-PT1H", 1),
            ("DTSTART:20270501T120000Z\nDURATION:P99999999999999999999D", 1),
            ("DTSTART;VALUE=DATE:99991231\nDURATION:P9D", 1), ("DTSTART:20270501T120000Z\nDTEND:20270501T110000Z", 1),
        ])
    func oddTimes(lines: String, count: Int) throws {
        let calendar = try Self.items(CalendarSample.event(lines))
        #expect(calendar.entries.count == count && calendar.skipped == 1 - count)
        for entry in calendar.entries { #expect((entry.item.end ?? nil) == nil) }
        if count == 0 { #expect(calendar.warnings.texts.count == 1) }
    }

    @Test("An event that recurs for ever is cut at two years or 400 times, with a warning")
    func forEver() throws {
        let daily = try Self.items(CalendarSample.event("DTSTART:20270101T090000Z\nRRULE:FREQ=DAILY"))
        #expect(daily.entries.count == 400 && daily.warnings.texts.count == 1)
        let yearly = try Self.items(CalendarSample.event("DTSTART;VALUE=DATE:20270101\nRRULE:FREQ=YEARLY"))
        #expect(yearly.entries.count == 3 && yearly.warnings.texts.count == 1)
        let bounded = try Self.items(
            CalendarSample.event("DTSTART:20270101T090000Z\nRRULE:FREQ=DAILY;UNTIL=20270103T090000Z"))
        #expect(bounded.entries.count == 3 && bounded.warnings.isEmpty)
        #expect(Set(bounded.entries.map(\.externalID)).count == 3)
    }

    @Test("Of events with the same UID the one with the higher SEQUENCE counts")
    func sameUID() throws {
        func event(_ sequence: Int, _ name: String) -> String {
            "BEGIN:VEVENT\nUID:1\nSEQUENCE:\(sequence)\nSUMMARY:\(name)\nDTSTART:20270501T120000Z\nEND:VEVENT\n"
        }
        for text in [event(2, "New") + event(1, "Old"), event(1, "Old") + event(2, "New")] {
            let calendar = try Self.items(CalendarSample.calendar(text))
            #expect(calendar.entries.map(\.item.name) == ["New"] && calendar.skipped == 1)
        }
    }

    @Test(
        "What an event says and an item does not hold is counted",
        arguments: [
            ("ATTACH;ENCODING=BASE64;VALUE=BINARY:AAAA", "the bytes of an attached file are left out"),
            ("BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT15M\nEND:VALARM", "an alarm is left out"),
            ("CLASS:CONFIDENTIAL", "a CLASS is left out"), ("CLASS:PUBLIC", nil),
            ("X-LONG:\(String(repeating: "a", count: 4_001))", "a X-LONG is cut at 4000 characters"),
            (
                "ATTACH:https://a.example/\(String(repeating: "a", count: 8_000))",
                "a link of over 8000 bytes is left out"
            ),
            ("IMAGE;VALUE=URI:https://a.example/a.png", "an IMAGE is left out"), ("LOCATION:Lisbon", nil),
            (
                (0...100).map { "X-N\($0):1" }.joined(separator: "\n"),
                "the properties after the first 100 that are noted are left out"
            ),
            (
                (0...100).map { "ATTACH:https://a.example/\($0)" }.joined(separator: "\n"),
                "the links after the first 100 are left out"
            ),
        ])
    func losses(lines: String, warning: String?) throws {
        let warnings = try Self.items(CalendarSample.event("DTSTART:20270501T120000Z\n\(lines)")).warnings.texts
        #expect(warnings.count == (warning == nil ? 0 : 1))
        if let warning { #expect(warnings.first?.contains(": \(warning)") == true, "\(warnings)") }
    }

    @Test("A hostile definition of a zone is not computed again for each time", .timeLimit(.minutes(1)))
    func hostileZone() throws {
        let dates = (0..<300).map { "19\(70 + $0 % 30)\(10 + $0 % 3)\(10 + $0 / 30)T000000" }.joined(separator: ",")
        let observance =
            "BEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0117\nTZOFFSETTO:+0118\nRRULE:FREQ=YEARLY\n"
            + "RDATE:\(dates)\nEND:STANDARD\n"
        let zone =
            "BEGIN:VTIMEZONE\nTZID:Home\n" + String(repeating: observance, count: 200) + "END:VTIMEZONE\n"
        let events = (0..<2_000).map {
            "BEGIN:VEVENT\nUID:\($0)\nSUMMARY:x\nDTSTART;TZID=Home:20\(10 + $0 % 90)0501T12\(10 + $0 % 50)00\nEND:VEVENT\n"
        }
        let calendar = try Self.items(CalendarSample.calendar(zone + events.joined()))
        #expect(calendar.entries.count == 2_000)
        #expect(calendar.entries.first?.item.start??.localISO8601 == "2010-05-01T12:10:00+01:18")
    }

    @Test(
        "The coordinates of a place are those of GEO, else those of Apple's property",
        arguments: [
            ("GEO:38.7;-9.1", 38.7), ("X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=\"Bar: A\":geo:38.7,-9.1", 38.7),
            ("GEO:50;1\nX-APPLE-STRUCTURED-LOCATION;VALUE=URI:geo:38.7,-9.1", 50),
            ("X-APPLE-STRUCTURED-LOCATION;VALUE=URI:geo:138.7,-9.1", nil), ("X-APPLE-STRUCTURED-LOCATION:38", nil),
        ] as [(String, Double?)])
    func coordinates(line: String, latitude: Double?) throws {
        let calendar = try Self.items(CalendarSample.event("DTSTART:20270501T090000Z\n\(line)"))
        #expect((calendar.entries.first?.item.address ?? nil)?.coordinates?.latitude == latitude)
    }

    @Test(
        "Booking numbers follow a word for one and a colon or a number sign",
        arguments: [
            ("[Lodging] Inn; Confirmation # QX7R2P", "QX7R2P"), ("Confirmation #: QX7R2P", "QX7R2P"),
            ("Hello\nBooking reference: CP-99120\n", "CP-99120"),
            ("Buchungscode: QK4J7T", "QK4J7T"), ("Auftragsnummer: 123456789012", "123456789012"),
            ("Dossier : ABCDEF", "ABCDEF"), ("PNR: abc", nil), ("Booking is easy: call us", nil),
            ("Reserve: A1B2C3", nil),
        ])
    func confirmations(text: String, number: String?) { #expect(ConfirmationNumber.find(in: text) == number) }
}
