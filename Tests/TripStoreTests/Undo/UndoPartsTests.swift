import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Undo in several commits")
struct UndoPartsTests {
    private let interruption = Interruption()
    private let ana: Authorship = "ana"

    private func store() async throws -> TripStore {
        var options = TripStore.Options(mapSize: 1 << 30, dependencies: ManualClock().dependencies)
        options.foundsJournal = false
        options.interceptor = interruption
        return try await TripStore.temporary(options: options)
    }

    /// So long that one commit of an undo holds only one of them.
    private func long(_ letter: Character) -> String { String(repeating: letter, count: 600_000) }

    /// A trip with three items of long notes.
    private func filled(_ store: TripStore) async throws -> (lisbon: Trip.ID, items: [Activity.ID]) {
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        var items: [Activity.ID] = []
        for name in ["Tram", "Castle", "Fado"] {
            items.append(
                try await store.create(Activity(name: name, in: lisbon, from: .sample(1), notes: long("a"))))
        }
        return (lisbon, items)
    }

    @Test("An item whose trip is deleted between two commits of an undoing stays as it is")
    func tripDeletedBetween() async throws {
        let store = try await store()
        let (lisbon, items) = try await filled(store)
        let edited = try await store.commit { commit in
            for item in items { commit.edit(item, [.set(\.notes, "short")]) }
        }
        interruption.before(write: 2) { try await store.delete(lisbon) }
        let report = try await store.undo(edited)
        #expect(report.receipts.count == 1 && report.changes.count == 1)
        #expect(report.kept.map(\.reason) == [.parentMissing(lisbon.reference), .parentMissing(lisbon.reference)])
        // Nothing was written to those: they have their creation and the edit.
        let events = try items.map { try store.history(of: $0).count }
        #expect(events.sorted() == [2, 2, 3])
        try await store.restore(lisbon)
        #expect(try items.count { try store.entity($0)?.notes == "short" } == 2)
        try await store.expectInvariants()
    }

    @Test("A trip that the first commit of an undoing restores is there for the items of the others")
    func tripRestoredBefore() async throws {
        let store = try await store()
        let (lisbon, items) = try await filled(store)
        let deleted = try await store.commit { commit in
            for item in items { commit.edit(item, [.set(\.notes, "short")]) }
            commit.edit(lisbon, [.set(\.name, "Lisboa")])
            commit.delete(lisbon)
        }
        interruption.before(write: 9) {}
        let report = try await store.undo(deleted)
        #expect(report.receipts.count == 3 && interruption.writes == 3)
        #expect(try store.items(of: lisbon).map(\.notes.count) == [600_000, 600_000, 600_000])
        try await store.expectInvariants()
    }

    private struct Fault: Error {}

    @Test("What stops an undoing between two commits says what was put back and what was not; once more does the rest")
    func stopped() async throws {
        let store = try await store()
        let (_, items) = try await filled(store)
        try await store.commit(by: "ana") { commit in
            for item in items { commit.edit(item, [.set(\.notes, "short")]) }
        }
        func longs() throws -> Int { try items.count { try store.entity($0)?.notes.count == 600_000 } }
        interruption.before(write: 2) { throw Fault() }
        let stopped = await #expect(throws: IncompleteUndoError.self) { try await store.undo(.last(by: "ana")) }
        let error = try #require(stopped)
        #expect(error.cause is Fault)
        #expect(error.report.receipts.count == 1 && error.report.changes.count == 1 && error.remaining.count == 2)
        let entities = error.report.changes.map(\.entity) + error.remaining.map(\.entity)
        #expect(Set(entities) == Set(items.map(\.reference)))
        #expect("\(error)".contains("1 of 3 changes"))
        #expect(try longs() == 1)
        // The rest of the commit is still its author's last.
        let rest = try await store.undo(.last(by: "ana"))
        #expect(rest.changes.map(\.entity) == error.remaining.map(\.entity))
        #expect(try longs() == 3)
        // Both are redone, each by itself.
        interruption.before(write: 9) {}
        try await store.redo(by: ana)
        #expect(try longs() == 1)
        try await store.redo(by: ana)
        #expect(try longs() == 0)
        try await store.expectInvariants()
    }

    @Test("What is refused before anything was put back is thrown as it is; a cancellation in between is the cause")
    func refusedOrCancelled() async throws {
        let store = try await store()
        let (lisbon, items) = try await filled(store)
        let edited = try await store.commit { commit in
            for item in items { commit.edit(item, [.set(\.notes, "short")]) }
        }
        interruption.before(write: 1) { throw Fault() }
        await #expect(throws: Fault.self) { try await store.undo(edited) }
        #expect(try items.allSatisfy { try store.entity($0)?.notes == "short" })
        interruption.before(write: 2) {
            // So that the rest must be planned again, by a task that is cancelled.
            try await store.edit(lisbon) { $0.notes = "meanwhile" }
            withUnsafeCurrentTask { $0?.cancel() }
        }
        let task = Task { try await store.undo(edited) }
        let error = await #expect(throws: IncompleteUndoError.self) { try await task.value }
        #expect(error?.cause is CancellationError)
        #expect(error?.report.receipts.count == 1 && error?.remaining.count == 2)
        try await store.expectInvariants()
    }
}
