import Foundation
import StoreSupport
import Testing
import TravelingSnails
import TripFormats
import TripStore

@Suite("Rules of import")
struct RulesTests {
    private let trip = Trip.ID(UUID(Export.trip))
    private let flight = Transportation.ID(UUID(Export.flight))
    private let airline = Organization.ID(UUID(Export.airline))

    @Test(
        "A person's edit stays where the file says nothing new; where it does it is written over, counted and a conflict"
    )
    func baseDecides() async throws {
        let store = try await TripStore.test()
        var export = Export(trips: [Export.trip(flights: [Export.item()])])
        let first = try export.path("first.json")
        _ = try await store.importing(first)
        try await store.edit(flight) { $0.name = "By hand" }
        try await store.edit(flight) { $0.notes = "Seat 4" }
        try await store.edit(trip) { $0.destination = "Lisboa" }
        #expect(try await store.importing(first).events == 0)
        #expect(try store.entity(flight)?.name == "By hand")

        export.trips = [Export.trip(flights: [Export.item(Export.flight, ["name": "\"Later\""])])]
        let second = try export.path("second.json")
        let report = try await store.importing(second)
        #expect(
            report.counts == [
                "edited": [.transportation: 1], "overridden": [.transportation: 1], "unchanged": [.trip: 1],
            ])
        let stored = try #require(try store.entity(flight))
        #expect(stored.name == "Later" && stored.notes == "Seat 4")
        #expect(try store.trip(trip)?.destination == "Lisboa")
        let conflict = try #require(try store.conflicts().first)
        #expect(conflict.superseded.value.text == "By hand" && conflict.winner.value.text == "Later")
        #expect(try await store.importing(second).events == 0)

        // Importing the older file restores its values.
        let back = try await store.importing(first)
        #expect(back.counts == ["edited": [.transportation: 1], "unchanged": [.trip: 1]])
        #expect(try store.entity(flight)?.name == "Item")
        #expect(try store.entity(flight)?.notes == "Seat 4")
        try await store.expectInvariants()
    }

    @Test(
        "An item keeps the kind that a person gave it: a file writes what is new to it, and a mirror does not delete it"
    )
    func keptKind() async throws {
        let store = try await TripStore.test()
        var export = Export(trips: [Export.trip(flights: [Export.item()])])
        let first = try export.path("first.json")
        _ = try await store.importing(first)
        let item = try await store.changeKind(of: .transportation(flight), to: .activity)
        #expect(try await store.importing(first, mirror: true).events == 0)
        #expect(try store.items(of: trip).map(\.id) == [item])
        export.trips = [Export.trip(flights: [Export.item(Export.flight, ["name": "\"Later\""])])]
        #expect(try await store.importing(try export.path("second.json")).events == 1)
        #expect(try store.items(of: trip).map(\.name) == ["Later"])
        try await store.expectInvariants()
    }

    @Test("A field in which the file is new is written though the store agrees, so that it is the file's from then on")
    func agreeing() async throws {
        let store = try await TripStore.test()
        var export = Export(trips: [Export.trip(flights: [Export.item()])])
        let first = try export.path("first.json")
        _ = try await store.importing(first)
        try await store.edit(flight) { $0.name = "Later" }
        export.trips = [Export.trip(flights: [Export.item(Export.flight, ["name": "\"Later\""])])]
        let report = try await store.importing(try export.path("second.json"))
        #expect(report.counts == ["edited": [.transportation: 1], "unchanged": [.trip: 1]])
        #expect(try store.conflicts(includingResolved: true).isEmpty)
        #expect(try await store.importing(first).events == 1)
        #expect(try store.entity(flight)?.name == "Item")
        try await store.expectInvariants()
    }

    @Test("Another replica knows what a file said by the commits alone, in the order of the merge")
    func knownByCommits() async throws {
        let folders = [TemporaryFolder(), TemporaryFolder()]
        let one = try await TripStore.test(clock: ManualClock(seed: 1), at: folders[0].url)
        let other = try await TripStore.test(clock: ManualClock(seed: 2), at: folders[1].url)
        var export = Export(trips: [Export.trip(flights: [Export.item()])])
        let first = try export.path("first.json")
        export.trips = [Export.trip(flights: [Export.item(Export.flight, ["name": "\"Later\""])])]
        let second = try export.path("second.json")
        _ = try await one.importing(first)
        try await one.edit(flight) { $0.notes = "Seat 4" }
        try await one.exchange(with: .folder(other.folder))
        try await other.catchUp()
        #expect(try await other.importing(first).events == 0)
        _ = try await other.importing(second)
        try await one.exchange(with: .folder(other.folder))
        try await other.catchUp()
        for store in [one, other] { #expect(try await store.importing(second).events == 0) }
        #expect(try await one.importing(first).counts["edited"] == [.transportation: 1])
        #expect(try one.entity(flight)?.notes == "Seat 4")
        for store in [one, other] { try await store.expectInvariants() }
    }

    @Test("An import that was undone can be done again by importing the file again")
    func undone() async throws {
        let store = try await TripStore.test()
        let export = Export(trips: [Export.trip(flights: [Export.item()])])
        let first = try await store.importing(export)
        try await store.undo(.correlation(try #require(first.correlation)))
        #expect(try store.entity(flight) == nil)
        let again = try await store.importing(export)
        #expect(again.counts == ["restored": [.trip: 1, .transportation: 1]])
        #expect(try store.entity(flight)?.name == "Item")
        #expect(try await store.importing(export).events == 0)
        try await store.expectInvariants()
    }

    @Test(
        "A file exported before that of the last import is refused unless it is asked for, and without a date it is not"
    )
    func older() async throws {
        let store = try await TripStore.test()
        func export(_ name: String, at date: String?) -> Export {
            var export = Export(trips: [Export.trip(flights: [Export.item(Export.flight, ["name": "\"\(name)\""])])])
            export.date = date
            return export
        }
        let (old, new) = (export("Old", at: "2027-01-01T10:00:00Z"), export("New", at: "2027-01-02T10:00:00Z"))
        _ = try await store.importing(new)
        let position = try store.status().position
        let error = await #expect(throws: TextFormatError.self) { try await store.importing(old) }
        #expect(error?.code == .olderFile)
        #expect(try store.status().position == position)
        #expect(try await store.importing(new).events == 0)
        let options = ImportOptions(isOlderAllowed: true)
        try await Importer(store: store, options: options).run(path: old.path())
        #expect(try store.entity(flight)?.name == "Old")
        _ = try await store.importing(new)
        _ = try await store.importing(export("Undated", at: nil))
        // The last import does not say when its file was exported.
        _ = try await store.importing(old)
        #expect(try store.entity(flight)?.name == "Old")
        try await store.expectInvariants()
    }

    @Test("A change that does not fit what a person wrote is left out with a warning, and the person's edit stays")
    func unfitting() async throws {
        let store = try await TripStore.test()
        _ = try await store.importing(Export(trips: [Export.trip(flights: [Export.item()])]))
        let late = Moment(milliseconds: 1_809_475_200_000, zone: "Europe/Lisbon")
        try await store.edit(flight) { ($0.start, $0.end) = (late, late) }
        let item = Export.item(Export.flight, ["end": "\"2027-05-02T02:00:00Z\""])
        let report = try await store.importing(Export(trips: [Export.trip(flights: [item])]))
        #expect(report.counts == ["unchanged": [.trip: 1], "skipped": [.transportation: 1]])
        #expect(report.warnings.count == 1)
        #expect(try store.entity(flight)?.end == late)
        try await store.expectInvariants()
    }

    @Test("A mirror deletes only items of the trips that the file names, and none that the file moved or cannot read")
    func mirrorsNoMore() async throws {
        let store = try await TripStore.test()
        let other = "00000000-0000-0000-0000-00000000000B"
        let unreadable = "00000000-0000-0000-0000-00000000000C"
        let moved = "00000000-0000-0000-0000-000000000101"
        let bad = "00000000-0000-0000-0000-000000000102"
        let walk = "00000000-0000-0000-0000-000000000103"
        _ = try await store.importing(
            Export(
                trips: [
                    Export.trip(flights: [Export.item(), Export.item(moved)], activities: [Export.item(walk)]),
                    Export.trip(other), Export.trip(unreadable, flights: [Export.item(bad)]),
                ], organizations: [Export.organization(Export.airline, "TAP")]))
        let elsewhere = try await store.create(Trip(name: "By hand"))
        let kept = try await store.create(Activity(name: "By hand", in: elsewhere))

        let later = Export(
            trips: [
                Export.trip(flights: [Export.item(Export.flight, ["name": "\"\""])]),
                Export.trip(other, flights: [Export.item(moved)]),
                Export.trip(unreadable, flights: [Export.item(bad, ["start": "1"])]),
            ])
        let report = try await store.importing(later, mirror: true)
        #expect(report.deleted == [.activity: 1])
        #expect(try store.entity(Activity.ID(UUID(walk))) == nil)
        #expect(try store.entity(flight)?.name == "Item")
        #expect(try store.entity(Transportation.ID(UUID(moved)))?.trip == Trip.ID(UUID(other)))
        #expect(try store.entity(Transportation.ID(UUID(bad))) != nil)
        #expect(try store.entity(kept) != nil)
        #expect(try store.entity(airline) != nil)

        // An item that a person restored is not deleted again by the same file.
        try await store.restore(Activity.ID(UUID(walk)))
        #expect(try await store.importing(later, mirror: true).events == 0)
        try await store.expectInvariants()
    }

    @Test("An import that is refused half way, as by a store for reading, throws and ends")
    func refusals() async throws {
        let folder = TemporaryFolder()
        let store = try await TripStore.test(at: folder.url)
        let reader = try await TripStore.open(at: folder.url, options: .readOnly)
        await #expect(throws: TripStoreError.self) { try await reader.importing(Flights.planned) }
        await #expect(throws: ValidationError.self) {
            try await Importer(store: store, options: ImportOptions(currency: "XXX")).run(path: Flights.planned)
        }
        try await store.expectInvariants()
    }
}
