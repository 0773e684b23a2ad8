import Foundation
import StoreSupport
import Testing
import TripStore

@testable import TripFormats

@Suite("Items in a calendar and back")
struct CalendarCircleTests {
    private static func moment(_ text: String, _ zone: String) throws -> Moment { try Moment(parsing: text, in: zone) }

    /// Stays and activities whose fields an event's start and end do not hold as they are.
    private static func items(in trip: Trip.ID, _ organization: Organization.ID) throws -> [TripItem] {
        func stay(_ name: String, _ set: (inout Lodging) throws -> Void) rethrows -> TripItem {
            var stay = Lodging(name: name, in: trip)
            try set(&stay)
            return .lodging(stay)
        }
        func activity(_ name: String, _ set: (inout Activity) throws -> Void) rethrows -> TripItem {
            var activity = Activity(name: name, in: trip)
            try set(&activity)
            return .activity(activity)
        }
        let checkIn = try moment("2027-10-30T15:00", "Europe/Lisbon")
        let checkOut = try moment("2027-11-01T10:00", "Europe/Lisbon")
        return [
            stay("Check-in and check-out") { ($0.checkIn, $0.checkOut) = (checkIn, checkOut) },
            stay("Check-out alone") { $0.checkOut = checkOut },
            stay("Days and a check-in") {
                ($0.startDay, $0.endDay, $0.checkIn) = (Day(2027, 10, 30), Day(2027, 11, 1), checkIn)
            },
            activity("End alone") { $0.end = checkOut },
            activity("Day and an end") { ($0.startDay, $0.end) = (Day(2027, 10, 30), checkOut) },
            activity("Last day alone") { $0.endDay = Day(2027, 11, 1) },
            activity("Day of the end of time") { ($0.startDay, $0.endDay) = (.last, .last) },
            try activity("First pass") { $0.start = try moment("2027-10-31T01:30:00+01:00", "Europe/Lisbon") },
            try activity("Second pass") {
                $0.start = try moment("2027-10-31T01:30:00Z", "Europe/Lisbon")
                $0.end = try moment("2027-10-31T01:45:00Z", "Europe/Lisbon")
            },
            try activity("Milliseconds") { $0.start = try moment("2027-05-01T09:00:00.250", "Asia/Tokyo") },
            try activity("Before 1970") { $0.start = try moment("1955-05-01T09:00:00.250", "Asia/Tokyo") },
            try activity("No time between two zones") {
                $0.start = try moment("2027-05-01T09:00", "Europe/Lisbon")
                $0.end = try moment("2027-05-01T10:00", "Europe/Berlin")
            },
            try activity("Another UTC") { $0.start = try moment("2027-05-01T09:00", "Etc/UTC") },
            try activity("Greenwich") { $0.start = try moment("2027-05-01T09:00", "GMT") },
            activity("Links") {
                $0.startDay = Day(2027, 5, 1)
                $0.links = [
                    Link("no address; of, any"), Link("https://a.example/?q=1,2", title: "Map, and; more"),
                    Link("https://b.example/"),
                ]
            },
            activity("Money and people") {
                $0.startDay = Day(2027, 5, 1)
                ($0.cost, $0.paid, $0.paidAmount) = (Money("-12.50", "EUR"), .deposit, Money("3", "JPY"))
                $0.organization = organization
                $0.contacts = [
                    Contact(name: "Ana; B, C", phone: "+351 1", email: "a@b.example", role: "guide"),
                    Contact(name: "Rui"),
                ]
            },
        ]
    }

    private static func store() async throws -> (store: TripStore, trip: Trip.ID, items: [TripItem]) {
        let store = try await TripStore.test()
        let trip = Trip(name: "Autumn", days: Day(2027, 10, 28)...Day(2027, 11, 3))
        try await store.create(trip)
        let organization = Organization(
            name: "Tours, Lda.", phone: "1", email: "t@x.example", website: "https://t.example")
        try await store.create(organization)
        for item in try items(in: trip.id, organization.id) {
            switch item {
            case .activity(let item): try await store.create(item)
            case .lodging(let item): try await store.create(item)
            case .transportation(let item): try await store.create(item)
            }
        }
        return (store, trip.id, try store.read { try $0.items(of: trip.id).rows })
    }

    private static func text(of trip: Trip.ID, in store: TripStore, costs: Bool = true) throws -> String {
        var calendar = TripCalendar(name: "Test", hasCosts: costs)
        calendar.entries = try store.read { views in try [views.calendarEntry(of: trip)].compactMap { $0 } }
        return calendar.text().text
    }

    private static func read(_ text: String) throws -> CalendarItems {
        try CalendarItems(reading: Array(text.utf8), zone: "UTC")
    }

    /// What an item becomes by what a file says of it.
    private static func applying(_ item: ForeignItem, to held: TripItem) -> TripItem {
        switch held {
        case .activity(var held):
            item.set(on: &held)
            return .activity(held)
        case .lodging(var held):
            item.set(on: &held)
            item.setStay(on: &held)
            return .lodging(held)
        case .transportation(var held):
            item.set(on: &held)
            item.setTravel(on: &held)
            return .transportation(held)
        }
    }

    private static func facts(of item: TripItem) -> [String] {
        let times = TimeFields(item)
        let texts: [Any?] = [
            item.name, times.start, times.end, times.startDay, times.endDay, times.checkIn, times.checkOut, item.cost,
            item.paid, item.paidAmount, item.organization, item.links.map { [$0.url, $0.title] },
            item.contacts.map { [$0.name, $0.phone, $0.email, $0.role] }, item.notes,
        ]
        return texts.map { $0.map { "\($0)" } ?? "none" }
    }

    @Test("The end of a stay of a day and a time of leaving is the day of leaving, and says so")
    func writtenLeaving() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Autumn"))
        var stay = Lodging(name: "Inn", in: trip)
        (stay.startDay, stay.end) = (Day(2027, 10, 30), try Self.moment("2027-11-01T10:00", "Europe/Lisbon"))
        try await store.create(stay)
        let text = try Self.text(of: trip, in: store)
        #expect(text.contains("DTEND;VALUE=DATE:20271101\r\n") && text.contains("X-TRIPSTORE-TIMES:LEAVING\r\n"))
        let read = try #require(try Self.read(text).entries.first { $0.own == stay.reference }).item
        #expect(Self.facts(of: Self.applying(read, to: .lodging(stay))) == Self.facts(of: .lodging(stay)))
        try await store.expectInvariants()
    }

    @Test("Every field of time, links, contacts and amounts come back, onto the same items and onto new ones")
    func circle() async throws {
        let (store, trip, items) = try await Self.store()
        let calendar = try Self.read(Self.text(of: trip, in: store))
        #expect(calendar.warnings.isEmpty && calendar.entries.count == items.count)
        for item in items {
            let entry = try #require(calendar.entries.first { $0.own == item.reference })
            #expect(Self.applying(entry.item, to: item) == item, "\(item.name)")
            let blank = try #require(TripItem(blank: item.reference))
            #expect(Self.facts(of: Self.applying(entry.item, to: blank)) == Self.facts(of: item))
        }
        let organization = calendar.entries.compactMap(\.item.organization).first
        #expect(organization?.name == "Tours, Lda." && organization?.website == "https://t.example")
        // Without costs nothing is said of them.
        let entries = try Self.read(Self.text(of: trip, in: store, costs: false)).entries
        #expect(entries.allSatisfy { $0.item.cost == nil && $0.item.paid == nil && $0.item.paidAmount == nil })
        try await store.expectInvariants()
        await store.close()
    }

    @Test("Other programs see the instant of the second pass of a repeated hour, for it is written in UTC")
    func secondPass() async throws {
        let (store, trip, _) = try await Self.store()
        let text = try Self.text(of: trip, in: store)
        #expect(text.contains("DTSTART:20271031T013000Z\r\nDTEND:20271031T014500Z\r\n"))
        #expect(text.contains("DTSTART;TZID=Europe/Lisbon:20271031T013000\r\n"))
        try await store.expectInvariants()
        await store.close()
    }

    @Test("A time that another program moves counts, for a stay by its check-in as the check-in")
    func moved() async throws {
        let (store, trip, items) = try await Self.store()
        let text = try Self.text(of: trip, in: store)
            .replacing("DTSTART;TZID=Europe/Lisbon:20271030T150000", with: "DTSTART;TZID=Europe/Lisbon:20271030T160000")
            .replacing(
                "DTSTART:20271031T013000Z\r\nDTEND:20271031T014500Z",
                with: "DTSTART:20271031T013000Z\r\nDTEND:20271031T015000Z")
        let entries = try Self.read(text).entries
        func changed(_ name: String) throws -> TimeFields {
            let item = try #require(items.first { $0.name == name })
            let entry = try #require(entries.first { $0.own == item.reference })
            return TimeFields(Self.applying(entry.item, to: item))
        }
        let stay = try changed("Check-in and check-out")
        #expect(stay.start == nil && stay.checkIn?.description == "2027-10-30T16:00:00+01:00 Europe/Lisbon")
        #expect(stay.checkOut?.description == "2027-11-01T10:00:00Z Europe/Lisbon")
        let end = try changed("Second pass").end
        #expect(end?.description == "2027-10-31T01:50:00Z UTC")
        try await store.expectInvariants()
        await store.close()
    }

    @Test("A program that removes what it does not know takes nothing away but what it shows")
    func stripped() async throws {
        let (store, trip, items) = try await Self.store()
        let lines = try Self.text(of: trip, in: store).replacing("\r\n ", with: "").split(separator: "\r\n")
        let calendar = try Self.read(
            lines.filter { !$0.hasPrefix("X-TRIPSTORE-") }.map { $0 + "\r\n" }.joined()
                .replacing("SUMMARY:Greenwich", with: "SUMMARY:London"))
        for item in items where !item.name.hasPrefix("Links") {
            let entry = try #require(calendar.entries.first { $0.own == item.reference })
            var facts = Self.facts(of: item)
            if item.name == "Greenwich" { facts[0] = "London" }
            #expect(Self.facts(of: Self.applying(entry.item, to: item)) == facts)
        }
        #expect(calendar.warnings.texts.contains { $0.contains("lost the properties of its own") })
        try await store.expectInvariants()
        await store.close()
    }

    @Test("A trip comes back with an open start, CR LF in its notes, its colour and its links")
    func trips() async throws {
        let store = try await TripStore.test()
        var trip = Trip(
            name: "Open", destination: "Porto; Douro", startDay: nil, endDay: Day(2027, 5, 4), notes: "a\r\nb\rc",
            isProtected: true)
        trip.color = "#2A6F97"
        trip.stage = .idea
        trip.links = [Link("https://a.example", title: "A")]
        try await store.create(trip)
        let held = try #require(try store.trip(trip.id))
        let read = try #require(try Self.read(Self.text(of: trip.id, in: store)).trips.first)
        var same = held
        read.set(on: &same, keepsLinks: true)
        #expect(same == held)
        var blank = Trip(id: trip.id)
        read.set(on: &blank, keepsLinks: false)
        #expect(blank.startDay == nil && blank.endDay == trip.endDay && blank.destination == trip.destination)
        #expect(blank.notes == "a\nb\nc" && blank.color == trip.color && blank.isProtected && blank.stage == .idea)
        #expect(blank.links == trip.links)
        try await store.expectInvariants()
        await store.close()
    }

    @Test("What a calendar leaves out is counted")
    func losses() async throws {
        let (store, trip, _) = try await Self.store()
        let person = Traveller(name: "Ana")
        try await store.create(person)
        try await store.edit(trip) { $0.travellers = [person.id] }
        var hidden = Activity(name: "Hidden", in: trip, days: Day(2027, 5, 1)...Day(2027, 5, 1))
        (hidden.hidesLocation, hidden.customLocationName) = (true, "Secret")
        try await store.create(hidden)
        var calendar = TripCalendar(name: "Test")
        calendar.entries = try store.read { views in try [views.calendarEntry(of: trip)].compactMap { $0 } }
        #expect(
            calendar.text().warnings == [
                "Items whose costs are left out, as nobody asked for costs: 1.",
                "Items whose places are left out, as they hide them: 1.",
                "Trips and items whose travellers and payers are left out: 1.",
            ])
        try await store.expectInvariants()
        await store.close()
    }

    @Test(
        "Links of a file are added to those that are held, and take others away only from what files brought",
        arguments: [(true, ["a", "own", "b"]), (false, ["a", "b"])])
    func links(keepsOthers: Bool, urls: [String]) {
        let held = [Link("a", title: "Title"), Link("own")]
        let taken = held.taking([Link("b"), Link("a")], keepsOthers: keepsOthers)
        #expect(taken.map(\.url) == urls && taken.first?.title == "Title")
    }
}

extension TripItem {
    /// One of which nothing is known but the id.
    fileprivate init?(blank reference: EntityReference) {
        switch TripItem.ID(reference) {
        case .activity(let id): self = .activity(Activity(id: id))
        case .lodging(let id): self = .lodging(Lodging(id: id))
        case .transportation(let id): self = .transportation(Transportation(id: id))
        case nil: return nil
        }
    }
}
