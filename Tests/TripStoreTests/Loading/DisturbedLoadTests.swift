import EventLog
import Events
import Foundation
import Logging
import StoreSupport
import TestSupport
import Testing
import TripStoreTestSupport
import Trips

@testable import TripStore

/// A load plans its commits ahead: writes in between do not change what they become.
@Suite("Loads into whose way others come")
struct DisturbedLoadTests {
    @Test(
        "Another replica's commits arrive in between, and what is loaded next has seen them",
        arguments: [5_000, -5_000])
    func exchange(clockAhead: Int64) async throws {
        let journal = JournalID(UUID())
        let clock = ManualClock()
        let store = try await TripStore.test(journal: journal, clock: clock)
        let other = try await TripStore.test(
            journal: journal, clock: ManualClock(milliseconds: clock.now + clockAhead, seed: 2))
        let trip = Trip(name: "First")
        try await store.create(trip)
        try await store.pass(to: other)
        try await store.load { load in
            // Also before the first.
            try await other.append([TripEvent(.edited, trip.id, [.set(\.notes, "Other")])])
            try await other.pass(to: store)
            clock.advance(by: 10)
            for round in 0..<4 {
                for number in 0..<5 {
                    try await load.append([
                        .created(Trip(name: "Further \(round) \(number)")),
                        TripEvent(.edited, trip.id, [.set(\.notes, "\(round) \(number)")]),
                    ])
                }
                if round.isMultiple(of: 2) { try await load.flush() }
                try await other.append([TripEvent(.edited, trip.id, [.set(\.destination, "Round \(round)")])])
                try await other.pass(to: store)
                clock.advance(by: 10)
            }
            try await load.append([TripEvent(.edited, trip.id, [.set(\.destination, "Mine")])])
        }
        #expect(try store.trip(trip.id)?.destination == "Mine")
        #expect(try store.trip(trip.id)?.notes == "3 4")
        #expect(try store.trips(.undated).rows.count == 21)
        #expect(try store.conflicts(includingResolved: true).isEmpty)
        try await store.expectInvariants()
        try await other.expectInvariants()
    }

    @Test("A load goes on where the log's file has to grow in the midst of it")
    func growth() async throws {
        let folder = TemporaryFolder()
        var options = TripStore.Options(mapSize: 1 << 20, dependencies: ManualClock().dependencies)
        options.logger.logLevel = .critical
        let store = try await TripStore.open(at: folder.url, options: options)
        let trip = Trip(name: "Long")
        let notes = String(repeating: "long ", count: 8_000)
        try await store.load { load in
            try await load.append([.created(trip)])
            for number in 0..<300 {
                try await load.append([
                    .created(Trip(name: "Trip \(number)", notes: notes)),
                    TripEvent(.edited, trip.id, [.set(\.notes, "\(number)")]),
                ])
            }
        }
        #expect(try store.trips(.undated, limit: 1_000).rows.count == 301)
        #expect(try store.trip(trip.id)?.notes == "299")
        #expect(try store.conflicts(includingResolved: true).isEmpty)
        try await store.expectInvariants()
        await store.close()
    }

    @Test("What is forbidden is found out while many commits are under way that have to be planned anew")
    func forbidden() async throws {
        let store = try await TripStore.test()
        let trip = Trip(name: "Once")
        let error = await #expect(throws: TripStoreError.self) {
            try await store.load { load in
                try await load.append([.created(trip)])
                try await load.flush()
                // It is in the writer's queue before those that are planned now.
                async let other = store.append([TripEvent(.edited, trip.id, [.set(\.notes, "Other")])])
                for number in 0..<14 {
                    try await load.append([
                        .created(Trip(name: "Before \(number)")),
                        TripEvent(.edited, trip.id, [.set(\.name, "Name \(number)")]),
                    ])
                }
                _ = try await other
                try await load.append([.created(Trip(name: "Half")), .created(trip)])
                for number in 0..<40 { try await load.append([.created(Trip(name: "After \(number)"))]) }
            }
        }
        #expect(error?.code == .alreadyExists)
        let names = try store.trips(.undated, limit: 1_000).rows.map(\.trip.name)
        #expect(Set(names) == Set((0..<14).map { "Before \($0)" } + ["Name 13"]))
        #expect(try store.trip(trip.id)?.notes == "Other")
        #expect(try store.conflicts(includingResolved: true).isEmpty)
        try await store.expectInvariants()
    }

    @Test("Parts that no version knows stay, where they were there before the load as within it")
    func unknownParts() async throws {
        let store = try await TripStore.test()
        let trip = Trip(name: "Trip")
        let field: UInt64 = 11
        let walks = (0..<2).map { Activity(name: "Walk \($0)", in: trip.id, from: .sample($0)) }
        let unknown: [UInt8] = [0x0A, 1, 65, 0xC2, 0x3E, 1, 9]
        let odd = walks.map { TripEvent(.edited, $0.reference, writes: [.init(field: field, value: unknown)]) }
        try await store.append([.created(trip)] + walks.map { .created($0) })
        try await store.append([odd[0]])
        try await store.load { load in
            try await load.append([odd[1]])
            try await load.append(walks.map { TripEvent(.edited, $0.id, [.set(\.address, Address(street: "Rua 1"))]) })
        }
        for walk in walks {
            let value = try store.views.read { views in
                try views.withRecord(of: walk.reference) { try EntityRecord($0) }?.register(
                    at: FieldPath(field: field))?
                    .value
            }
            #expect(value?.suffix(4) == [0xC2, 0x3E, 1, 9])
            #expect(value != unknown)
        }
        try await store.expectInvariants()
    }

    @Test(
        "Ends of items are held against each other in zones that the platform does not list", arguments: [false, true])
    func zones(isLoaded: Bool) async throws {
        let store = try await TripStore.test()
        let trip = Trip(name: "Trip")
        let walk = Activity(
            name: "Walk", in: trip.id, from: Moment(milliseconds: 1_000_000, zone: "UTC"),
            until: Moment(milliseconds: 2_000_000, zone: "Etc/UTC"))
        try await store.append([.created(trip), .created(walk)])
        for (start, isValid) in [(1_500_000, true), (2_000_000, true), (2_000_001, false)] as [(Int64, Bool)] {
            let edit = TripEvent(.edited, walk.id, [.set(\.start, Moment(milliseconds: start, zone: "US/Pacific"))])
            do {
                if isLoaded {
                    try await store.load { try await $0.append([edit]) }
                } else {
                    try await store.append([edit])
                }
                #expect(isValid)
            } catch {
                #expect(!isValid && (error as? TripStoreError)?.code == .invalidValue, "\(error)")
            }
        }
        #expect(try store.entity(walk.id)?.start?.milliseconds == 2_000_000)
        try await store.expectInvariants()
    }
}
