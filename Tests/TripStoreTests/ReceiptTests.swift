import StoreSupport
import Testing
import TripStore

@Suite("Receipts of writes that change nothing")
struct ReceiptTests {
    @Test("The receipt of each verb says so, names no commit, and has the version and the position found")
    func unchanged() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon))
        let trip = try #require(try store.trip(lisbon))
        try await store.create(Trip(name: "Porto"))
        let position = try store.status().position
        let receipts: [(Receipt, EntityReference, EntityVersion)] = [
            (try await store.edit(lisbon) { $0.name = "Lisbon" }, lisbon.reference, try store.version(of: lisbon)),
            (try await store.save(trip, from: trip), lisbon.reference, try store.version(of: lisbon)),
            (try await store.move(tram, to: lisbon), tram.reference, try store.version(of: tram)),
            (
                try await store.commit { $0.edit(lisbon, [.set(\.name, "Lisbon")]) }, lisbon.reference,
                try store.version(of: lisbon)
            ),
        ]
        for (receipt, entity, version) in receipts {
            #expect(receipt.isUnchanged && receipt.commit == nil && !receipt.isRepeat)
            #expect(receipt.position == position && receipt.isVisible)
            #expect(receipt.entities == [entity] && receipt.version == version && version != .none)
        }
        #expect(try store.status().position == position)
        try await store.expectInvariants()
    }

    @Test("A commit of which a part changes something is written, and its receipt names that part")
    func partly() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let porto = try await store.create(Trip(name: "Porto"))
        let receipt = try await store.commit { commit in
            commit.edit(lisbon, [.set(\.name, "Lisbon")])
            commit.edit(porto, [.set(\.name, "Faro")])
            commit.edit(lisbon, [.set(\.notes, "")])
        }
        #expect(!receipt.isUnchanged && receipt.entities == [porto.reference])
        #expect(receipt.version(of: lisbon) == nil)
        let nothing = try await store.commit { commit in
            commit.edit(lisbon, [.set(\.name, "Lisbon")])
            commit.edit(porto, [.set(\.name, "Faro")])
            commit.edit(lisbon, [.set(\.notes, "")])
        }
        #expect(nothing.entities == [lisbon.reference, porto.reference])
        #expect(nothing.version(of: porto) == receipt.version)
        #expect(try await store.commit { _ in }.entities.isEmpty)
        try await store.expectInvariants()
    }

    @Test(
        "Its version can be expected by the next write, its position asked for, and nothing of another is undone by it")
    func used() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let porto = try await store.create(Trip(name: "Porto"))
        let receipt = try await store.edit(lisbon) { $0.name = "Lisbon" }
        await #expect { try await store.undo(receipt) } throws: { ($0 as? TripStoreError)?.code == .nothingToUndo }
        #expect(try store.trip(porto) != nil)
        try await store.catchUp(to: receipt.position)
        #expect(try await store.asOf(receipt.position).trip(porto)?.name == "Porto")
        #expect(try store.holders(of: receipt).isEmpty)
        let written = try await store.append(
            [TripEvent(.edited, lisbon, [.set(\.name, "Faro")])], expecting: [lisbon: receipt.version])
        #expect(written.version(of: lisbon) != receipt.version)
        try await store.expectInvariants()
    }

    @Test("A write that is refused is refused, whether or not it would change anything")
    func refused() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon))
        try await store.delete(lisbon)
        await #expect { try await store.edit(lisbon) { $0.name = "Lisbon" } } throws: {
            ($0 as? TripStoreError)?.code == .deleted
        }
        await #expect { try await store.move(tram, to: lisbon) } throws: {
            ($0 as? TripStoreError)?.code == .unknownTrip
        }
        try await store.expectInvariants()
    }

    @Test("Of several changes of one field the last decides whether anything changes")
    func repeatedField() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let porto = try await store.create(Trip(name: "Porto"))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon, from: .sample(1)))
        try await store.delete(porto)
        let receipt = try await store.commit { commit in
            commit.edit(tram, [.set(\.trip, porto), .set(\.trip, lisbon)])
        }
        #expect(receipt.isUnchanged)
        #expect(try store.entity(tram)?.trip == lisbon)
        try await store.expectInvariants()
    }
}
