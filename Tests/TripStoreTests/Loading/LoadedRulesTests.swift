import EventLog
import Events
import Foundation
import StoreSupport
import Synchronization
import TestSupport
import Testing
import TripStoreTestSupport
import Trips

@testable import TripStore

/// A load accepts, refuses and writes the same as other appends.
@Suite("Rules in a load")
struct LoadedRulesTests {
    /// Valid commits, and one that may be invalid.
    struct Story: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let commits: [[TripEvent]]
        let last: [TripEvent]
    }

    static let stories: [Story] = {
        let (first, second) = (Trip(name: "First"), Trip(name: "Second"))
        let (item, other) = (Activity(name: "Walk", in: first.id), Activity(name: "Swim", in: first.id))
        let all: [TripEvent] = [.created(first), .created(second), .created(item)]
        let start = Moment(milliseconds: 1_809_160_200_000, zone: "Europe/Lisbon")
        let end = Moment(milliseconds: 1_809_169_200_000, zone: "Europe/Lisbon")
        let unknownParts = TripEvent.Write(field: 11, value: [0x0A, 1, 65, 0xC2, 0x3E, 1, 9])
        func seen(_ value: [UInt8]?, writing new: String) -> TripEvent.Write {
            TripEvent.Write(field: 3, value: Array(new.utf8), saw: .value(value))
        }
        return [
            Story(
                testDescription: "an item for a trip that was deleted after another came into it",
                commits: [all], last: [.deleted(first.id), .created(other)]),
            Story(
                testDescription: "an item for a trip that was deleted and restored",
                commits: [all], last: [.deleted(first.id), .restored(first.id), .created(other)]),
            Story(
                testDescription: "an edit of an item that was moved to a trip which is deleted",
                commits: [all, [TripEvent(.edited, item.id, [.set(\.trip, second.id)])]],
                last: [.deleted(second.id), TripEvent(.edited, item.id, [.set(\.notes, "Left side")])]),
            Story(
                testDescription: "an edit of an item that was moved from a trip which is deleted",
                commits: [all, [TripEvent(.edited, item.id, [.set(\.trip, second.id)])]],
                last: [.deleted(first.id), TripEvent(.edited, item.id, [.set(\.notes, "Left side")])]),
            Story(
                testDescription: "an edit of an item of a trip that is deleted",
                commits: [all, [.deleted(first.id)]], last: [TripEvent(.edited, item.id, [.set(\.notes, "Left side")])]),
            Story(
                testDescription: "a start alone that is in order, and an address with parts that no version knows",
                commits: [
                    all, [TripEvent(.edited, item.reference, writes: [unknownParts])],
                    [TripEvent(.edited, item.id, [.set(\.end, end)])],
                ],
                last: [TripEvent(.edited, item.id, [.set(\.start, start), .set(\.address, Address(street: "Rua 1"))])]),
            Story(
                testDescription: "a start alone that is out of order",
                commits: [all, [TripEvent(.edited, item.id, [.set(\.end, start)])]],
                last: [TripEvent(.edited, item.id, [.set(\.start, end)])]),
            Story(
                testDescription: "fields that are written twice, in view of what is there and of what is not",
                commits: [all, [TripEvent(.edited, first.id, [.set(\.notes, "One")])]],
                last: [
                    TripEvent(
                        .edited, first.reference,
                        writes: [seen(Array("One".utf8), writing: "Two"), seen(Array("Two".utf8), writing: "Three")])
                ]),
            Story(
                testDescription: "what was created in view of nothing, and is created again",
                commits: [all, [.deleted(item.id)]], last: [.created(item)]),
        ]
    }()

    private static func outcome(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "allowed"
        } catch {
            return "\(error)"
        }
    }

    @Test("A load stores and refuses what appends do, over commits and within one", arguments: stories, [false, true])
    func agreement(story: Story, isOneCommit: Bool) async throws {
        let commits = isOneCommit ? [story.commits.flatMap { $0 } + story.last] : story.commits + [story.last]
        let journal = JournalID(UUID())
        let loaded = try await TripStore.test(journal: journal, clock: ManualClock(seed: 1))
        let appended = try await TripStore.test(journal: journal, clock: ManualClock(seed: 1))
        let load = await Self.outcome {
            try await loaded.load { load in for commit in commits { try await load.append(commit) } }
        }
        let append = await Self.outcome { for commit in commits { try await appended.append(commit) } }
        #expect(load == append)
        #expect(try loaded.story() == appended.story())
        try await loaded.expectInvariants()
    }

    @Test("Items find their trip when thousands of others come in between")
    func itemsAmongOthers() async throws {
        let store = try await TripStore.test()
        let trip = Trip(name: "Long")
        try await store.load { load in
            try await load.append([.created(trip)])
            for commit in 0..<20 {
                let others = (0..<998).map { TripEvent.created(Organization(name: "Number \(commit) \($0)")) }
                func item(_ name: String) -> TripEvent { .created(Activity(name: "\(name) \(commit)", in: trip.id)) }
                try await load.append([item("First")] + others + [item("Last")])
            }
        }
        #expect(try store.items(of: trip.id).count == 40)
        try await store.expectInvariants()
    }

    /// The outcome of a load that throws.
    private final class Findings: Sendable {
        let load = Mutex<BulkLoad?>(nil)
        let codes = Mutex<[TripStoreError.Code?]>([])
    }

    @Test("Where several tasks append, one that is forbidden ends the load for all of them, with one error")
    func severalTasks() async throws {
        let store = try await TripStore.test()
        let trip = Trip(name: "Once")
        try await store.create(trip)
        let findings = Findings()
        await #expect(throws: TripStoreError.self) {
            try await store.load { load in
                findings.load.withLock { $0 = load }
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<60 {
                        group.addTask {
                            let event = TripEvent.created(number == 20 ? trip : Trip(name: "Trip \(number)"))
                            do { try await load.append([event]) } catch {
                                findings.codes.withLock { $0.append((error as? TripStoreError)?.code) }
                            }
                        }
                    }
                }
            }
        }
        #expect(findings.codes.withLock { $0.allSatisfy { $0 == .alreadyExists } })
        let count = try #require(await findings.load.withLock { $0 }?.commitCount)
        #expect(try store.trips(.undated, limit: 1_000).rows.count == count + 1)
        try await store.expectInvariants()
    }

    @Test("A commit that is too large ends the load, and those before it are stored")
    func tooLarge() async throws {
        let store = try await TripStore.test()
        let notes = String(repeating: "n", count: 1 << 20)
        await #expect(throws: (any Error).self) {
            try await store.load { load in
                for number in 0..<12 {
                    // Together more than may be in flight at a time.
                    try await load.append((0..<4).map { .created(Trip(name: "Trip \(number) \($0)", notes: notes)) })
                }
                try await load.append((0..<20).map { .created(Trip(name: "Too many \($0)", notes: notes)) })
                try await load.flush()
            }
        }
        #expect(try store.trips(.undated, limit: 1_000).rows.count == 48)
        try await store.expectInvariants()
    }
}
