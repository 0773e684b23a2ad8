import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("Verbs for several entities")
struct BatchTests {
    private func trips(_ store: TripStore, _ count: Int) async throws -> [Trip.ID] {
        let trips = (0..<count).map { Trip(name: "Trip \($0)") }
        try await store.create(trips)
        return trips.map(\.id)
    }

    @Test("Each is one commit, of all or of none")
    func oneCommit() async throws {
        let store = try await TripStore.test()
        let ids = try await trips(store, 3)
        let start = try store.status().position
        let edited = try await store.edit(ids + [ids[0]], by: "ana") { $0.notes += "x" }
        #expect(edited.position == start + 1 && edited.entities.count == 3)
        #expect(try ids.map { try store.trip($0)?.notes } == ["x", "x", "x"])
        #expect(try await store.delete(ids).position == start + 2)
        #expect(try ids.allSatisfy { try store.trip($0) == nil })
        #expect(try await store.restore(ids).position == start + 3)
        let items: [TripItem.ID] = [
            .activity(try await store.create(Activity(name: "Tram", in: ids[0], from: .sample(1)))),
            .lodging(try await store.create(Lodging(name: "Inn", in: ids[1], from: .sample(1)))),
        ]
        let moved = try await store.move(items, to: ids[1])
        #expect(moved.position == start + 6 && moved.entities == [items[0].reference])
        #expect(try store.items(of: ids[1]).count == 2)
        #expect(try await store.move(items, to: ids[1]).isUnchanged)
        try await store.expectInvariants()
    }

    @Test("If one of them cannot be written, nothing is, and the error names it")
    func allOrNothing() async throws {
        let store = try await TripStore.test()
        let ids = try await trips(store, 3)
        try await store.delete(ids[1])
        let start = try store.status().position
        let edited = await #expect(throws: TripStoreError.self) { try await store.edit(ids) { $0.notes = "n" } }
        #expect(edited?.code == .deleted && edited?.entity == ids[1].reference)
        let invalid = await #expect(throws: TripStoreError.self) {
            try await store.edit([ids[0], ids[2]]) { if $0.id == ids[2] { $0.name = "" } else { $0.notes = "n" } }
        }
        #expect(invalid?.code == .invalidValue)
        let deleted = await #expect(throws: TripStoreError.self) { try await store.delete(ids) }
        #expect(deleted?.code == .deleted && deleted?.entity == ids[1].reference)
        let restored = await #expect(throws: TripStoreError.self) { try await store.restore(ids) }
        #expect(restored?.code == .notDeleted)
        let created = await #expect(throws: TripStoreError.self) {
            try await store.create([Trip(name: "New"), Trip(id: ids[0], name: "Old")])
        }
        #expect(created?.code == .alreadyExists)
        let none = await #expect(throws: TripStoreError.self) { try await store.delete([] as [Trip.ID]) }
        #expect(none?.code == .nothingToWrite)
        #expect(try await store.edit([] as [Trip.ID]) { $0.notes = "n" }.isUnchanged)
        #expect(try store.status().position == start)
        try await store.expectInvariants()
    }

    @Test("What another writes to one of them meanwhile is not lost", arguments: [2, 6])
    func racing(tasks: Int) async throws {
        let store = try await TripStore.test()
        let ids = try await trips(store, 4)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                let part = Array(ids.dropFirst(task % 2))
                group.addTask { try await store.edit(part) { $0.notes += "x" } }
            }
            try await group.waitForAll()
        }
        #expect(try store.trip(ids[3])?.notes.count == tasks)
        #expect(try store.trip(ids[0])?.notes.count == (tasks + 1) / 2)
        try await store.expectInvariants()
    }

    @Test("Tried again with its append id, nothing is written twice; with other entities it is refused")
    func tryingAgain() async throws {
        let store = try await TripStore.test()
        let ids = try await trips(store, 3)
        let authorship = Authorship(author: "ana", appendID: AppendID())
        let first = try await store.edit(ids, by: authorship) { $0.notes += "x" }
        let again = try await store.edit(ids, by: authorship) { $0.notes += "x" }
        #expect(again.isRepeat && again.position == first.position)
        let other = await #expect(throws: TripStoreError.self) {
            try await store.edit([ids[0]], by: authorship) { $0.notes += "x" }
        }
        #expect(other?.code == .appendIDReused)
        #expect(try ids.map { try store.trip($0)?.notes } == ["x", "x", "x"])
        try await store.expectInvariants()
    }
}
