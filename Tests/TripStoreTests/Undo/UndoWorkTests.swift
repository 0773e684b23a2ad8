import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("Undoing the last piece of work")
struct UndoWorkTests {
    @Test("The commits of one correlation are undone and redone together, and what others wrote since stays")
    func work() async throws {
        let store = try await TripStore.test()
        let ana = Authorship(author: "ana")
        let trip = try await store.create(Trip(name: "Lisbon"), by: ana)
        let work = Authorship(author: "ana", correlation: UUID())
        let porto = try await store.create(Trip(name: "Porto"), by: work)
        try await store.edit(trip, by: work) { $0.notes = "First" }
        try await store.edit(trip, by: Authorship(author: "ben")) { $0.destination = "Lisboa" }
        try await store.edit(trip, by: work) { $0.name = "Lisbon and Porto" }

        for _ in 0..<2 {
            let report = try await store.undo(.lastWork(by: "ana"))
            #expect(report.commits.count == 3)
            #expect(report.kept == [])
            let undone = try #require(try store.trip(trip))
            #expect(undone.name == "Lisbon" && undone.notes.isEmpty && undone.destination == "Lisboa")
            #expect(try store.trip(porto) == nil)
            // Another author uses the result of the earlier work.
            await #expect {
                try await store.undo(.lastWork(by: "ana"))
            } throws: {
                ($0 as? TripStoreError)?.code == .nothingToUndo
            }
            try await store.redo(by: ana)
            #expect(try store.trip(trip)?.name == "Lisbon and Porto")
            #expect(try store.trip(porto) != nil)
        }
        try await store.expectInvariants()
    }

    @Test("A part of a piece of work that was undone alone is left out, and the rest is undone")
    func rest() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon"))
        let work = Authorship(author: "ana", correlation: UUID())
        let first = try await store.edit(trip, by: work) { $0.notes = "First" }
        try await store.edit(trip, by: work) { $0.destination = "Lisboa" }
        try await store.undo(first)
        let report = try await store.undo(.lastWork(by: "ana"))
        #expect(report.changes.map(\.new?.name) == ["destination"])
        #expect(try store.trip(trip)?.destination == "")
        try await store.expectInvariants()
    }
}
