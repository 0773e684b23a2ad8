import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Apps' own collections in a store")
struct CollectionStoreTests {
    @Test("They are written with the entity and by edits, read, listed and shown in the past")
    func verbs() async throws {
        let store = try await TripStore.test(schema: SharedCollections.all)
        var trip = Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8))
        trip[Trip.labels] = ["sea"]
        trip[Trip.visits] = 2
        trip[Trip.stops] = ["Belém", "Sintra"]
        let lisbon = try await store.create(trip)
        let receipt = try await store.edit(lisbon, by: "ana") {
            $0[Trip.labels].insert("sun")
            $0[Trip.packed]["passport"] = true
            $0[Trip.visits] += 3
            $0[Trip.stops].swapAt(0, 1)
        }
        let row = try #require(try store.trips(.starting(in: Day(2027, 5, 1)..<Day(2027, 6, 1))).rows.first).trip
        let read = try #require(try store.trip(lisbon))
        #expect(row == read && read[Trip.labels] == ["sea", "sun"] && read[Trip.visits] == 5)
        #expect(read[Trip.stops] == ["Sintra", "Belém"] && read[Trip.packed] == ["passport": true])
        #expect(try await store.edit(lisbon) { $0[Trip.labels].insert("sun") }.isUnchanged)
        try await store.append([TripEvent(.edited, lisbon, [.add(2, to: Trip.visits), .add(-1, to: Trip.visits)])])
        #expect(try store.trip(lisbon)?[Trip.visits] == 6)
        let first = try #require(try store.history(of: lisbon).first).commit.position
        let past = try await store.asOf(.position(first))
        #expect(try past.trip(lisbon)?[Trip.stops] == ["Belém", "Sintra"])
        #expect(try past.trip(lisbon)?[Trip.visits] == 2)
        let changes = try #require(try store.history(of: lisbon).first { $0.commit.position == receipt.position })
            .event.changes.map { "\($0.field) \($0.new.text)" }
        #expect(changes.contains("labels sun") && changes.contains("packed[passport] yes"))
        #expect(changes.contains { $0.hasPrefix("visits[replica ") && $0.hasSuffix("] 5") })
        try await store.undo(receipt)
        let undone = try #require(try store.trip(lisbon))
        #expect(undone[Trip.labels] == ["sea"] && undone[Trip.packed].isEmpty && undone[Trip.visits] == 3)
        #expect(undone[Trip.stops] == ["Belém", "Sintra"])
        try await store.expectInvariants()
    }

    @Test("Concurrent changes of all kinds come together, without conflicts")
    func merging() async throws {
        let (ana, ben, lisbon) = try await SharedCollections.pair {
            $0[Trip.labels] = ["sea", "sun"]
            $0[Trip.visits] = 1
            $0[Trip.stops] = ["a", "b", "c"]
        }
        try await ana.edit(lisbon, by: "ana") {
            $0[Trip.labels].remove("sea")
            $0[Trip.labels].insert("rain")
            $0[Trip.visits] += 2
            $0[Trip.stops].insert(contentsOf: ["1", "2", "3"], at: 1)
            $0[Trip.packed]["passport"] = true
        }
        try await ben.edit(lisbon, by: "ben") {
            $0[Trip.labels].insert("rain")
            $0[Trip.visits] += 4
            $0[Trip.stops].insert(contentsOf: ["4", "5", "6"], at: 1)
            $0[Trip.stops].remove(at: 5)
            $0[Trip.packed]["charger"] = false
        }
        try await SharedCollections.expectEqual([ana, ben], lisbon)
        let trip = try #require(try ana.trip(lisbon))
        #expect(trip[Trip.labels] == ["sun", "rain"] && trip[Trip.visits] == 7)
        #expect(trip[Trip.packed] == ["passport": true, "charger": false])
        // Each run stays together. Ben removed c.
        let stops = trip[Trip.stops].joined()
        #expect(stops == "a123456b" || stops == "a456123b", "\(stops)")
        #expect(try ana.conflicts(of: lisbon).rows.isEmpty)
    }

    @Test("What another adds while it is removed stays, and of writes to one entry of a map the later counts")
    func concurrentRemoval() async throws {
        let clock = ManualClock()
        let (ana, ben, lisbon) = try await SharedCollections.pair(clock) { $0[Trip.labels] = ["sea"] }
        try await ana.edit(lisbon) { $0[Trip.labels].remove("sea") }
        try await ben.edit(lisbon) { $0[Trip.labels].remove("sea") }
        try await ben.edit(lisbon) {
            $0[Trip.labels].insert("sea")
            $0[Trip.packed]["passport"] = false
        }
        clock.advance(by: 1)
        try await ana.edit(lisbon) { $0[Trip.packed]["passport"] = true }
        try await SharedCollections.expectEqual([ana, ben], lisbon)
        let trip = try #require(try ben.trip(lisbon))
        #expect(trip[Trip.labels] == ["sea"] && trip[Trip.packed] == ["passport": true])
        #expect(try ben.conflicts(of: lisbon).rows.map(\.field) == ["packed[passport]"])
    }

    @Test("10,000 elements are added and removed in one commit each")
    func many() async throws {
        let store = try await TripStore.test(schema: SharedCollections.all)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let elements = Set((0..<10_000).map { "\($0)" })
        try await store.edit(lisbon) { $0[Trip.labels] = elements }
        try await store.edit(lisbon) { $0[Trip.plan] = Array(0..<10_000).reversed() }
        #expect(try store.trip(lisbon)?[Trip.labels] == elements)
        try await store.edit(lisbon) {
            $0[Trip.labels] = ["0"]
            $0[Trip.plan].sort()
        }
        #expect(try store.trip(lisbon)?[Trip.labels] == ["0"])
        #expect(try store.trip(lisbon)?[Trip.plan] == Array(0..<10_000))
        try await store.expectInvariants()
    }

    @Test("A counter that would leave the range of integers is refused, and nothing is written")
    func overflow() async throws {
        let store = try await TripStore.test(schema: SharedCollections.all)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        try await store.edit(lisbon) { $0[Trip.visits] = .max }
        let position = try store.status().position
        let error = await #expect(throws: TripStoreError.self) {
            try await store.append([TripEvent(.edited, lisbon, [.add(1, to: Trip.visits)])])
        }
        #expect(error?.code == .invalidValue && error?.entity == lisbon.reference)
        await #expect(throws: TripStoreError.self) { try await store.edit(lisbon) { $0[Trip.labels].insert("bad") } }
        await #expect(throws: TripStoreError.self) {
            try await store.edit(lisbon) { $0[Trip.packed][String(repeating: "x", count: 1024)] = true }
        }
        #expect(try store.status().position == position)
        try await store.expectInvariants()
    }

    @Test("An append that is tried again counts once")
    func triedAgain() async throws {
        let store = try await TripStore.test(schema: SharedCollections.all)
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let authorship = Authorship(author: "ana", appendID: AppendID())
        // The event is made anew, with another key.
        func changes() -> [FieldChange<Trip>] {
            [
                .add(5, to: Trip.visits), .insert("sea", into: Trip.labels), .add(-1, to: Trip.visits),
                .set(\.notes, "n"),
            ]
        }
        for isRepeat in [false, true] {
            let event = TripEvent(.edited, lisbon, changes())
            #expect(try await store.append([event], by: authorship).isRepeat == isRepeat)
        }
        #expect(try store.trip(lisbon)?[Trip.visits] == 4)
        let other = TripEvent(.edited, lisbon, [.insert("sun", into: Trip.labels)])
        let error = await #expect(throws: TripStoreError.self) { try await store.append([other], by: authorship) }
        #expect(error?.code == .appendIDReused)

        // A form with several new elements, which are given keys in any order.
        let original = try #require(try store.trip(lisbon))
        let form = Authorship(author: "ana", appendID: AppendID())
        for attempt in 0..<8 {
            var draft = original
            draft[Trip.labels].formUnion(["a", "b", "c"])
            draft[Trip.stops] = ["x", "y"]
            draft[Trip.visits] += 2
            #expect(try await store.save(draft, from: original, by: form).isRepeat == (attempt > 0))
        }
        // A move of another element is another change.
        let listed = try #require(try store.trip(lisbon))
        let move = Authorship(author: "ana", appendID: AppendID())
        func moved(_ stops: [String]) async throws -> Bool {
            var draft = listed
            draft[Trip.stops] = stops
            return try await store.save(draft, from: listed, by: move).isRepeat
        }
        try await store.edit(lisbon) { $0[Trip.stops] = ["x", "y", "z"] }
        #expect(try await !moved(["y", "x"]))
        #expect(try await moved(["y", "x"]))
        await #expect(throws: TripStoreError.self) { try await moved(["y"]) }
        let twice = Authorship(author: "ana", appendID: AppendID())
        for isRepeat in [false, true] {
            let receipt = try await store.commit(by: twice) {
                $0.edit(
                    lisbon,
                    [.set(\.notes, "1"), .add(1, to: Trip.visits), .add(-1, to: Trip.visits), .set(\.notes, "2")])
            }
            #expect(receipt.isRepeat == isRepeat)
        }
        try await store.expectInvariants()
    }

    @Test("A load counts and adds like single commits")
    func loading() async throws {
        let store = try await TripStore.test(schema: SharedCollections.all)
        let lisbon = Trip(name: "Lisbon")
        try await store.load { load in
            try await load.append([.created(lisbon)])
            for number in 0..<50 {
                try await load.append([
                    TripEvent(
                        .edited, lisbon.id, [.add(number, to: Trip.visits), .insert("\(number)", into: Trip.labels)])
                ])
            }
        }
        #expect(try store.trip(lisbon.id)?[Trip.visits] == 1_225)
        #expect(try store.trip(lisbon.id)?[Trip.labels].count == 50)
        try await store.expectInvariants()
    }
}
