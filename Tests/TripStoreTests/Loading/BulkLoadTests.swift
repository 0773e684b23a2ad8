import EventLog
import Events
import Foundation
import Logging
import ProjectionEngine
import StoreSupport
import TestSupport
import Testing
import TripProjections
import TripStoreProjections
import TripStoreTestSupport

@testable import TripStore

@Suite("Bulk loads")
struct BulkLoadTests {
    @Test(
        "A load writes what the same commits write one by one, down to what each of their authors had seen",
        arguments: Seeds.some(4))
    func equality(seed: UInt64) async throws {
        let journal = JournalID(UUID())
        var history = LoadHistory(seed: seed)
        let commits = (0..<60).map { history.commit("Trip \($0)") }
        let loaded = try await TripStore.test(journal: journal, clock: ManualClock(seed: seed))
        let appended = try await TripStore.test(journal: journal, clock: ManualClock(seed: seed))
        try await loaded.load { load in
            for events in commits { try await load.append(events) }
            try await load.flush()
            #expect(await load.commitCount == commits.count)
        }
        for events in commits { try await appended.append(events) }
        let (found, expected) = (try loaded.story(), try appended.story())
        for (found, expected) in zip(found, expected) { try #require(found == expected) }
        #expect(found.count == expected.count && found.count == commits.count + 1)
        #expect(
            try loaded.trips(.dated, limit: 1000).rows.map(\.trip)
                == appended.trips(.dated, limit: 1000).rows.map(\.trip))
        try await loaded.expectInvariants()
    }

    @Test("Queries show the state before until the load is over")
    func views() async throws {
        let store = try await TripStore.test()
        try await store.load { load in
            for number in 0..<20 { try await load.append([.created(Trip(name: "Trip \(number)"))]) }
            try await load.flush()
            #expect(try store.trips(.undated).rows.isEmpty)
            #expect(try store.isBehind)
        }
        #expect(try store.trips(.undated).rows.count == 20)
        try await store.expectInvariants()
    }

    @Test("What a load wrote is visible when it returns, also while another one goes on", arguments: [3, 40])
    func nested(commits: Int) async throws {
        let store = try await TripStore.test()
        try await store.load { other in
            try await store.load { load in
                for number in 0..<commits { try await load.append([.created(Trip(name: "Trip \(number)"))]) }
            }
            #expect(try store.trips(.undated, limit: 100).rows.count == commits)
            #expect(try !store.isBehind)
            try await other.append([.created(Trip(name: "Last"))])
            try await other.append([.created(Trip(name: "Very last"))])
        }
        #expect(try store.trips(.undated, limit: 100).rows.count == commits + 2)
        try await store.expectInvariants()
    }

    @Test("Another's write in between shows at once, and what is loaded next builds on it", arguments: [true, false])
    func othersWrite(isFlushed: Bool) async throws {
        let store = try await TripStore.test()
        let trip = Trip(name: "First")
        try await store.load { load in
            try await load.append([.created(trip)])
            if isFlushed { try await load.flush() }
            try await load.append([TripEvent(.edited, trip.id, [.set(\.destination, "Porto")])])
            try await load.flush()
            let other = try await store.append([TripEvent(.edited, trip.id, [.set(\.name, "Second")])])
            #expect(other.isVisible)
            #expect(try store.trip(trip.id)?.name == "Second")
            for number in 0..<10 {
                try await load.append([
                    TripEvent(.edited, trip.id, [.set(\.name, "Third \(number)")]), .created(Trip(name: "Further")),
                ])
            }
        }
        #expect(try store.trip(trip.id)?.name == "Third 9")
        #expect(try store.trip(trip.id)?.destination == "Porto")
        #expect(try store.trips(.undated).rows.count == 11)
        // Each was made in view of the one before: nothing conflicts.
        #expect(try store.conflicts(includingResolved: true).isEmpty)
        try await store.expectInvariants()
    }

    @Test("A load builds on what was there before it")
    func earlier() async throws {
        let store = try await TripStore.test()
        let trips = (0..<40).map { Trip(name: "Trip \($0)", days: Day(2027, 5, 1)...Day(2027, 5, 8)) }
        try await store.append(trips.map { .created($0) })
        let gone = Trip(name: "Gone")
        try await store.create(gone)
        try await store.delete(gone.id)
        let first = try #require(trips.first)
        try await store.load { load in
            for trip in trips {
                try await load.append([
                    .created(Activity(name: "Walk", in: trip.id, from: .sample(1))),
                    TripEvent(.edited, trip.id, [.set(\.endDay, Day(2027, 5, 20))]),
                ])
            }
            try await load.append([.restored(gone.id), TripEvent(.edited, gone.id, [.set(\.name, "Back")])])
        }
        #expect(try store.items(of: first.id).count == 1)
        #expect(try store.trip(first.id)?.endDay == Day(2027, 5, 20))
        #expect(try store.trip(gone.id)?.name == "Back")
        #expect(try store.conflicts(includingResolved: true).isEmpty)
        for (events, isValid) in [
            ([TripEvent(.edited, first.id, [.set(\.endDay, Day(2027, 4, 1))])], false),
            ([.created(Activity(name: "Walk", in: Trip.ID(UUID()), from: .sample(1)))], false),
            ([.created(first)], false),
            ([TripEvent(.edited, first.id, [.set(\.endDay, Day(2027, 5, 2))])], true),
        ] {
            do {
                try await store.load { try await $0.append(events) }
                #expect(isValid)
            } catch {
                #expect(!isValid, "\(error)")
            }
        }
        try await store.expectInvariants()
    }

    @Test("An entity that was released is found again in the views")
    func letGo() async throws {
        let store = try await TripStore.test()
        let first = Organization(name: "First")
        try await store.load { load in
            try await load.append([.created(first)])
            for batch in 0..<18 {
                try await load.append((0..<1_000).map { .created(Organization(name: "Number \(batch) \($0)")) })
            }
            try await load.append([TripEvent(.edited, first.id, [.set(\.phone, "+351 21 000 000")])])
            for _ in 0..<3 { try await load.append([.created(Organization(name: "Last"))]) }
        }
        let found = try #require(try store.entity(first.id))
        #expect(found.name == "First" && found.phone == "+351 21 000 000")
        #expect(try store.organizations(named: "last").count == 3)
        try await store.expectInvariants()
    }

    @Test("Faults of events alone are thrown at once, and the load continues")
    func malformed() async throws {
        let store = try await TripStore.test()
        try await store.load { load in
            try await load.append([.created(Trip(name: "Good"))])
            await #expect {
                try await load.append([.created(Trip(name: "Fine")), .created(Trip(name: "  "))])
            } throws: {
                ($0 as? TripStoreError)?.code == .invalidValue
            }
            await #expect(throws: TripStoreError.self) { try await load.append([]) }
            try await load.append([.created(Trip(name: "Good, too"))])
        }
        #expect(try store.trips(.undated).rows.map(\.trip.name).sorted() == ["Good", "Good, too"])
        try await store.expectInvariants()
    }

    @Test("What the state forbids ends the load: the commits before are stored, and none from there on")
    func forbidden() async throws {
        let store = try await TripStore.test()
        let trip = Trip(name: "Once")
        await #expect(throws: TripStoreError.self) {
            try await store.load { load in
                for number in 0..<3 { try await load.append([.created(Trip(name: "Before \(number)"))]) }
                try await load.append([.created(trip)])
                try await load.append([.created(Trip(name: "Half")), .created(trip)])
                for number in 0..<30 { try await load.append([.created(Trip(name: "After \(number)"))]) }
            }
        }
        #expect(
            Set(try store.trips(.undated).rows.map(\.trip.name)) == ["Before 0", "Before 1", "Before 2", "Once"])
        // The store still accepts writes.
        try await store.create(Trip(name: "Later"))
        #expect(try store.trips(.undated).rows.count == 5)
        try await store.expectInvariants()
    }

    private struct Interrupted: Error {}

    @Test("What was appended before the closure threw is there, and its error comes out")
    func thrown() async throws {
        let store = try await TripStore.test()
        await #expect(throws: Interrupted.self) {
            try await store.load { load in
                try await load.append([.created(Trip(name: "Kept"))])
                throw Interrupted()
            }
        }
        #expect(try store.trips(.undated).rows.map(\.trip.name) == ["Kept"])
        try await store.expectInvariants()
    }

    @Test("Several tasks may append to one load, and nothing may once it is over")
    func tasks() async throws {
        let store = try await TripStore.test()
        let kept = try await store.load { load in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask { try await load.append([.created(Trip(name: "Trip \(number)"))]) }
                }
                try await group.waitForAll()
            }
            return load
        }
        #expect(await kept.eventCount == 40)
        await #expect(throws: TripStoreError.self) { try await kept.append([.created(Trip(name: "Late"))]) }
        #expect(try store.trips(.undated).rows.count == 40)
        try await store.expectInvariants()
    }

    @Test("The app's own views show what was loaded, and a store that is read takes no load")
    func appViews() async throws {
        let folder = TemporaryFolder()
        let byName = EntityProjection<Trip>("by-name", version: 1) { trip, sink in
            sink.put(Array(trip.name.utf8.prefix(100)) + [0] + trip.id.uuid.bytes)
        }
        var options = TripStore.Options(
            mapSize: 1 << 30, projections: [byName], dependencies: ManualClock().dependencies)
        options.logger.logLevel = .critical
        let store = try await TripStore.open(at: folder.url, options: options)
        try await store.load { load in
            for number in 0..<100 { try await load.append([.created(Trip(name: "Trip \(number)"))]) }
        }
        try await store.appViews.catchUp()
        #expect(try store.appViews.read { try $0.rowCount(of: "by-name") } == 100)
        try await store.expectInvariants()
        let reader = try await TripStore.open(at: folder.url, options: .readOnly)
        await #expect { try await reader.load { _ in } } throws: { ($0 as? TripStoreError)?.code == .readOnly }
        await store.close()
    }
}

extension TripStore {
    /// The log without its authors: numbers, times, and every event with the writes that its author had seen.
    func story() throws -> [String] {
        var told: [String] = []
        try log.read { log in
            try log.forEachCommit(after: .start) { commit in
                let recorded = RecordedCommit(commit)
                let entry = "\(recorded.header.sequence) \(recorded.header.timestamp) \(recorded.payload?.events ?? [])"
                // Each store has a replica of its own.
                told.append(entry.replacingOccurrences(of: "\(recorded.header.replica)", with: "own"))
                return true
            }
        }
        return told
    }
}
