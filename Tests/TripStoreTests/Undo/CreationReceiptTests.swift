import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

@Suite("Receipts of what created an entity")
struct CreationReceiptTests {
    @Test("The receipt of a creation undoes it and nothing else")
    func creation() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let position = try store.status().position
        let tram = try await store.create(Activity(name: "Tram", in: lisbon))
        try await store.edit(lisbon) { $0.notes = "by train" }
        let receipt = try store.receipt(creating: lisbon)
        #expect(
            receipt.position == position && receipt.positions == [position] && receipt.entities == [lisbon.reference])
        #expect(receipt.isVisible && !receipt.isRepeat && !receipt.isUnchanged)
        #expect(receipt.version != .none)
        #expect(try receipt.version != store.version(of: lisbon))
        // The trip was edited since, and has an item of another write: it stays, and the report says why.
        let kept = try await store.undo(receipt)
        #expect(kept.changes.isEmpty && !kept.kept.isEmpty)
        try await store.undo(try store.receipt(creating: tram))
        #expect(try store.trip(lisbon)?.notes == "by train" && store.items(of: lisbon).isEmpty)
        try await store.expectInvariants()
    }

    @Test("The receipt of a creation equals the one that its commit returned")
    func sameReceipt() async throws {
        let store = try await TripStore.test()
        let porto = Trip(name: "Porto")
        let tram = Activity(name: "Tram", in: porto.id)
        let written = try await store.append([.created(porto), .created(tram)], by: "ana")
        #expect(try store.receipt(creating: porto.id) == written)
        #expect(try store.receipt(creating: tram.id) == written)
        try await store.undo(try store.receipt(creating: tram.id))
        #expect(try store.trip(porto.id) == nil)
        try await store.expectInvariants()
    }

    @Test("A copy of a trip is undone with its items by the id that the copying returned")
    func copy() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        try await store.create(Activity(name: "Tram", in: lisbon))
        let list = try await store.create(Checklist(name: "Packing", in: lisbon))
        try await store.create(ChecklistEntry("socks", in: list))
        let copy = try await store.copy(lisbon, named: "Again")
        let receipt = try store.receipt(creating: copy)
        #expect(receipt.positions.count == 1 && receipt.entities.count == 4 && receipt.entities.first == copy.reference)
        let report = try await store.undo(receipt)
        #expect(report.kept.isEmpty && report.changes.count == 4)
        #expect(try store.trips().rows.map(\.id) == [lisbon])
        #expect(try store.items(of: copy).isEmpty && store.checklists(of: copy).isEmpty)
        #expect(try store.items(of: lisbon).count == 1)
        try await store.expectInvariants()
    }

    @Test("A copy of several commits has one receipt for all of them, by any of its entities")
    func largeCopy() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let notes = String(repeating: "n", count: 1_000_000)
        for number in 0..<18 { try await store.create(Activity(name: "Tram \(number)", in: lisbon, notes: notes)) }
        let copy = try await store.copy(lisbon, named: "Again")
        // Later writes are none of the copy's, whatever they touch.
        try await store.create(Activity(name: "Bus", in: copy))
        let receipt = try store.receipt(creating: copy)
        #expect(receipt.positions.count > 1 && receipt.positions.last == receipt.position)
        #expect(receipt.entities.count == 19 && receipt.versions.count == 19)
        let found = try store.fetch(Query<Activity>()).first { $0.trip == copy && !$0.notes.isEmpty }
        let part = try #require(found)
        #expect(try store.receipt(creating: part.id) == receipt)
        let bus = try #require(store.items(of: copy).first { $0.name == "Bus" })
        try await store.delete(bus.id)
        try await store.undo(receipt)
        #expect(try store.trip(copy) == nil && store.items(of: lisbon).count == 18)
        try await store.expectInvariants()
    }

    @Test("What another replica created has a receipt too, by which it is undone here")
    func exchanged() async throws {
        let ana = try await TripStore.test()
        let ben = try await TripStore.test(journal: ana.journal)
        let lisbon = try await ana.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        try await ana.create(Activity(name: "Tram", in: lisbon))
        let copy = try await ana.copy(lisbon, named: "Again")
        try await ana.exchange(with: .store(ben))
        let (here, there) = (try ben.receipt(creating: copy), try ana.receipt(creating: copy))
        #expect(here.commit == there.commit && here.versions == there.versions && here.entities == there.entities)
        #expect(here.commit?.replica == ana.replica)
        try await ben.undo(here)
        try await ana.exchange(with: .store(ben))
        #expect(try ana.trips().rows.map(\.id) == [lisbon] && ben.trips().rows.map(\.id) == [lisbon])
        try await ana.expectInvariants()
        try await ben.expectInvariants()
    }

    @Test("An id of which no creation is held has no receipt")
    func unknown() async throws {
        let store = try await TripStore.test()
        let error = #expect(throws: TripStoreError.self) { try store.receipt(creating: Trip.ID.new()) }
        #expect(error?.code == .unknownEntity)
    }
}
