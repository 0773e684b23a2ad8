import Testing
import TripStore

@testable import TripFormats

@Suite("Notes of events")
struct EventNotesTests {
    private static func calendar(_ events: String...) throws -> CalendarItems {
        let text = events.enumerated().map {
            "BEGIN:VEVENT\nUID:\($0)@notes.example\nDTSTART:20270613T070000Z\n\($1)\nEND:VEVENT"
        }
        return try CalendarItems(reading: CalendarSample.calendar(text.joined(separator: "\n")), zone: "UTC")
    }

    @Test("Markup, JSON and the settings of programs are kept out, and what people read stays")
    func texts() throws {
        let items = try Self.calendar(
            """
            SUMMARY:Your flight from FRA to EWR
            DESCRIPTION:Booking reference: 7XQ2AB\\nOperated by: ZZ Air
            X-ALT-DESC;FMTTYPE=text/html:<font size='2'>Booking reference: 7XQ2AB <br>Operated by: ZZ Air<br></font>
            X-KDE-KITINERARY-RESERVATION:[{"@type":"FlightReservation"\\,"reservationNumber":"7XQ2AB"}]
            ATTENDEE;CN=Ana;PARTSTAT=ACCEPTED;RSVP=TRUE:mailto:ana@x.example
            X-MS-OLK-CONFTYPE:0
            X-SHOWN:TRUE
            X-MEAL:Vegetarian
            """,
            """
            SUMMARY:Tour &amp; tasting
            DESCRIPTION:<p>Meet at <b>gate 3</b>&nbsp;at 9</p><a href="https://t.example/a">Ticket</a>
            """
        ).entries.map(\.item)
        #expect(
            items[0].notes
                == "Booking reference: 7XQ2AB\nOperated by: ZZ Air\n\nAttendee: Ana, mailto:ana@x.example\nX-meal: Vegetarian"
        )
        #expect(items[0].reservation == "7XQ2AB")
        #expect(items[1].name == "Tour & tasting")
        #expect(items[1].notes == "Meet at gate 3 at 9\nTicket (https://t.example/a)")
    }

    @Test("Without a description the one in HTML counts")
    func alternative() throws {
        let items = try Self.calendar("SUMMARY:A\nX-ALT-DESC;FMTTYPE=text/html:<html><body>Gate <b>3</b></body></html>")
        #expect(items.entries.first?.item.notes == "Gate 3")
    }

    @Test("Lines that all events repeat are left out and named, and those that name a booking or are short stay")
    func repeated() throws {
        let end = "\\nBooking: QX7R2P11\\nWindow seat\\nOrganize your travel with Planner: https://planner.example"
        let three = try Self.calendar("DESCRIPTION:One\(end)", "DESCRIPTION:Two\(end)", "DESCRIPTION:Three\(end)")
        #expect(
            three.entries.map(\.item.notes) == ["One", "Two", "Three"].map { "\($0)\nBooking: QX7R2P11\nWindow seat" })
        #expect(three.warnings.texts == ["line 3: lines that every description repeats are left out of the notes"])
        // Two may be alike by chance.
        let two = try Self.calendar("DESCRIPTION:One\(end)", "DESCRIPTION:Two\(end)")
        #expect(two.entries.first?.item.notes?.contains("planner.example") == true && two.warnings.isEmpty)
    }

    @Test("Where events say nothing else, a line that all have is theirs, unless it leads to a page")
    func alike() throws {
        let text = "DESCRIPTION:Please bring your passport and the voucher"
        #expect(
            try Self.calendar(text, text, text).entries.first?.item.notes
                == "Please bring your passport and the voucher")
    }

    @Test(
        "A time without seconds is said to lack them",
        arguments: ["DTSTART:20270613T0700", "DTSTART:20270613T0700Z", "DTSTART;TZID=Europe/Lisbon:20270613T0700"])
    func seconds(line: String) throws {
        let calendar = try CalendarItems(reading: CalendarSample.event(line), zone: "UTC")
        #expect(calendar.entries.isEmpty && calendar.skipped == 1)
        #expect(
            calendar.warnings.texts
                == ["line 6: an event is left out, for its DTSTART lacks the seconds, as 20270501T083000 has them"])
    }

    @Test("A DTSTART that is no time with seconds either is said to be none")
    func noTime() throws {
        let calendar = try CalendarItems(reading: CalendarSample.event("DTSTART:20271313T0700"), zone: "UTC")
        #expect(calendar.warnings.texts.first?.contains("is no day or time") == true)
    }
}
