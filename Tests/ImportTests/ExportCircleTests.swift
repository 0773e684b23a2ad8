import Events
import Foundation
import StoreSupport
import TestSupport
import Testing
import TripFormats
import TripStore

@Suite("The circle of export and import")
struct ExportCircleTests {
    /// The file of an export, which goes with the value.
    private struct Exported {
        let folder = TemporaryFolder()
        let losses: [SnailsLoss]

        var path: String { folder.path("export.json") }

        init(_ store: TripStore, at date: Date = Date(timeIntervalSince1970: 1_900_000_000)) async throws {
            let output = Output()
            let trips = try store.trips(.dated, limit: .max).rows + store.trips(.undated, limit: .max).rows
            losses = try await SnailsExport(of: store, at: date).write(trips.map(\.id), isAll: true) {
                output.bytes.append(contentsOf: $0)
            }
            try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
            try output.bytes.write(to: URL(fileURLWithPath: path))
        }

        func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }
    }

    private final class Output {
        var bytes = Data()
    }

    @Test("A day of real flights goes out and in again without a change, and into an empty store as it was")
    func flights() async throws {
        let store = try await TripStore.test()
        _ = try await store.importing(Flights.actual)
        let exported = try await Exported(store)
        #expect(exported.losses == [])
        let again = try await store.importing(exported.path)
        #expect(again.events == 0 && again.warnings == [] && again.counts.keys.sorted() == ["unchanged"])
        let other = try await TripStore.test(clock: ManualClock(seed: 2))
        let report = try await other.importing(exported.path)
        #expect(report.warnings == [] && report.counts.keys.sorted() == ["created"])
        #expect(try other.contents() == store.contents())
        #expect(try await Exported(other).bytes().withoutStore == exported.bytes().withoutStore)
        for store in [store, other] { try await store.expectInvariants() }
    }

    @Test(
        "Random trips that people made, with attachments, go out and in again without a change, and into an empty store field by field",
        arguments: UInt64(1)...6)
    func random(seed: UInt64) async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: seed))
        var trips = RandomTrips(seed: seed)
        let attachments = try await trips.make(in: store)
        let exported = try await Exported(store)
        let position = try store.status().position
        for zone in ["Pacific/Kiritimati", "Pacific/Pago_Pago"] {
            let again = try await store.importing(exported.path, timeZone: TimeZone(identifier: zone))
            #expect(again.events == 0 && again.warnings == [], "\(again)")
        }
        #expect(try store.status().position == position)

        let other = try await TripStore.test(clock: ManualClock(seed: seed + 100))
        let report = try await other.importing(exported.path)
        #expect(report.warnings == [] && report.skipped.isEmpty)
        #expect(try other.contents() == store.contents())
        #expect(report.created[.own] ?? 0 == attachments.count)
        for id in attachments {
            let held = try #require(try store.entity(id) as AttachedFile?)
            let come = try #require(try other.entity(id) as AttachedFile?)
            #expect(held.ownFields == come.ownFields)
            #expect(try await store.data(of: held) == other.data(of: come))
        }
        let second = try await Exported(other)
        #expect(try second.bytes().withoutCreationDates == exported.bytes().withoutCreationDates)
        #expect(second.losses == exported.losses)
        #expect(try await other.importing(second.path).events == 0)
        for store in [store, other] { try await store.expectInvariants() }
    }

    @Test("Ends that a merge left before the start stay so here, and come as the start elsewhere: nothing is skipped")
    func reversed() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon", startDay: Day(2027, 5, 1), endDay: Day(2027, 5, 8)))
        let (ten, nine) = (
            Moment(milliseconds: 1_809_000_000_000, zone: "UTC"), Moment(milliseconds: 1_808_996_400_000, zone: "UTC")
        )
        let walk = try await store.create(Activity(name: "Walk", in: trip, from: nine, until: ten))
        // As the merge of a replica that moves the start with one that moves the end.
        let edits = [
            TripEvent(.edited, trip, [.set(\.startDay, Day(2027, 5, 9))]),
            TripEvent(.edited, walk, [.set(\.start, ten), .set(\.end, nine)]),
        ]
        try await store.appendUnchecked(
            edits.map { event in
                Event(
                    verb: event.verb, entity: event.entity,
                    changes: event.writes.map { Change(path: $0.path, value: $0.value) })
            })
        let exported = try await Exported(store)
        #expect(exported.losses.map(\.what) == [.reversedTimes])
        let again = try await store.importing(exported.path)
        #expect(again.events == 0 && again.warnings == [] && again.skipped.isEmpty, "\(again)")
        #expect(try store.trip(trip)?.endDay == Day(2027, 5, 8) && store.entity(walk)?.end == nine)

        let other = try await TripStore.test(clock: ManualClock(seed: 2))
        let report = try await other.importing(exported.path)
        #expect(report.warnings == [] && report.created == [.trip: 1, .activity: 1])
        #expect(try other.trip(trip)?.endDay == Day(2027, 5, 9) && other.entity(walk)?.end == ten)
        #expect(try await other.importing(exported.path).events == 0)
        for store in [store, other] { try await store.expectInvariants() }
    }

    @Test("An export of this store is no older file, whatever an import before said of when it was made")
    func older() async throws {
        let store = try await TripStore.test()
        try await store.create(Trip(name: "Lisbon"))
        let other = try await TripStore.test(clock: ManualClock(seed: 2))
        try await other.create(Trip(name: "Rome"))
        let late = try await Exported(other, at: Date(timeIntervalSince1970: 4_000_000_000))
        _ = try await store.importing(late.path)
        let own = try await Exported(store)
        #expect(try await store.importing(own.path).events == 0)
        let foreign = try await Exported(other)
        await #expect {
            try await store.importing(foreign.path)
        } throws: {
            ($0 as? TextFormatError)?.code == .olderFile
        }
        for store in [store, other] { try await store.expectInvariants() }
    }

    @Test("An export that is older than an edit counts as any file does, and clears nothing that it does not hold")
    func changed() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon", destination: "L", notes: "old"))
        let walk = try await store.create(Activity(name: "Walk", in: trip, days: Day(2027, 5, 1)...Day(2027, 5, 2)))
        let exported = try await Exported(store)
        try await store.edit(trip) { $0.notes = "new" }
        let report = try await store.importing(exported.path)
        // The file is older than the edit, and says another value than the store: as of any file, it counts.
        #expect(report.edited == [.trip: 1] && report.events == 1)
        #expect(try store.trip(trip)?.notes == "old")
        #expect(try store.trip(trip)?.destination == "L")
        #expect(try store.entity(walk)?.startDay == Day(2027, 5, 1))
        #expect(try store.entity(walk)?.start == nil)
        try await store.expectInvariants()
    }
}

extension Data {
    /// The lines without the one that names the store.
    fileprivate var withoutStore: [Substring] {
        String(decoding: self, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("  \"exportedFrom\" : ") }
    }

    /// Without the lines that say when records were made, which of attachments is when their store took them in.
    fileprivate var withoutCreationDates: [Substring] {
        withoutStore.filter { !$0.hasPrefix("   \"createdDate\" : ") }
    }
}

/// Trips with whatever the format and its added keys can hold, the same for the same seed.
private struct RandomTrips {
    private static let zones = ["Europe/Lisbon", "America/New_York", "Asia/Kathmandu", "Pacific/Auckland", "UTC"]
    private static let texts = ["", "Walk", "a \"quote\"\n\\", "Hôtel 東京 😀", "\u{1}"]

    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func upTo(_ count: Int) -> Int { Int.random(in: 0...count, using: &random) }
    private mutating func isChosen() -> Bool { Bool.random(using: &random) }
    private mutating func text() -> String { Self.texts[upTo(Self.texts.count - 1)] }

    /// Returns the attachments.
    mutating func make(in store: TripStore) async throws -> [AttachedFile.ID] {
        var organizations: [Organization.ID] = []
        for _ in 0..<3 { organizations.append(try await store.create(organization())) }
        var attachments: [AttachedFile.ID] = []
        for _ in 0..<5 {
            let trip = try await store.create(trip())
            for _ in 0..<upTo(4) {
                let (draft, organization) = (values(in: trip), isChosen() ? organizations[upTo(2)] : nil)
                let owner = try await item(draft, organization, in: store)
                for _ in 0..<upTo(2) {
                    let bytes = Data(random.bytes(upTo: 5_000))
                    attachments.append(
                        try await store.attach(
                            bytes, to: owner, as: "\(upTo(9)).pdf", mediaType: text(), caption: text()))
                }
            }
        }
        return attachments
    }

    private mutating func trip() -> Trip {
        let first = Day(2027, 5, 1).advanced(by: upTo(700))
        return Trip(
            name: "T\(text())", startDay: isChosen() ? first : nil,
            endDay: isChosen() ? first.advanced(by: upTo(9)) : nil,
            notes: text(), isProtected: isChosen(),
            originalCreation: isChosen() ? Date(timeIntervalSince1970: 1_700_000_000.5 + Double(upTo(9))) : nil)
    }

    private mutating func organization() -> Organization {
        let coordinates: Coordinates? = [
            nil, Coordinates(latitude: 0, longitude: 0), Coordinates(latitude: 38.722_252_3, longitude: -1e-9),
        ][upTo(2)]
        let address = Address(
            street: text(), city: text(), state: text(), country: text(), postalCode: text(),
            coordinates: coordinates, formatted: text())
        return Organization(
            name: "O\(text())", phone: text(), email: text(), website: text(), logoURL: text(),
            address: address.isEmpty ? nil : address)
    }

    /// An activity with the values that all kinds have.
    private mutating func values(in trip: Trip.ID) -> Activity {
        let start = Int64.random(in: 1_800_000_000_000...1_850_000_000_000, using: &random)
        let end = start + Int64(upTo(90_000_000))
        let second = { (milliseconds: Int64) in milliseconds / 1_000 * 1_000 }
        let isWhole = isChosen()
        let money: Money? = [
            nil, Money(minorUnits: 0, "EUR"), Money(minorUnits: -1_250, "USD"), Money(minorUnits: 900, "JPY"),
            Money(minorUnits: 1_234_567, "KWD"),
        ][upTo(4)]
        return Activity(
            name: "I\(text())", in: trip,
            from: upTo(4) == 0
                ? nil : Moment(milliseconds: isWhole ? second(start) : start, zone: Self.zones[upTo(4)]),
            until: upTo(4) == 0 ? nil : Moment(milliseconds: isWhole ? second(end) : end, zone: Self.zones[upTo(4)]),
            cost: money, paid: [PaidStatus.none, .deposit, .inFull][upTo(2)], reservation: text(), notes: text(),
            customLocationName: text(), hidesLocation: isChosen())
    }

    private mutating func item(
        _ values: Activity, _ organization: Organization.ID?, in store: TripStore
    ) async throws -> EntityReference {
        func set<Kind>(_ item: inout Item<Kind>) {
            (item.name, item.trip, item.start, item.end) = (values.name, values.trip, values.start, values.end)
            (item.cost, item.paid, item.reservation) = (values.cost, values.paid, values.reservation)
            (item.notes, item.customLocationName) = (values.notes, values.customLocationName)
            (item.hidesLocation, item.organization) = (values.hidesLocation, organization)
        }
        switch upTo(2) {
        case 0:
            var item = Activity(id: .new())
            set(&item)
            return try await store.create(item).reference
        case 1:
            var item = Lodging(id: .new())
            set(&item)
            return try await store.create(item).reference
        default:
            var item = Transportation(id: .new())
            set(&item)
            item.mode = TransportationMode.known[upTo(6)].value
            return try await store.create(item).reference
        }
    }
}
