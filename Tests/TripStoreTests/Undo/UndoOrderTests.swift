import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Undo of several commits")
struct UndoOrderTests {
    @Test("An author's edits are undone one after another, from the last, and done again")
    func stack() async throws {
        let store = try await TripStore.test()
        let (ana, ben) = (Authorship(author: "ana"), Authorship(author: "ben"))
        let lisbon = try await store.create(Trip(name: "0"), by: ben)
        for number in 1...3 {
            try await store.edit(lisbon, by: ana) { $0.name = "\(number)" }
            try await store.edit(lisbon, by: ben) { $0.notes = "\(number)" }
        }
        func name() throws -> String? { try store.trip(lisbon)?.name }
        for expected in ["2", "1", "0"] {
            try await store.undo(.last(by: "ana"), by: ana)
            #expect(try name() == expected)
        }
        await #expect { try await store.undo(.last(by: "ana"), by: ana) } throws: {
            ($0 as? TripStoreError)?.code == .nothingToUndo
        }
        for expected in ["1", "2", "3"] {
            try await store.redo(by: ana)
            #expect(try name() == expected)
        }
        await #expect { try await store.redo(by: ana) } throws: { ($0 as? TripStoreError)?.code == .nothingToUndo }
        try await store.undo(.last(by: "ana"), by: ana)
        #expect(try name() == "2")
        try await store.redo(by: ana)
        #expect(try name() == "3")
        #expect(try store.trip(lisbon)?.notes == "3")
        try await store.expectInvariants()
    }

    @Test("Edits that come back to an earlier value, and deletions, are undone one after another and done again")
    func backAndForth() async throws {
        let store = try await TripStore.test()
        let ana: Authorship = "ana"
        let porto = try await store.create(Trip(name: "Porto"))
        try await store.edit(porto, by: ana) { $0.name = "Oporto" }
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        func name() throws -> String? { try store.trip(lisbon)?.name }
        for name in ["Faro", "Lisbon", "Faro"] { try await store.edit(lisbon, by: ana) { $0.name = name } }
        try await store.delete(lisbon, by: ana)
        try await store.restore(lisbon, by: ana)
        try await store.delete(lisbon, by: ana)
        let names: [String?] = [nil, "Faro", nil, "Faro", "Lisbon", "Faro", "Lisbon"]
        for _ in 0..<2 {
            for expected in names.dropFirst() {
                try await store.undo(.last(by: "ana"))
                #expect(try name() == expected)
            }
            #expect(try store.trip(porto)?.name == "Oporto")
            for expected in names.dropLast().reversed() {
                try await store.redo(by: ana)
                #expect(try name() == expected)
            }
        }
        try await store.expectInvariants()
    }

    @Test("An author's last passes by what cannot go back, and what was undone with other commits")
    func lastPassesBy() async throws {
        let store = try await TripStore.test()
        let ana: Authorship = "ana"
        let lisbon = try await store.create(Trip(name: "0"), by: ana)
        let porto = try await store.create(Trip(name: "Porto"), by: ana)
        let position = try store.status().position
        try await store.edit(lisbon, by: ana) { $0.name = "1" }
        try await store.edit(lisbon, by: ana) { $0.name = "2" }
        try await store.undo(.trip(lisbon, since: position), by: ana)
        #expect(try store.trip(lisbon)?.name == "0")
        try await store.edit(porto, by: ana) { $0.name = "Oporto" }
        try await store.edit(porto, by: "ben") { $0.name = "ben's" }
        // No edit is left to undo, so the creation is undone: nobody else wrote to the entity.
        let report = try await store.undo(.last(by: "ana"))
        #expect(report.changes.map(\.verb) == [.deleted])
        #expect(try store.trip(lisbon) == nil)
        #expect(try store.commit(at: try #require(report.receipts.first).position)?.author == "ana")
        await #expect { try await store.undo(.last(by: "ana")) } throws: {
            ($0 as? TripStoreError)?.code == .nothingToUndo
        }
        #expect(try store.trip(porto)?.name == "ben's")
        try await store.expectInvariants()
    }

    @Test("An undoing that comes here before what it undid counts all the same")
    func order() async throws {
        let journal = JournalID(UUID())
        let (one, other) = (
            try await TripStore.test(journal: journal, clock: ManualClock(seed: 1)),
            try await TripStore.test(journal: journal, clock: ManualClock(milliseconds: 1_798_761_660_000, seed: 2))
        )
        let ana: Authorship = "ana"
        let lisbon = try await one.create(Trip(name: "Lisbon"), by: ana)
        try await one.edit(lisbon, by: ana) { $0.name = "Porto" }
        try await one.pass(to: other)
        try await other.undo(.last(by: "ana"))
        let third = try await TripStore.test(journal: journal, clock: ManualClock(seed: 3))
        // The line of the undo first.
        for segment in try await other.segments().sorted(by: { a, _ in a.replica == other.replica }) {
            try await third.store(segment)
        }
        #expect(try third.trip(lisbon)?.name == "Lisbon")
        let plan = try third.undoPlan(.last(by: "ana"))
        #expect(plan.changes.map(\.verb) == [.deleted])
        for store in [one, other, third] { try await store.expectInvariants() }
    }

    @Test("Edits of items that had left the trip before are not those of the trip")
    func leftBefore() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let porto = try await store.create(Trip(name: "Porto"))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon, from: .sample(1)))
        try await store.move(tram, to: porto)
        let position = try store.status().position
        try await store.edit(tram) { $0.notes = "Porto's" }
        try await store.edit(lisbon) { $0.notes = "Lisbon's" }
        try await store.undo(.trip(lisbon, since: position))
        #expect(try store.entity(tram)?.notes == "Porto's")
        #expect(try store.trip(lisbon)?.notes == "")
        try await store.expectInvariants()
    }

    @Test("All edits of one trip and its items since a position go back, and no others")
    func trip() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let porto = try await store.create(Trip(name: "Porto"))
        let tram = try await store.create(Activity(name: "Tram", in: lisbon, from: .sample(1)))
        let position = try store.status().position
        try await store.commit { commit in
            commit.edit(lisbon, [.set(\.name, "Lisboa")])
            commit.edit(porto, [.set(\.name, "Oporto")])
            commit.edit(tram, [.set(\.notes, "early")])
        }
        try await store.edit(lisbon) { $0.name = "Lissabon" }
        try await store.create(Activity(name: "Castle", in: lisbon, from: .sample(2)))
        try await store.delete(tram)
        let report = try await store.undo(.trip(lisbon, since: position))
        #expect(report.commits.count == 4)
        #expect(try store.trip(lisbon)?.name == "Lisbon")
        #expect(try store.trip(porto)?.name == "Oporto")
        #expect(try store.items(of: lisbon).map(\.name) == ["Tram"])
        #expect(try store.entity(tram)?.notes == "")
        try await store.undo(try #require(report.receipts.first))
        #expect(try store.trip(lisbon)?.name == "Lissabon")
        #expect(try store.items(of: lisbon).map(\.name) == ["Castle"])
        try await store.expectInvariants()
    }

    @Test("A piece of work of several commits goes back as one")
    func correlation() async throws {
        let store = try await TripStore.test()
        let work = UUID()
        let kept = try await store.create(Trip(name: "kept"))
        for number in 0..<5 {
            try await store.create(Trip(name: "\(number)"), by: Authorship(correlation: work))
            try await store.edit(kept, by: Authorship(correlation: work)) { $0.notes = "\(number)" }
        }
        let report = try await store.undo(.correlation(work))
        #expect(report.receipts.count == 1)
        #expect(try store.status().trips == 1)
        #expect(try store.trip(kept)?.notes == "")
        try await store.redo()
        #expect(try store.status().trips == 6)
        #expect(try store.trip(kept)?.notes == "4")
        try await store.expectInvariants()
    }

    @Test("What is too much for one commit goes back in several, and comes again")
    func large() async throws {
        let store = try await TripStore.test()
        let work = Authorship(correlation: UUID())
        var trips: [Trip.ID] = []
        for _ in 0..<20 { trips.append(try await store.create(Trip(name: "Lisbon", notes: "short"))) }
        for trip in trips {
            try await store.edit(trip, by: work) { $0.notes = String(repeating: "x", count: 900_000) }
        }
        let longs = Authorship(correlation: UUID())
        for trip in trips { try await store.edit(trip, by: longs) { $0.notes = "short again" } }
        let report = try await store.undo(.correlation(try #require(longs.correlation)))
        #expect(report.receipts.count > 1)
        #expect(report.changes.count == 20 && report.kept.isEmpty)
        #expect(try trips.allSatisfy { try store.trip($0)?.notes.count == 900_000 })
        try await store.redo()
        #expect(try trips.allSatisfy { try store.trip($0)?.notes == "short again" })
        try await store.expectInvariants()
    }

    @Test("Undoing beside another writer puts back no field that was written meanwhile")
    func besideWriters() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        for number in 0..<20 {
            let receipt = try await store.edit(lisbon) { $0.name = "undone \(number)" }
            async let undo = store.undo(receipt)
            async let edit = store.edit(lisbon) { $0.name = "kept \(number)" }
            _ = try await (undo, edit)
            #expect(try store.trip(lisbon)?.name == "kept \(number)")
        }
        try await store.expectInvariants()
    }
}
