import Events
import Foundation
import Logging
import StoreSupport
import Testing

@testable import TripStore

@Suite("Days of trips that follow the items that are written")
struct FollowedDaysTests {
    /// A store with a trip that an import made of a stay from 23 to 27 June.
    private static func store() async throws -> (TripStore, Trip.ID, Lodging.ID) {
        var options = TripStore.Options(
            deviceName: "test", mapSize: 1 << 30, dependencies: ManualClock().dependencies)
        options.logger.logLevel = .critical
        let store = try await TripStore.temporary(options: options)
        var trip = Trip(id: .derived(from: "import", "trip:T"))
        (trip.name, trip.startDay, trip.endDay) = ("T", Day(2027, 6, 23), Day(2027, 6, 27))
        let stay = Lodging(name: "Inn", in: trip.id, days: Day(2027, 6, 23)...Day(2027, 6, 27))
        let file = Authorship(causation: ImportMark(.values, of: .zero).causation)
        try await store.append([.created(trip), .created(stay)], by: file)
        return (store, trip.id, stay.id)
    }

    private static func days(_ store: TripStore, _ trip: Trip.ID) throws -> String {
        let trip = try #require(try store.trip(trip))
        return [trip.startDay, trip.endDay].map { $0.map { "\($0)" } ?? "–" }.joined(separator: " ")
    }

    @Test(
        "The days of a trip that an import made follow its items, whatever verb writes these, until a person sets them")
    func verbs() async throws {
        let (store, trip, inn) = try await Self.store()
        func expect(_ days: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
            #expect(try Self.days(store, trip) == days, sourceLocation: sourceLocation)
        }
        let last = Day(2027, 6, 30)
        let party = try await store.create(Activity(name: "Party", in: trip, days: last...last))
        try expect("2027-06-23 2027-06-30")
        try await store.delete(party)
        try expect("2027-06-23 2027-06-27")
        try await store.restore(party)
        try expect("2027-06-23 2027-06-30")
        let other = try await store.create(Trip(name: "Other"))
        let moved = try await store.move(party, to: other)
        #expect(moved.followed == [trip.reference])
        try expect("2027-06-23 2027-06-27")
        // A trip that a person made follows nothing.
        #expect(try Self.days(store, other) == "– –")
        try await store.edit(inn) { $0.startDay = Day(2027, 6, 20) }
        try expect("2027-06-20 2027-06-27")
        #expect(try await store.edit(inn) { $0.notes = "n" }.followed.isEmpty)
        let both = try await store.commit { commit in
            commit.move(party, to: trip)
            commit.edit(inn, [.set(\.endDay, Day(2027, 6, 22))])
            commit.edit(trip, [.set(\.notes, "n")])
        }
        try expect("2027-06-20 2027-06-30")
        #expect(try both.version(of: trip) == store.version(of: trip))
        try await store.append([.deleted(party)])
        try expect("2027-06-20 2027-06-22")
        try await store.edit(inn) { $0.stage = .cancelled }
        try expect("2027-06-20 2027-06-22")
        try await store.edit(trip) { $0.endDay = Day(2027, 7, 1) }
        try await store.edit(inn) { ($0.stage, $0.startDay, $0.endDay) = (.planned, Day(2027, 6, 21), Day(2027, 7, 4)) }
        try expect("2027-06-21 2027-07-01")
        try await store.expectInvariants()
    }

    @Test("An undoing takes back the days that followed with what they followed, and so does a redo")
    func undo() async throws {
        let (store, trip, inn) = try await Self.store()
        let receipt = try await store.edit(inn) { $0.endDay = Day(2027, 6, 29) }
        #expect(try Self.days(store, trip) == "2027-06-23 2027-06-29")
        let report = try await store.undo(receipt)
        #expect(report.kept.isEmpty && report.commits.count == 1)
        #expect(try Self.days(store, trip) == "2027-06-23 2027-06-27")
        try await store.redo()
        #expect(try Self.days(store, trip) == "2027-06-23 2027-06-29")
        try await store.edit(inn) { $0.endDay = Day(2027, 6, 25) }
        #expect(try Self.days(store, trip) == "2027-06-23 2027-06-25")
        // What a person did last is the edit of the stay, not what followed it.
        try await store.undo(.last())
        #expect(try store.entity(inn)?.endDay == Day(2027, 6, 29))
        #expect(try Self.days(store, trip) == "2027-06-23 2027-06-29")
        try await store.expectInvariants()
    }

    @Test("A trip of a derived id that no import made follows nothing")
    func derived() async throws {
        let (store, _, _) = try await Self.store()
        let app = Trip.ID.derived(from: "app.example", "1")
        try await store.upsert(app) { $0.name = "App" }
        let tour = Activity(name: "Tour", in: app, days: Day(2027, 6, 1)...Day(2027, 6, 2))
        #expect(try await store.append([.created(tour)]).followed.isEmpty)
        #expect(try Self.days(store, app) == "– –")
        try await store.expectInvariants()
    }
}
