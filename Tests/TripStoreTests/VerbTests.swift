import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("Verbs")
struct VerbTests {
    @Test("A receipt names the commit, and the versions of what it touched")
    func receipts() async throws {
        let store = try await TripStore.test()
        let trip = Trip(name: "Lisbon")
        let receipt = try await store.append([.created(trip)], by: "ana")
        #expect(receipt.position == Position(2))
        #expect(receipt.commit?.replica == store.replica)
        #expect(receipt.commit?.sequence == SequenceNumber(2))
        #expect(receipt.isVisible && !receipt.isUnchanged)
        #expect(receipt.version == (try store.version(of: trip.id)))
        let commit = try #require(try store.commit(at: receipt.position))
        #expect(commit.hash == receipt.commit?.hash)
        #expect(commit.timestamp == receipt.timestamp)
        #expect(commit.author == "ana")
        try await store.expectInvariants()
    }

    @Test("What an append wrote, a query sees when it returns (V5)")
    func readsOwnWrites() async throws {
        let store = try await TripStore.test()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let id = try await store.create(Trip(name: "Trip \(number)"))
                    #expect(try store.trip(id)?.name == "Trip \(number)")
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.status().trips == 200)
        try await store.expectInvariants()
    }

    @Test("An edit records only the fields that changed, and none if none did")
    func editsAreMinimal() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon", destination: "Lisboa"))
        let receipt = try await store.edit(trip) { $0.name = "Porto" }
        let commit = try #require(try store.commit(at: receipt.position))
        #expect(commit.events.flatMap(\.changes).map(\.field) == ["name"])
        #expect(try await store.edit(trip) { $0.name = "Porto" }.isUnchanged)
        try await store.expectInvariants()
    }

    @Test("Concurrent edits that compute a value from the old one lose no update")
    func editsAreAtomic() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let activity = try await store.create(Activity(name: "Tram", in: trip, cost: Money(minorUnits: 0, "EUR")))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask { try await store.edit(activity) { $0.cost?.minorUnits += 1 } }
            }
            try await group.waitForAll()
        }
        #expect(try store.entity(activity)?.cost?.minorUnits == 50)
        try await store.expectInvariants()
    }

    @Test("A form's save writes what the person changed, and leaves what moved meanwhile")
    func formsSave() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon", destination: "Lisboa"))
        let original = try #require(try store.trip(trip))
        try await store.edit(trip) { $0.destination = "Porto" }
        var draft = original
        draft.notes = "Pack light"
        try await store.save(draft, from: original)
        let saved = try #require(try store.trip(trip))
        #expect(saved.destination == "Porto")
        #expect(saved.notes == "Pack light")
        #expect(try await store.save(saved, from: saved).isUnchanged)
        try await store.expectInvariants()
    }

    @Test("A form that overwrites what it never saw shows as a conflict; one that saw it does not")
    func formsConflict() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let original = try #require(try store.trip(trip))
        try await store.edit(trip) { $0.name = "Porto" }
        var draft = original
        draft.name = "Faro"
        try await store.save(draft, from: original)
        #expect(try store.trip(trip)?.name == "Faro")
        let beaten = try store.history(of: trip).flatMap(\.event.changes).filter { $0.beatenBy != nil }
        #expect(beaten.map(\.new.text) == ["Porto"])
        try await store.edit(trip) { $0.name = "Braga" }
        #expect(try store.history(of: trip).flatMap(\.event.changes).filter { $0.beatenBy != nil }.count == 1)
        try await store.expectInvariants()
    }

    @Test("A deleted trip takes its items along and brings them back, and no event is written for them")
    func deletion() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        let tram = try await store.create(Activity(name: "Tram", in: trip, cost: Money(minorUnits: 300, "EUR")))
        let position = try await store.delete(trip).position
        #expect(try store.trip(trip) == nil)
        #expect(try store.entity(tram) == nil)
        #expect(try store.items(of: trip).isEmpty)
        #expect(try store.totals(of: trip) == Totals())
        #expect(try store.trips().rows.isEmpty)
        #expect(try store.unfiledItems().isEmpty)
        #expect(try store.commit(at: position)?.events.count == 1)
        try await store.expectInvariants()
        try await store.restore(trip)
        #expect(try store.items(of: trip).map(\.id) == [.activity(tram)])
        #expect(try store.totals(of: trip).costs == [CostSum(currency: "EUR", minorUnits: 300)])
        try await store.expectInvariants()
    }

    @Test("An item moves to another trip, with its costs")
    func moving() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let porto = try await store.create(Trip(name: "Porto"))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon, cost: Money(minorUnits: 300, "EUR")))
        try await store.move(tram, to: porto)
        #expect(try store.items(of: lisbon).isEmpty)
        #expect(try store.totals(of: lisbon) == Totals())
        #expect(try store.items(of: porto).map(\.id) == [.activity(tram)])
        #expect(try store.totals(of: porto).itemCount == 1)
        #expect(try await store.move(tram, to: porto).isUnchanged)
        try await store.expectInvariants()
    }

    @Test("To clear what was never written, or to write what is there, changes nothing")
    func unchanged() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let version = try store.status().position
        for changes: [FieldChange<Trip>] in [
            [.set(\.notes, "")], [.clear(\.startDay)], [.set(\.name, "Lisbon"), .set(\.endDay, nil)],
        ] {
            #expect(try await store.commit { $0.edit(trip, changes) }.isUnchanged)
        }
        #expect(try store.status().position == version)
        // A field that was written and cleared is cleared once.
        #expect(try await !store.commit { $0.edit(trip, [.set(\.notes, "x")]) }.isUnchanged)
        #expect(try await !store.commit { $0.edit(trip, [.set(\.notes, "")]) }.isUnchanged)
        #expect(try await store.commit { $0.edit(trip, [.set(\.notes, "")]) }.isUnchanged)
        try await store.expectInvariants()
    }

    @Test("Several changes are one commit, all or nothing")
    func commits() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon))
        let correlation = UUID()
        let receipt = try await store.commit(by: Authorship(author: "ana", correlation: correlation)) { commit in
            let porto = commit.create(Trip(name: "Porto"))
            commit.move(tram, to: porto)
            commit.edit(porto, [.set(\.notes, "By train")])
        }
        let commit = try #require(try store.commit(at: receipt.position))
        #expect(commit.events.map(\.verb) == [.created, .edited, .edited])
        #expect(commit.correlation == correlation)
        let before = try store.status().position
        await #expect(throws: TripStoreError.self) {
            try await store.commit { commit in
                commit.create(Trip(name: "Faro"))
                commit.delete(Trip.ID.new())
            }
        }
        #expect(try store.status().position == before)
        #expect(try store.status().trips == 2)
        try await store.expectInvariants()
    }
}
