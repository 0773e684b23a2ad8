import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Undo of creations and deletions")
struct UndoWholeTests {
    @Test("Undoing a creation deletes; but not what others have written to or put something into")
    func creation() async throws {
        let store = try await TripStore.test()
        let receipt = try await store.commit { commit in
            let trip = commit.create(Trip(name: "with item"))
            commit.create(Activity(name: "Tram", in: trip, from: .sample(1)))
            commit.create(Trip(name: "edited"))
            commit.create(Trip(name: "filled"))
        }
        let trips = receipt.entities.compactMap { Trip.ID($0) }
        try await store.edit(trips[1]) { $0.notes = "mine" }
        try await store.create(Activity(name: "Castle", in: trips[2], from: .sample(1)))
        let report = try await store.undo(receipt)
        #expect(try trips.map { try store.trip($0)?.name } == [nil, "edited", "filled"])
        #expect(report.changes.map(\.verb) == [.deleted, .deleted])
        #expect(Set(report.kept.map(\.name)) == ["edited", "filled"])
        #expect(report.kept.contains { $0.reason == .hasChildren(1) })
        try await store.undo(try #require(report.receipts.first))
        #expect(try store.items(of: trips[0]).map(\.name) == ["Tram"])
        try await store.expectInvariants()
    }

    @Test("Undoing a deletion restores, a trip with its items")
    func deletion() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon, from: .sample(1)))
        let receipt = try await store.delete(lisbon)
        try await store.undo(receipt)
        #expect(try store.entity(tram)?.name == "Tram")
        let report = try await store.undo(receipt)
        #expect(report.changes.isEmpty)
        try await store.expectInvariants()
    }

    @Test("An item goes back into a trip only if that is there")
    func missingTrip() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let porto = try await store.create(Trip(name: "Porto"))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon, from: .sample(1)))
        let moved = try await store.move(tram, to: porto)
        try await store.delete(lisbon)
        let report = try await store.undo(moved)
        #expect(report.changes.isEmpty)
        #expect(report.kept.map(\.reason) == [.parentMissing(lisbon.reference)])
        #expect(try store.entity(tram)?.trip == porto)
        try await store.expectInvariants()
    }

    @Test("An item that was moved and deleted at once goes back, though the trip that it was moved to is gone")
    func movedAndDeleted() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let porto = try await store.create(Trip(name: "Porto"))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon, from: .sample(1)))
        let both = try await store.commit(by: "ana") { commit in
            commit.move(tram, to: porto)
            commit.delete(tram)
        }
        try await store.delete(porto)
        let report = try await store.undo(both)
        #expect(report.changes.map(\.verb) == [.restored, .edited])
        #expect(report.kept.isEmpty)
        #expect(try store.entity(tram)?.trip == lisbon)
        try await store.expectInvariants()
    }

    @Test("An item does not go back into a trip that is restored and whose creation is not here")
    func uncreatedTrip() async throws {
        let store = try await TripStore.test()
        let porto = try await store.create(Trip(name: "Porto"))
        let tram = try await store.create(Activity(name: "Tram", in: porto, from: .sample(1)))
        let elsewhere = Trip.ID.new()
        // As from a peer that held the creation of a trip which is missing here.
        func moved(to trip: Trip.ID) -> Event {
            let change = Change(path: .parent, value: trip.reference.fieldValue)
            return Event(verb: .edited, entity: tram.reference, changes: [change])
        }
        try await store.appendUnchecked([moved(to: elsewhere)])
        try await store.appendUnchecked([Event(verb: .deleted, entity: elsewhere.reference), moved(to: porto)])
        try await store.catchUp()
        let report = try await store.undo(.last(by: ""))
        #expect(report.kept.map(\.reason) == [.parentMissing(elsewhere.reference)])
        #expect(try store.entity(tram)?.trip == porto)
        try await store.expectInvariants()
    }

    @Test("A creation whose edits were undone before can be undone as well, and all of it done again")
    func creationAfterEdits() async throws {
        let store = try await TripStore.test()
        let ana: Authorship = "ana"
        let lisbon = try await store.create(Trip(name: "Lisbon"), by: ana)
        try await store.edit(lisbon, by: ana) { $0.name = "Porto" }
        try await store.undo(.last(by: "ana"), by: ana)
        try await store.undo(.last(by: "ana"), by: ana)
        #expect(try store.trip(lisbon) == nil)
        try await store.redo(by: ana)
        #expect(try store.trip(lisbon)?.name == "Lisbon")
        try await store.redo(by: ana)
        #expect(try store.trip(lisbon)?.name == "Porto")
        try await store.expectInvariants()
    }

    @Test("A trip that was created and filled in one commit goes with what was put into it, which goes back")
    func createdAndFilled() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon, from: .sample(1)))
        let castle = try await store.create(Activity(name: "Castle", in: lisbon, from: .sample(2)))
        var porto = Trip.ID.new()
        let receipt = try await store.commit { commit in
            porto = commit.create(Trip(name: "Porto"))
            commit.move(tram, to: porto)
        }
        let report = try await store.undo(receipt)
        #expect(report.kept == [])
        #expect(try store.trip(porto) == nil)
        #expect(try store.items(of: lisbon).map(\.name) == ["Tram", "Castle"])
        try await store.undo(try #require(report.receipts.first))
        #expect(try store.items(of: porto).map(\.name) == ["Tram"])
        // But not with other items.
        try await store.move(castle, to: porto)
        let kept = try await store.undo(receipt)
        #expect(kept.kept.contains { $0.reason == .hasChildren(1) })
        #expect(try store.items(of: porto).map(\.name) == ["Castle"])
        try await store.expectInvariants()
    }

    @Test("An item whose edit was undone before goes with its trip")
    func undoneItem() async throws {
        let store = try await TripStore.test()
        let receipt = try await store.commit { commit in
            let trip = commit.create(Trip(name: "Lisbon"))
            commit.create(Activity(name: "Tram", in: trip, from: .sample(1)))
        }
        let tram = try #require(receipt.entities.compactMap { Activity.ID($0) }.first)
        let edited = try await store.edit(tram) { $0.notes = "early" }
        try await store.undo(edited)
        let report = try await store.undo(receipt)
        #expect(report.kept == [])
        #expect(try store.status().trips == 0)
        try await store.expectInvariants()
    }

    @Test("Edits of an item whose trip never came here go back; a deletion under a deleted trip does not")
    func unfiled() async throws {
        let store = try await TripStore.test()
        let stranger = Trip.ID.new()
        let id = Activity.ID.new()
        try await store.appendUnchecked([
            Event(
                verb: .created, entity: id.reference,
                changes: [
                    Change(path: FieldPath(field: 1), value: Array("Tram".utf8)),
                    Change(path: FieldPath(field: 2), value: [0, 1] + stranger.uuid.bytes),
                ])
        ])
        try await store.catchUp()
        let edited = try await store.edit(id) { $0.notes = "early" }
        #expect(try await store.undo(edited).kept == [])
        #expect(try store.unfiledItems().map(\.notes) == [""])

        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon, from: .sample(1)))
        let deleted = try await store.delete(tram)
        try await store.delete(lisbon)
        let report = try await store.undo(deleted)
        #expect(report.changes.isEmpty)
        #expect(report.kept.map(\.reason) == [.parentMissing(lisbon.reference)])
        try await store.expectInvariants()
    }

    @Test("A commit whose author cannot be read keeps no other of a correlation from being undone")
    func unreadableCommit() async throws {
        let store = try await TripStore.test()
        let correlation = UUID()
        let authorship = Authorship(author: "ana", correlation: correlation)
        let lisbon = try await store.create(Trip(name: "Lisbon"), by: authorship)
        // A correlation of two bytes.
        let unreadable = try store.log.hashed([3 << 3 | 2, 2, 1, 1])
        _ = try await store.log.appendHashed { _ in unreadable }
        try await store.edit(lisbon, by: authorship) { $0.name = "Porto" }
        let report = try await store.undo(.correlation(correlation), by: "ana")
        #expect(report.commits.count == 2 && report.kept.isEmpty)
        #expect(try store.trip(lisbon) == nil)
        // Nothing but that commit.
        let violated = try await store.violatedInvariants()
        #expect(violated.count == 1 && violated.first?.hasPrefix("log: position 3: The payload cannot be read") == true)
    }
}
