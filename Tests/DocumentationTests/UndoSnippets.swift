import Foundation
import Testing
import TripStore

@Suite("The page on undo and redo")
struct UndoSnippets {
    @Test("One commit, and what stays")
    func commit() async throws {
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        // begin Undo-receipt
        let receipt = try await store.delete(lisbon)
        try await store.undo(receipt)  // a new commit that restores it
        // end
        #expect(try store.trip(lisbon)?.name == "Lisbon")

        let notes = Notes()
        func show(_ parts: String...) { notes.add(parts.joined(separator: " ")) }
        // begin Undo-report
        let both = try await store.commit(by: "ana") { commit in
            commit.edit(lisbon, [.set(\.name, "Porto"), .set(\.notes, "from ana")])
        }
        try await store.edit(lisbon, by: "ben") { $0.name = "Faro" }

        let report = try await store.undo(both)
        for change in report.changes { show("put back", change.new?.name ?? change.verb.name) }
        for kept in report.kept { show("kept", kept.field ?? kept.name, "\(kept.reason)") }
        // end
        #expect(notes.all == ["put back notes", "kept name changed since by ben at position 6"])
        #expect(try store.trip(lisbon)?.name == "Faro")
    }

    @Test("The last edit of an author, and redo")
    func stack() async throws {
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(Trip(name: "Lisbon"), by: "ana")
        // begin Undo-stack
        let ana: Authorship = "ana"
        try await store.edit(lisbon, by: ana) { $0.name = "Porto" }
        try await store.edit(lisbon, by: ana) { $0.name = "Faro" }

        try await store.undo(.last(by: "ana"), by: ana)  // Porto
        try await store.undo(.last(by: "ana"), by: ana)  // Lisbon
        try await store.redo(by: ana)  // Porto
        // end
        #expect(try store.trip(lisbon)?.name == "Porto")

        let notes = Notes()
        func show(_ parts: String...) { notes.add(parts.joined(separator: " ")) }
        // begin Undo-plan
        let plan = try store.undoPlan(.last(by: "ana"))
        for change in plan.changes { show(change.name, change.old?.text ?? "", "→", change.new?.text ?? "") }
        // end
        #expect(notes.all == ["Porto Porto → Lisbon"])
        #expect(plan.receipts.isEmpty)

        // An edit between undo and redo leaves the redo possible; what was written since stays.
        try await store.edit(lisbon, by: ana) { $0.notes = "meanwhile" }
        #expect(try await store.redo(by: ana).kept.isEmpty)
        #expect(try store.trip(lisbon)?.name == "Faro")
        // Unless another is named, the undoing is in the same author's name; in nobody's it is not Ana's to redo.
        try await store.undo(.last(by: "ana"))
        try await store.redo(by: ana)
        try await store.undo(.last(by: "ana"), by: "")
        await #expect { try await store.redo(by: ana) } throws: { ($0 as? TripStoreError)?.code == .nothingToUndo }
    }

    @Test("A trip since a position, and a piece of work")
    func larger() async throws {
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        // begin Undo-trip
        let yesterday = try store.status().position
        try await store.edit(lisbon) { $0.name = "Porto" }
        try await store.create(Activity(name: "Castle", in: lisbon))
        try await store.undo(.trip(lisbon, since: yesterday))
        // end
        #expect(try store.trip(lisbon)?.name == "Lisbon")
        #expect(try store.items(of: lisbon).isEmpty)

        // begin Undo-correlation
        let work = UUID()
        for name in ["Porto", "Faro", "Évora"] {
            try await store.create(Trip(name: name), by: Authorship(author: "ana", correlation: work))
        }
        let report = try await store.undo(.correlation(work))
        // end
        #expect(report.commits.count == 3 && report.receipts.count == 1)
        #expect(try store.status().trips == 1)

        let notes = Notes()
        func show(_ parts: String...) { notes.add(parts.joined(separator: " ")) }
        // begin Undo-parts
        do {
            try await store.undo(.correlation(work))
        } catch let error as IncompleteUndoError {
            show("put back", "\(error.report.changes.count)", "left", "\(error.remaining.count)", "\(error.cause)")
        }
        // end
        #expect(notes.all.isEmpty)

        let asked = Notes()
        // begin Undo-nothing
        do {
            try await store.undo(.last(by: "nobody"))
        } catch let error as TripStoreError where error.code == .nothingToUndo {
            asked.add(error.message)
        }
        // end
        #expect(asked.all == ["There is no commit in the name of 'nobody' that could be undone."])
    }

    @Test("With an undo manager") @MainActor
    func manager() async throws {
        /// As Foundation's, which not every platform has.
        final class Manager: UndoRegistering {
            var action: (@MainActor () -> Void)?
            func registerUndo(named name: String, _ action: @escaping @MainActor () -> Void) { self.action = action }
        }
        let undoManager = Manager()
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        let notes = Notes()
        func show(_ text: String) { notes.add(text) }
        // begin Undo-manager
        let receipt = try await store.edit(lisbon) { $0.name = "Porto" }
        store.register(receipt, as: "Rename", with: undoManager) { outcome in
            if case .failure(let error) = outcome { show("\(error)") }
        }
        // end
        #expect(undoManager.action != nil && notes.all.isEmpty)
        await store.close()
    }
}
