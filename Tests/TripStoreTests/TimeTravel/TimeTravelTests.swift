import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Time travel")
struct TimeTravelTests {
    /// The results of queries at one moment.
    private struct Results: Equatable {
        var trips: [TripRow] = []
        var undated: [TripRow] = []
        var items: [Trip.ID: [TripItem]] = [:]
        var activities: [Activity.ID: Activity] = [:]

        init(_ store: some TripQuerying, _ writer: RandomWriter) throws {
            (trips, undated, items, activities) = try store.read { views in
                var items: [Trip.ID: [TripItem]] = [:]
                for trip in writer.trips { items[trip] = try views.items(of: trip).rows }
                var activities: [Activity.ID: Activity] = [:]
                for activity in writer.activities { activities[activity] = try views.entity(activity) }
                return (
                    try views.trips(.dated, limit: 1000).rows, try views.trips(.undated, limit: 1000).rows, items,
                    activities
                )
            }
        }
    }

    @Test("Items of whole days have the same place among others now and as of the newest position")
    func wholeDays() async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: 1))
        let trip = try await store.create(Trip(name: "Porto"))
        var fair = Activity(name: "Fair", in: trip)
        (fair.startDay, fair.endDay) = (Day(2027, 5, 2), Day(2027, 5, 3))
        let tram = Activity(name: "Tram", in: trip, from: try Moment(parsing: "2027-05-02T09:00", in: "Europe/Lisbon"))
        let tour = Activity(name: "Tour", in: trip, from: try Moment(parsing: "2027-05-01T09:00", in: "Europe/Lisbon"))
        var inn = Lodging(name: "Inn", in: trip)
        inn.startDay = Day(2027, 5, 2)
        let walk = Activity(name: "Walk", in: trip)
        try await store.append([
            .created(walk), .created(tram), .created(inn), .created(fair), .created(tour),
        ])
        let rows = try store.items(of: trip).rows
        #expect(rows.map(\.name) == ["Tour", "Fair", "Inn", "Tram", "Walk"])
        let position = try store.status().position
        #expect(try store.items(of: trip, asOf: .position(position)).rows == rows)
        #expect(try await store.asOf(position).items(of: trip).rows == rows)
        try await store.expectInvariants()
    }

    @Test("As of any position queries return what they returned then", arguments: Seeds.some(4))
    func positions(seed: UInt64) async throws {
        let store = try await TripStore.test(clock: ManualClock(seed: seed))
        var writer = RandomWriter(seed: seed)
        var then: [(position: Position, results: Results)] = []
        for _ in 0..<60 {
            try await writer.write(to: store)
            then.append((try store.status().position, try Results(store, writer)))
        }
        for (position, results) in then.shuffled(using: &writer.generator).prefix(8) {
            let past = try await store.asOf(position)
            var known = writer
            // For ids that were made later the earlier results have nothing.
            known.trips = Array(results.items.keys)
            known.activities = writer.activities
            var found = try Results(past, known)
            found.activities = found.activities.filter { results.activities[$0.key] != nil }
            #expect(found == results)
            #expect(past.position == position)
            // The same from the entities' own events.
            for (trip, items) in results.items {
                #expect(try store.items(of: trip, asOf: .position(position)).rows == items)
                #expect(try store.entity(trip, asOf: .position(position)) == past.trip(trip))
            }
            for activity in writer.activities {
                #expect(try store.entity(activity, asOf: .position(position)) == past.entity(activity))
            }
        }
        try await store.expectInvariants()
    }

    @Test("Before everything there is nothing, and as of the end there is what is there")
    func ends() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 2)))
        #expect(try await store.asOf(.start).trips().rows.isEmpty)
        #expect(try await store.asOf(store.status().position).trips().rows == store.trips().rows)
        #expect(try store.entity(lisbon, asOf: .position(.start)) == nil)
        try await store.expectInvariants()
    }

    @Test("A position in the future is refused, with what there is")
    func future() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        await #expect { try await store.asOf(Position(99)) } throws: { error in
            (error as? TripStoreError)?.code == .unknownPosition && "\(error)".contains("99")
                && "\(error)".contains("2")
        }
        #expect(throws: TripStoreError.self) { try store.entity(lisbon, asOf: .position(Position(99))) }
        #expect(throws: TripStoreError.self) { try store.items(of: lisbon, asOf: .position(Position(99))) }
        #expect(throws: TripStoreError.self) {
            try store.differences(from: .position(.start), to: .position(Position(99)))
        }
        try await store.expectInvariants()
    }

    @Test("As of an instant counts what had been written anywhere by then, whenever it came here")
    func instants() async throws {
        let journal = JournalID(UUID())
        let (clock, otherClock) = (ManualClock(seed: 1), ManualClock(seed: 2))
        let store = try await TripStore.test(journal: journal, clock: clock)
        let other = try await TripStore.test(journal: journal, clock: otherClock)
        func date(_ clock: ManualClock) -> Date { Date(timeIntervalSince1970: Double(clock.now) / 1000) }

        let lisbon = try await store.create(Trip(name: "Lisbon"))
        try await store.pass(to: other)
        otherClock.advance(by: 10_000)
        try await other.edit(lisbon) { $0.name = "Porto" }
        clock.advance(by: 20_000)
        try await store.edit(lisbon) { $0.destination = "Portugal" }
        let instant = date(otherClock)
        let before = try await store.asOf(instant)
        #expect(try before.trip(lisbon)?.name == "Lisbon")
        // A peer's earlier commit arrives later, and changes the past as of that instant.
        try await other.pass(to: store)
        let after = try await store.asOf(instant)
        #expect(try after.trip(lisbon)?.name == "Porto")
        #expect(try after.trip(lisbon)?.destination == "")
        #expect(try store.entity(lisbon, asOf: .date(instant)) == after.trip(lisbon))
        #expect(try before.trip(lisbon)?.name == "Lisbon")
        // The past as of a position does not change.
        #expect(try await store.asOf(Position(3)).trip(lisbon)?.name == "Lisbon")
        #expect(try await store.asOf(Position(3)).trip(lisbon)?.destination == "Portugal")
        try await store.expectInvariants()
        try await other.expectInvariants()
    }

    @Test("A trip before and after any commit takes its own events alone")
    func beforeAndAfter() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let porto = try await store.create(Trip(name: "Porto"))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon, from: .sample(1)))
        let moved = try await store.move(tram, to: porto)
        let deleted = try await store.delete(lisbon)
        #expect(try store.items(of: lisbon, asOf: .position(moved.position - 1)).map(\.id) == [.activity(tram)])
        #expect(try store.items(of: lisbon, asOf: .position(moved.position)).isEmpty)
        #expect(try store.items(of: porto, asOf: .position(moved.position)).map(\.id) == [.activity(tram)])
        #expect(try store.entity(lisbon, asOf: .position(deleted.position - 1))?.name == "Lisbon")
        #expect(try store.entity(lisbon, asOf: .position(deleted.position)) == nil)
        try await store.expectInvariants()
    }

    @Test("Views of the past are kept, few of them, and their folders go with them")
    func bounded() async throws {
        let store = try await TripStore.test()
        for number in 0..<12 { try await store.create(Trip(name: "\(number)")) }
        var folders: Set<String> = []
        for position in 2...12 {
            let past = try await store.pastCache.views(.position(Position(UInt64(position))), in: store.log) {
                let folder = TemporaryFolder.unowned()
                return try await store.views.past(.position(Position(UInt64(position))), at: folder) { _ in }
            }
            folders.insert(past.path)
        }
        #expect(folders.count == 11)
        #expect(folders.filter { FileManager.default.fileExists(atPath: $0) }.count == 4)
        let again = try await store.pastCache.views(.position(Position(12)), in: store.log) {
            Issue.record("It is kept.")
            throw CancellationError()
        }
        #expect(folders.contains(again.path))
        try await store.expectInvariants()
    }
}
