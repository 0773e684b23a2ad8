import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Undoing changes of collections")
struct CollectionUndoTests {
    @Test("An undo takes back what its commit counted, once, whatever was counted since, and a redo counts it again")
    func undoneCounts() async throws {
        let (ana, ben, lisbon) = try await SharedCollections.pair { $0[Trip.visits] = 10 }
        let first = try await ana.edit(lisbon, by: "ana") { $0[Trip.visits] += 5 }
        try await ana.edit(lisbon, by: "ana") { $0[Trip.visits] += 1 }
        try await ana.undo(first, by: "ana")
        #expect(try ana.trip(lisbon)?[Trip.visits] == 11)
        #expect(try await ana.undo(first, by: "ana").receipts.isEmpty)
        try await ana.redo(by: "ana")
        #expect(try ana.trip(lisbon)?[Trip.visits] == 16)
        try await ana.exchange(with: .store(ben))
        try await ben.edit(lisbon, by: "ben") { $0[Trip.visits] += 100 }
        // Both undo the same commit at the same time.
        let hash = try #require(try ana.history(of: lisbon).first { $0.commit.position == first.position }).commit.hash
        try await ana.undo(first, by: "ana")
        #expect(try ana.trip(lisbon)?[Trip.visits] == 11)
        let same = try #require(try ben.history(of: lisbon).first { $0.commit.hash == hash }).commit.position
        try await ben.undo(.commit(same), by: "ben")
        #expect(try ben.trip(lisbon)?[Trip.visits] == 111)
        try await SharedCollections.expectEqual([ana, ben], lisbon)
        #expect(try ana.trip(lisbon)?[Trip.visits] == 111)
        try await ana.undo(.last(by: "ana"))
        #expect(try ana.trip(lisbon)?[Trip.visits] == 110)
        try await SharedCollections.expectEqual([ana, ben], lisbon)
    }

    @Test("An undo takes back all that its commit counted, in several events and for several replicas")
    func undoneParts() async throws {
        let store = try await TripStore.test(schema: SharedCollections.all)
        let created = try await store.commit(by: "ana") { $0.create(Trip(name: "Lisbon")) }
        let lisbon = try #require(created.entities.first.flatMap { Trip.ID($0) })
        let twice = try await store.append([
            TripEvent(.edited, lisbon, [.add(1, to: Trip.visits)]),
            TripEvent(.edited, lisbon, [.add(2, to: Trip.visits)]),
        ])
        #expect(try store.trip(lisbon)?[Trip.visits] == 3)
        try await store.undo(twice)
        #expect(try store.trip(lisbon)?[Trip.visits] == 0)
        // Of two replicas, as an adoption brings them.
        let number = FieldChange<Trip>.add(0, to: Trip.visits).field
        let changes = [(UInt8(1), Int64(5)), (2, 7)].map { replica, count in
            Change(
                path: ElementKey(.share, [UInt8](repeating: replica, count: 16)).path(in: number),
                value: CounterShare.bytes(count))
        }
        let brought = Event(verb: .edited, entity: lisbon.reference, changes: changes)
        let appended = try #require(try await store.log.append(Payload(author: "ana", events: [brought])))
        try await store.catchUp()
        #expect(try store.trip(lisbon)?[Trip.visits] == 12)
        try await store.undo(.commit(appended.position))
        #expect(try store.trip(lisbon)?[Trip.visits] == 0)
        #expect(try await store.undo(.commit(appended.position)).receipts.isEmpty)
        #expect(try await store.undo(created).kept.isEmpty)
        #expect(try store.trip(lisbon) == nil)
        try await store.expectInvariants()
    }

    @Test("An undo of an insertion leaves what another put in its place where it was")
    func undoneInsertion() async throws {
        let (ana, ben, lisbon) = try await SharedCollections.pair { $0[Trip.stops] = ["a", "b"] }
        let receipt = try await ana.edit(lisbon) { $0[Trip.stops].append("x") }
        try await ana.exchange(with: .store(ben))
        try await ben.edit(lisbon) { $0[Trip.stops][2] = "y" }
        try await ana.exchange(with: .store(ben))
        try await ana.undo(receipt)
        #expect(try ana.trip(lisbon)?[Trip.stops] == ["a", "b", "y"])
        try await SharedCollections.expectEqual([ana, ben], lisbon)
    }

    @Test("An undone creation goes if all that was counted since was taken back, and stays otherwise")
    func undoneCreation() async throws {
        let store = try await TripStore.test(schema: SharedCollections.all)
        for takesBack in [true, false] {
            let receipt = try await store.commit(by: "ana") { $0.create(Trip(name: "Lisbon")) }
            let lisbon = try #require(receipt.entities.first.flatMap { Trip.ID($0) })
            let counted = try await store.edit(lisbon, by: "ana") { $0[Trip.visits] += 5 }
            if takesBack { try await store.undo(counted) }
            #expect(try await store.undo(receipt).kept.isEmpty == takesBack)
            #expect(try (store.trip(lisbon) == nil) == takesBack)
        }
        try await store.expectInvariants()
    }
}
