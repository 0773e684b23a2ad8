import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

@testable import TripFormats

@Suite("Trips as calendars")
struct TripCalendarTests {
    static let isHere = Program.succeeds("python3", "-c", "import icalendar")
    static let hint: Comment = "python3 with the package icalendar is not here (pip install icalendar)"

    private static func moment(_ text: String, _ zone: String) throws -> Moment { try Moment(parsing: text, in: zone) }

    /// A trip with items of every form.
    private static func fill(_ store: TripStore) async throws -> Trip.ID {
        var trip = Trip(name: "Lisboa, São João; 日本", destination: "Lisbon", days: Day(2027, 10, 28)...Day(2027, 11, 3))
        trip.color = "#2A6F97"
        try await store.create(trip)
        var flight = Transportation(
            name: "TP 555", mode: .plane, in: trip.id, from: try moment("2027-10-30T23:30", "Europe/Berlin"),
            until: try moment("2027-10-31T01:45", "Europe/Lisbon"), cost: Money("199.90", "EUR"), confirmation: "QX7R2P"
        )
        flight.stage = .booked
        flight.departure = TravelPlace(
            name: "Frankfurt; Main", code: "FRA", terminal: "1",
            address: Address(city: "Frankfurt", coordinates: Coordinates(latitude: 50.033333, longitude: 8.570556)))
        flight.arrival = TravelPlace(name: "Lisboa", code: "LIS")
        flight.links = [Link("https://airline.example/q?x=1,2;3"), Link("https://second.example/")]
        try await store.create(flight)
        var stay = Lodging(name: "Casa", in: trip.id, days: Day(2027, 10, 31)...Day(2027, 11, 2))
        stay.notes = "Ring twice.\nThen wait — 🛎️ " + String(repeating: "ção ", count: 40)
        stay.address = Address(
            street: "Beco 2", city: "Lisboa", postalCode: "1100-003",
            coordinates: Coordinates(latitude: -0.0000001, longitude: 179.9999996))
        try await store.create(stay)
        var walk = Activity(name: "Walk", in: trip.id, from: try moment("2027-11-01T09:00:01.500", "America/St_Johns"))
        walk.stage = .idea
        walk.hidesLocation = true
        walk.customLocationName = "Secret garden"
        walk.address = Address(formatted: "Secret street")
        try await store.create(walk)
        var dinner = Activity(
            name: "Dinner", in: trip.id, from: try moment("2027-11-01T19:00", "UTC"),
            until: try moment("2027-11-01T19:00", "UTC"))
        dinner.stage = .cancelled
        try await store.create(dinner)
        try await store.create(Activity(name: "Some day", in: trip.id))
        try await store.create(
            Activity(id: .new(), name: "One day", in: trip.id, days: Day(2027, 11, 2)...Day(2027, 11, 2)))
        return trip.id
    }

    private static func calendar(of trip: Trip.ID, in store: TripStore, costs: Bool = false) throws -> (
        text: String, warnings: [String]
    ) {
        var calendar = TripCalendar(name: "Test", hasCosts: costs)
        calendar.entries = try store.read { views in try [views.calendarEntry(of: trip)].compactMap { $0 } }
        return calendar.text()
    }

    @Test("Lines have at most 75 octets, end with CR LF, and are cut between characters")
    func folding() async throws {
        let store = try await TripStore.test()
        let text = try Self.calendar(of: try await Self.fill(store), in: store).text
        let lines = text.components(separatedBy: "\r\n")
        #expect(lines.last == "" && lines.allSatisfy { $0.utf8.count <= 75 })
        #expect(lines.contains { $0.hasPrefix(" ") } && !text.replacing("\r\n", with: "").utf8.contains { $0 < 0x20 })
        #expect(!text.unicodeScalars.contains("\u{FFFD}"))
        try await store.expectInvariants()
        await store.close()
    }

    @Test("The same state gives the same bytes, an edit raises SEQUENCE, and nothing depends on the clock")
    func deterministic() async throws {
        let clock = ManualClock()
        let store = try await TripStore.test(clock: clock)
        let trip = try await Self.fill(store)
        let before = try Self.calendar(of: trip, in: store).text
        clock.advance(by: 3_600_000)
        #expect(try Self.calendar(of: trip, in: store).text == before)
        #expect(!before.contains("SEQUENCE:1"))
        try await store.edit(trip) { $0.notes = "New" }
        let after = try Self.calendar(of: trip, in: store).text
        #expect(after.contains("SEQUENCE:1\r\n") && after.contains("DESCRIPTION:New\r\n"))
        try await store.expectInvariants()
        await store.close()
    }

    @Test("Costs are said on request, hidden places never, and items without a time are warned of")
    func choices() async throws {
        let store = try await TripStore.test()
        let trip = try await Self.fill(store)
        let (text, warnings) = try Self.calendar(of: trip, in: store)
        let unfolded = text.replacing("\r\n ", with: "")
        #expect(!unfolded.contains("199.90") && !unfolded.contains("Secret"))
        #expect(
            try Self.calendar(of: trip, in: store, costs: true).text.replacing("\r\n ", with: "").contains(
                "Cost: 199.90 EUR"))
        #expect(
            warnings == [
                "Trips and items without a day or a time are left out: 1.",
                "Items whose costs are left out, as nobody asked for costs: 1.",
                "Items whose places are left out, as they hide them: 1.",
            ])
        #expect(
            unfolded.contains("COLOR:steelblue\r\n") && unfolded.contains("STATUS:TENTATIVE")
                && unfolded.contains("STATUS:CANCELLED"))
        #expect(unfolded.contains("DTSTART;VALUE=DATE:20271028\r\nDTEND;VALUE=DATE:20271104\r\n"))
        try await store.expectInvariants()
        await store.close()
    }

    @Test("Only items that touch the days are in it")
    func days() async throws {
        let store = try await TripStore.test()
        let trip = try await Self.fill(store)
        var calendar = TripCalendar(name: "Test", days: Day(2027, 11, 2)...Day(2027, 11, 2))
        calendar.entries = try store.read { views in try [views.calendarEntry(of: trip)].compactMap { $0 } }
        let names = try CalendarItems(reading: Array(calendar.text().text.utf8), zone: "UTC").entries.map(\.item.name)
        #expect(names.sorted() == ["Casa", "One day"])
        try await store.expectInvariants()
        await store.close()
    }

    @Test("What is read back of it is what was written")
    func readBack() async throws {
        let store = try await TripStore.test()
        let trip = try await Self.fill(store)
        let calendar = try CalendarItems(reading: Array(Self.calendar(of: trip, in: store).text.utf8), zone: "UTC")
        #expect(calendar.warnings.isEmpty && calendar.trips.map(\.id) == [trip])
        for item in try store.read({ try $0.items(of: trip) }) where item.name != "Some day" {
            let entry = try #require(calendar.entries.first { $0.own == item.reference })
            #expect(entry.trip == trip)
            switch item {
            case .activity(let held): Self.expectSame(held, entry.item)
            case .lodging(let held):
                Self.expectSame(held, entry.item)
                var copy = held
                entry.item.setStay(on: &copy)
                #expect(copy == held)
            case .transportation(let held):
                Self.expectSame(held, entry.item)
                var copy = held
                entry.item.setTravel(on: &copy)
                #expect(copy == held)
            }
        }
        try await store.expectInvariants()
        await store.close()
    }

    private static func expectSame<Kind>(_ held: Item<Kind>, _ item: ForeignItem) {
        var copy = held
        item.set(on: &copy)
        #expect(copy == held)
    }

    @Test("Every zone is defined with its real changes in the years of the items")
    func zoneDefinitions() throws {
        for (name, year, changes) in [
            ("Europe/Lisbon", 2027, 3), ("Africa/Casablanca", 2027, 3), ("America/St_Johns", 2010, 3),
            ("Asia/Tokyo", 2027, 1),
            ("Pacific/Apia", 2011, 4), ("Europe/Dublin", 1971, 2), ("Antarctica/Troll", 2027, 3),
        ] {
            let zone = try #require(Moment(milliseconds: 0, zone: name).timeZone)
            let found = ZoneTransitions(zone, named: name, years: [year]).changes
            #expect(found.count == changes, "\(name): \(found)")
            for change in found.dropFirst() {
                let date = Date(timeIntervalSince1970: TimeInterval(change.instant))
                #expect(
                    zone.secondsFromGMT(for: date) == change.to && zone.secondsFromGMT(for: date - 1) == change.from)
            }
        }
    }

    @Test("A definition that was written is read with the offsets of its zone, in each hour of some years")
    func definitionsReadBack() throws {
        for name in ["Europe/Lisbon", "America/St_Johns", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia"] {
            let zone = try #require(Moment(milliseconds: 0, zone: name).timeZone)
            var writer = CalendarWriter()
            writer.begin("VCALENDAR")
            ZoneTransitions(zone, named: name, years: [2011, 2012, 2027]).write(to: &writer)
            writer.end("VCALENDAR")
            let calendar = try #require(CalendarReader().components(of: Array(writer.text.utf8)).calendars.first)
            var offsets = DefinedOffsets(try #require(calendar.components.first.flatMap { ZoneDefinition($0) }))
            for day in [Day(2011, 1, 1), Day(2012, 1, 1), Day(2027, 1, 1)] {
                for hour in stride(from: 0, to: 365 * 24, by: 13) {
                    let instant = day.daysSince1970 * 86_400 + hour * 3600
                    let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(instant)))
                    guard offsets.offset(at: instant) == offset else {
                        Issue.record("\(name) at \(instant)")
                        break
                    }
                }
            }
        }
    }

    @Test("Python's icalendar reads every property, and has the times of the store in UTC", .enabled(if: isHere, hint))
    func icalendar() async throws {
        let store = try await TripStore.test()
        let trip = try await Self.fill(store)
        // Under names that no database has, so that the definitions count.
        let text = try Self.calendar(of: trip, in: store).text.replacing("\r\n ", with: "")
            .replacing("TZID=", with: "TZID=X-").replacing("TZID:", with: "TZID:X-")
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("x.ics")))
        let script = """
            import sys, json, datetime, icalendar
            calendar = icalendar.Calendar.from_ical(open(sys.argv[1], 'rb').read())
            assert not calendar.errors
            def time(value):
                if value is None: return None
                value = value.dt
                if not isinstance(value, datetime.datetime): return value.isoformat()
                return value.astimezone(datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ')
            for event in calendar.walk('VEVENT'):
                assert not event.errors, event.errors
                print(json.dumps({'uid': event['UID'], 'name': event['SUMMARY'], 'start': time(event.get('DTSTART')),
                    'end': time(event.get('DTEND')), 'status': event['STATUS'], 'text': event.get('DESCRIPTION', ''),
                    'url': event.get('URL', '')}))
            """
        let output = try #require(try Program.run("python3", ["-c", script, folder.path("x.ics")]))
        #expect(output.code == 0, "\(output.complaint)")
        var events: [String: [String: Any]] = [:]
        for line in output.text.split(separator: "\n") {
            let event = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            events[try #require(event["uid"] as? String)] = event
        }
        let items = try store.read { try $0.items(of: trip) }.filter { $0.name != "Some day" }
        #expect(events.count == items.count + 1)
        for item in items {
            let event = try #require(events[CalendarNames.uid(item.reference)])
            func utc(_ moment: Moment?) -> String? {
                moment.map { Moment(milliseconds: $0.milliseconds / 1000 * 1000, zone: "UTC").localISO8601 }
            }
            #expect(event["name"] as? String == item.name && event["status"] as? String == item.stage.calendarStatus)
            #expect(event["start"] as? String == utc(item.start) ?? item.startDay?.description)
            // A stay of whole days ends on the day of leaving.
            let end =
                item.start != nil && item.end == item.start
                ? nil : utc(item.end) ?? item.endDay?.advanced(by: item.kind == .lodging ? 0 : 1).description
            #expect(event["end"] as? String == end)
            #expect((event["text"] as? String)?.hasSuffix(item.notes) == true)
            if let link = item.links.first { #expect(event["url"] as? String == link.url) }
        }
        try await store.expectInvariants()
        await store.close()
    }
}
