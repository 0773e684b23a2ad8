import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("Who writes")
struct AuthorshipTests {
    private func store(of author: String) async throws -> TripStore {
        let options = TripStore.Options(author: author, mapSize: 1 << 30, dependencies: ManualClock().dependencies)
        return try await TripStore.temporary(options: options)
    }

    private func author(_ store: TripStore, _ receipt: Receipt) throws -> String? {
        try store.commit(at: receipt.position)?.author
    }

    @Test("A write without an author has the author of the store's options; one with an author keeps it")
    func defaultAuthor() async throws {
        let store = try await store(of: "ana")
        let trip = Trip(name: "Lisbon")
        let work = UUID()
        #expect(try author(store, try await store.append([.created(trip)])) == "ana")
        #expect(try author(store, try await store.edit(trip.id, by: "ben") { $0.name = "Porto" }) == "ben")
        #expect(try author(store, try await store.edit(trip.id, by: "") { $0.name = "Faro" }) == "")
        let receipt = try await store.commit(by: Authorship(correlation: work)) {
            $0.edit(trip.id, [.set(\.notes, "x")])
        }
        let commit = try #require(try store.commit(at: receipt.position))
        #expect(commit.author == "ana" && commit.correlation == work)
        try await store.load { try await $0.append([.created(Trip(name: "Braga"))]) }
        try await store.load(by: "cid") { try await $0.append([.created(Trip(name: "Evora"))]) }
        let loaded = try store.audit(AuditFilter(isReversed: true), limit: 2)
        #expect(loaded.map(\.author) == ["cid", "ana"])
        try await store.expectInvariants()
    }

    @Test("Undo and redo of the last commit mean that of the store's author, unless another is named")
    func undo() async throws {
        let store = try await store(of: "ana")
        let lisbon = try await store.create(Trip(name: "Lisbon"), by: "ben")
        try await store.edit(lisbon) { $0.name = "Porto" }
        try await store.edit(lisbon, by: "ben") { $0.notes = "by ben" }
        #expect(try store.undoPlan(.last()).changes.map(\.new?.text) == ["Lisbon"])
        let undone = try await store.undo(.last())
        #expect(try author(store, undone.receipts[0]) == "ana")
        #expect(try store.trip(lisbon)?.name == "Lisbon")
        #expect(try store.redoPlan().changes.map(\.new?.text) == ["Porto"])
        #expect(try author(store, try await store.redo().receipts[0]) == "ana")
        #expect(try store.trip(lisbon)?.name == "Porto")
        let other = try await store.undo(.last(by: "ben"))
        #expect(try author(store, other.receipts[0]) == "ben")
        let named = try await store.redo(by: "ben")
        #expect(try author(store, named.receipts[0]) == "ben")
        let byAna = try await store.undo(.last(by: "ben"), by: "ana")
        #expect(try author(store, byAna.receipts[0]) == "ana")
        try await store.expectInvariants()
    }

    @Test("The causation of an undoing cannot be given: it says what is undone")
    func causation() async throws {
        let store = try await store(of: "ana")
        let receipt = try await store.append([.created(Trip(name: "Lisbon"))])
        let given = Authorship(causation: UUID())
        for undo: () async throws -> UndoReport in [
            { try await store.undo(receipt, by: given) }, { try await store.redo(by: given) },
        ] {
            await #expect { try await undo() } throws: { ($0 as? TripStoreError)?.code == .unusableOption }
        }
        #expect(try store.status().position == receipt.position)
        try await store.expectInvariants()
    }
}
