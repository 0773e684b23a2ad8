import Events
import Foundation
import StoreSupport
import Testing
import TravelingSnails
import TripStore

@testable import TripFormats

@Suite("Exports of Traveling Snails")
struct SnailsExportTests {
    private static let date = Date(timeIntervalSince1970: 1_800_000_000)

    private struct Refusal: Error {}

    /// Takes what an export hands out.
    private final class Output {
        var bytes: [UInt8] = []
    }

    private static func export(
        _ store: TripStore, _ trips: [Trip.ID], isAll: Bool = false, at date: Date = date
    ) async throws -> (text: String, losses: [SnailsLoss]) {
        let output = Output()
        let losses = try await SnailsExport(of: store, at: date).write(trips, isAll: isAll) { output.bytes += $0 }
        return (String(decoding: output.bytes, as: UTF8.self), losses)
    }

    private static func moment(_ text: String, _ zone: String = "Europe/Lisbon") throws -> Moment {
        try Moment(parsing: text, in: zone)
    }

    @Test("A trip that the format holds whole loses nothing")
    func whole() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(
            Trip(
                name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8), notes: "N", isProtected: true,
                originalCreation: Date(timeIntervalSince1970: 1_700_000_000)))
        let airline = try await store.create(Organization(name: "TAP", phone: "1", address: Address(city: "Lisboa")))
        let flight = try await store.create(
            Transportation(
                name: "TP1", mode: .plane, in: trip, from: Self.moment("2027-05-01T10:00"),
                until: Self.moment("2027-05-01T14:00", "America/New_York"),
                cost: Money(minorUnits: 12_345, "USD"), paid: .inFull, confirmation: "X", notes: "n",
                organization: airline))
        _ = try await store.create(
            Lodging(
                name: "Inn", in: trip, from: Self.moment("2027-05-01T15:00"), until: Self.moment("2027-05-02T11:00"),
                customLocationName: "By the sea", hidesLocation: true))
        try await store.attach(Data("seat 4A".utf8), to: flight.reference, as: "pass.txt", caption: "c")
        let (text, losses) = try await Self.export(store, [trip], isAll: true)
        #expect(losses == [])
        for part in [
            "\"cost\" : 123.45", "\"startDate\" : \"2027-05-01T11:00:00Z\"", "\"timeZone\" : \"Europe/Lisbon\"",
            "\"totalCost\" : 123.45", "\"fileData\" : \"\(Data("seat 4A".utf8).base64EncodedString())\"",
            "\"parentId\" : \"\(flight)\"", "\"fileExtension\" : \"txt\"", "\"type\" : \"plane\"",
        ] {
            #expect(text.contains(part), "\(part) is not in \(text)")
        }
        try await store.expectInvariants()
    }

    @Test("Everything that the format does not hold is named once, with its number and an example")
    func losses() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(
            Trip(name: "Lisbon", destination: "L", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        let ana = try await store.create(Traveller(name: "Ana"))
        try await store.edit(trip) {
            $0.travellers = [ana]
            $0.stage = .booked
            $0.links = [Link("https://example.org")]
        }
        _ = try await store.create(Budget(Money(minorUnits: 1, "EUR"), in: trip))
        let list = try await store.create(Checklist(name: "Packing", in: trip))
        _ = try await store.create(ChecklistEntry("passport", in: list))
        try await store.attach(Data([1]), to: trip.reference, as: "map.png")
        let none = try await store.create(Organization(name: "None"))
        let inn = try await store.create(Organization(name: "Inn"))
        try await store.attach(Data([2]), to: inn.reference, as: "menu.pdf")
        try await store.edit(inn) { $0.links = [Link("https://example.org")] }
        let ferry = try await store.create(
            Transportation(
                name: "Ferry", mode: .other, in: trip, from: Self.moment("2027-05-01T10:00:00.250"),
                cost: Money(minorUnits: 500, "EUR"), customLocationName: "Pier 3", organization: none))
        try await store.edit(ferry) {
            $0.seat = "1A"
            $0.payer = ana
        }
        let pass = try await store.attach(Data([3]), to: ferry.reference, as: "gone.txt")
        let pass2 = try await store.attach(
            Data([4]), to: ferry.reference, as: "here.txt", thumbnail: Data([0xFF, 0xD8, 0xFF, 0xE0]))
        guard let gone = try store.entity(pass), case .here(let file) = store.state(of: gone) else {
            Issue.record("The bytes are not here.")
            return
        }
        try FileManager.default.removeItem(at: file)
        _ = try await store.create(
            Activity(name: "Museum", in: trip, days: Day(2027, 5, 2)...Day(2027, 5, 3)))
        let walk = try await store.create(Activity(name: "Walk", in: trip, organization: inn))
        try await store.edit(walk) { $0.category = "sport" }

        let (text, losses) = try await Self.export(store, [trip], isAll: true)
        let found = Dictionary(uniqueKeysWithValues: losses.map { ($0.what, $0.count) })
        #expect(
            found == [
                .field("destination", of: .trip): 1, .field("travellers", of: .trip): 1, .field("stage", of: .trip): 1,
                .field("links", of: .trip): 1, .entities("traveller"): 1, .entities("budget"): 1,
                .entities("checklist"): 1, .entities("checklist entry"): 1, .attachments(of: .trip): 1,
                .organizationsNamedNone: 1, .attachments(of: .organization): 1, .field("links", of: .organization): 1,
                .mode("other"): 1,
                .fractions: 1, .currency("EUR"): 1, .transportationPlaces: 1, .field("seat", of: .transportation): 1,
                .field("payer", of: .transportation): 1, .missingBytes: 1, .field("thumbnail", of: .own): 1,
                .openTimes: 3, .field("startDay", of: .activity): 1, .field("endDay", of: .activity): 1,
                .field("category", of: .activity): 1,
            ])
        #expect(losses.allSatisfy { !$0.description.contains("Optional(") && $0.description.hasSuffix(".") })
        let named = try #require(losses.first { $0.what == .missingBytes })
        #expect(named.description == "1 attachment left out, as of 'gone.txt' (\(pass)): the bytes are not here.")
        #expect(text.contains(pass2.description) && !text.contains(pass.description))
        #expect(!text.contains("\"None\""))
        try await store.expectInvariants()
    }

    @Test("What lies deeper under a trip, and of a whole export what belongs to none, is named as lost")
    func descendants() async throws {
        let store = try await TripStore.test(schema: [Souvenir.schema])
        let trip = try await store.create(Trip(name: "Lisbon"))
        let list = try await store.create(Checklist(name: "Packing", in: trip))
        let tram = try await store.create(
            Activity(
                name: "Tram", in: trip, from: Self.moment("2027-05-01T10:00"), until: Self.moment("2027-05-01T11:00")))
        let souvenirs = [
            Souvenir("tile", of: trip.reference), Souvenir("cork", of: list.reference),
            Souvenir("bell", of: tram.reference), Souvenir("loose", of: nil),
        ]
        let box = Souvenir("box", of: souvenirs[2].id.reference)
        for souvenir in souvenirs + [box] { try await store.append([.created(souvenir)]) }
        try await store.attach(Data([1]), to: list.reference, as: "list.pdf")
        try await store.attach(Data([2]), to: box.id.reference, as: "box.pdf")
        try await store.create(Traveller(name: "Ana"))
        // Its trip has not come yet.
        let unfiled = Activity(name: "Walk", in: .new())
        let event = TripEvent.created(unfiled)
        try await store.appendUnchecked([
            Event(
                verb: event.verb, entity: event.entity,
                changes: event.writes.map { Change(path: $0.path, value: $0.value) })
        ])
        try await store.attach(Data([3]), to: unfiled.id.reference, as: "walk.pdf")
        let template = try await store.create(Trip(name: "City"))
        try await store.edit(template) { $0.isTemplate = true }
        try await store.create(Checklist(name: "Model", in: template))

        let souvenir = try #require(box.id.reference.kindName(in: store.knownSchema))
        let below: [SnailsLoss.What: Int] = [
            .entities("checklist"): 1, .entities(souvenir): 4, .attachmentsOfOwn("checklist"): 1,
            .attachmentsOfOwn(souvenir): 1,
        ]
        let one = try await Self.export(store, [trip]).losses
        #expect(Dictionary(uniqueKeysWithValues: one.map { ($0.what, $0.count) }) == below)
        let all = try await Self.export(store, [trip], isAll: true).losses
        var expected = below
        expected[.entities(souvenir)] = 5
        expected[.entities("traveller")] = 1
        expected[.unfiledItems] = 1
        expected[.attachments(of: .activity)] = 1
        expected[.templates] = 1
        #expect(Dictionary(uniqueKeysWithValues: all.map { ($0.what, $0.count) }) == expected)
        #expect(all.allSatisfy { !$0.description.contains("Optional(") && $0.description.hasSuffix(".") })
        try await store.expectInvariants()
    }

    @Test("What a peer may write, and the format has no form for, is named as lost")
    func oddValues() async throws {
        let store = try await TripStore.test()
        let far = Moment(milliseconds: 253_402_300_800_000, zone: "Europe/Lisbon")
        var trip = Trip(name: "Far", startDay: Day(2027, 5, 1), endDay: nil)
        trip.originalCreation = Date(timeIntervalSince1970: -62_135_596_801)
        let late = Activity(name: "Late", in: trip.id, from: try Self.moment("2027-05-01T10:00"), until: far)
        var zoneless = Activity(name: "Zoneless", in: trip.id)
        zoneless.start = Moment(milliseconds: 1_809_000_000_000, zone: "")
        zoneless.end = Moment(milliseconds: 1_809_000_000_000, zone: "Mars/Base")
        var flight = Transportation(
            name: "X1", mode: TransportationMode(rawValue: 77), in: trip.id, from: try Self.moment("2027-05-01T10:00"),
            until: try Self.moment("2027-05-01T12:00"), cost: Money(minorUnits: 1, Currency(unchecked: "QQQ")))
        flight.paid = PaidStatus(rawValue: 9)
        var inn = Organization(name: "Inn", address: Address(city: "L"))
        inn.address?.coordinates = Coordinates(latitude: 91, longitude: 0)
        try await store.appendUnchecked(
            [TripEvent.created(trip), .created(inn), .created(late), .created(zoneless), .created(flight)].map {
                event in
                Event(
                    verb: event.verb, entity: event.entity,
                    changes: event.writes.map { Change(path: $0.path, value: $0.value) })
            })
        let (text, losses) = try await Self.export(store, [trip.id], isAll: true)
        #expect(
            Dictionary(uniqueKeysWithValues: losses.map { ($0.what, $0.count) }) == [
                .distantTimes: 2, .unknownZones: 1, .currency("QQQ"): 1, .mode("77"): 1, .paidStatus("9"): 1,
                .coordinates: 1,
            ])
        #expect(losses.allSatisfy { !$0.description.contains("Optional(") && $0.description.hasSuffix(".") })
        #expect(!text.contains("Mars/Base") && !text.contains("9999-12-31T23:59:59"))
        try await store.expectInvariants()
    }

    @Test("The same store gives the same bytes, but for the date, and only those organizations that are asked for")
    func same() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        _ = try await store.create(Trip(name: "Rome"))
        _ = try await store.create(Organization(name: "TAP"))
        let (text, _) = try await Self.export(store, [trip])
        #expect(text == (try await Self.export(store, [trip]).text))
        let later = try await Self.export(store, [trip], at: Self.date.addingTimeInterval(1)).text
        #expect(later != text)
        #expect(later.replacing("2027-01-15T08:00:01Z", with: "2027-01-15T08:00:00Z") == text)
        #expect(!text.contains("Rome") && !text.contains("TAP"))
        #expect(try await Self.export(store, [trip], isAll: true).text.contains("TAP"))
        try await store.expectInvariants()
    }

    @Test("A day is noon in the zone of the first item, or in UTC, and where the zone skips it too")
    func days() async throws {
        let store = try await TripStore.test()
        for (zone, day, instant, named) in [
            ("Asia/Tokyo", Day(2027, 5, 1), "2027-05-01T03:00:00Z", "Asia/Tokyo"),
            ("Pacific/Kiritimati", Day(2027, 5, 1), "2027-04-30T22:00:00Z", "Pacific/Kiritimati"),
            ("Pacific/Apia", Day(2011, 12, 30), "2011-12-30T12:00:00Z", "UTC"),
            (nil, Day(2027, 5, 1), "2027-05-01T12:00:00Z", "UTC"),
        ] as [(String?, Day, String, String)] {
            let trip = try await store.create(Trip(name: "T", startDay: day, endDay: nil))
            if let zone {
                _ = try await store.create(
                    Activity(
                        name: "A", in: trip, from: Self.moment("2027-05-01T10:00", zone),
                        until: Self.moment("2027-05-01T11:00", zone)))
            }
            let (text, losses) = try await Self.export(store, [trip])
            #expect(text.contains("\"startDate\" : \"\(instant)\""), "\(text)")
            #expect(text.contains("\"timeZone\" : \"\(named)\""))
            #expect(text.contains("\"hasEndDate\" : false"))
            #expect(losses == [])
        }
        try await store.expectInvariants()
    }

    @Test("What the output throws ends the export, as does cancelling its task")
    func ended() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        await #expect(throws: Refusal.self) {
            _ = try await SnailsExport(of: store).write([trip]) { _ in throw Refusal() }
        }
        let task = Task {
            // Until it is cancelled, so that the export begins in a cancelled task.
            while !Task.isCancelled { await Task.yield() }
            _ = try await SnailsExport(of: store).write([trip]) { _ in }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await store.expectInvariants()
    }
}

/// An entity of an app's kind that may belong to anything.
private struct Souvenir: OwnEntity {
    let id: Identifier<Souvenir>
    var name = ""
    var owner: EntityReference?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    init(_ name: String, of owner: EntityReference?) {
        self.init(id: .new())
        (self.name, self.owner) = (name, owner)
    }

    static let schema = Schema<Souvenir>(
        "org.example.snails", 1, "souvenir", [Field(1, "name", \.name), .parent("owner", \.owner, isRequired: false)])
}
