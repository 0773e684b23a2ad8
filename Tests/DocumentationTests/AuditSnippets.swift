import Foundation
import Testing
import TripStore

@Suite("The page on audits")
struct AuditSnippets {
    private func prepared() async throws -> (TripStore, Trip.ID) {
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(Trip(name: "Lisbon", destination: "Lisboa"), by: "ana")
        try await store.edit(lisbon, by: "ben") { $0.name = "Lisbon and Porto" }
        return (store, lisbon)
    }

    @Test("History, audit and blame")
    func history() async throws {
        let (store, lisbon) = try await prepared()
        let notes = Notes()
        func show(_ parts: String...) { notes.add(parts.joined(separator: " ")) }
        // begin Audit-history
        for entry in try store.history(of: lisbon) {
            for change in entry.event.changes {
                show(entry.commit.author, change.field, change.old?.text ?? "nothing", "→", change.new.text)
            }
        }
        // end
        #expect(notes.all.contains("ana name nothing → Lisbon"))
        #expect(notes.all.contains("ben name Lisbon → Lisbon and Porto"))

        // begin Audit-filter
        var filter = AuditFilter(under: lisbon.reference, author: "ben")
        filter.isReversed = true
        let newest = try store.audit(filter, limit: 20)
        let older = try newest.next.map { try store.audit(filter, limit: 20, after: $0) }
        // end
        #expect(newest.map(\.author) == ["ben"])
        #expect(older == nil)

        let before = notes.all.count
        // begin Audit-blame
        let blame = try store.blame(lisbon)
        for line in blame.lines {
            show(line.field.name, line.field.text, "by", line.commit.author, "at", "\(line.commit.position)")
        }
        // end
        #expect(
            Array(notes.all.dropFirst(before)) == [
                "name Lisbon and Porto by ben at 3", "destination Lisboa by ana at 2",
            ])
        #expect(blame.created?.author == "ana")
    }

    @Test("Differences")
    func differences() async throws {
        let (store, lisbon) = try await prepared()
        let notes = Notes()
        func show(_ parts: String...) { notes.add(parts.joined(separator: " ")) }
        let yesterday = try #require(try store.commit(at: Position(2))).position
        try await store.delete(lisbon)
        // begin Audit-differences
        let now = try store.status().position
        for difference in try store.differences(from: .position(yesterday), to: .position(now)) {
            show("\(difference.fate)", difference.name)
            for field in difference.fields { show(field.name, field.old.text, "→", field.new.text) }
        }
        // end
        #expect(notes.all == ["deleted Lisbon and Porto", "name Lisbon → Lisbon and Porto"])
    }

    @Test("Conflicts and how they are resolved")
    func conflicts() async throws {
        let (store, lisbon) = try await prepared()
        // begin Audit-form
        let original = try store.trip(lisbon)  // ana opens a form
        try await store.edit(lisbon, by: "ben") { $0.name = "Faro" }  // ben is quicker
        if let original {
            var draft = original
            draft.name = "Porto"
            try await store.save(draft, from: original, by: "ana")  // ana has not seen "Faro"
        }
        // end
        let notes = Notes()
        func show(_ parts: String...) { notes.add(parts.joined(separator: " ")) }
        // begin Audit-conflicts
        for conflict in try store.conflicts(of: lisbon) {
            let (lost, won) = (conflict.superseded, conflict.winner)
            show(conflict.field, lost.value.text, "by", lost.commit.author, "lost to", won.value.text)
        }
        // end
        #expect(notes.all == ["name Faro by ben lost to Porto"])
        // begin Audit-resolve
        if let conflict = try store.conflicts(of: lisbon).first {
            try await store.resolve(conflict, taking: .superseded, by: "ana")
        }
        // end
        #expect(try store.trip(lisbon)?.name == "Faro")
        #expect(try store.conflicts().isEmpty)
        #expect(try store.conflicts(includingResolved: true).count == 1)
    }

    @Test("A handler of conflicts", .timeLimit(.minutes(10)))
    func handler() async throws {
        let (store, lisbon) = try await prepared()
        let original = try #require(try store.trip(lisbon))
        for text in ["ours", "theirs"] {
            var draft = original
            draft.notes = text
            try await store.save(draft, from: original, by: "ana")
        }
        // begin Audit-handler
        let resolving = Task {
            try await store.resolveConflicts("notes") { conflict in
                guard conflict.field == "notes", let ours = conflict.superseded.value(as: String.self),
                    let theirs = conflict.winner.value(as: String.self)
                else { return .leaving }
                return .writing("\(theirs)\n\(ours)")
            }
        }
        // end
        // It comes by itself; the time limit ends the test if it does not.
        while try store.trip(lisbon)?.notes != "theirs\nours" { try await Task.sleep(for: .milliseconds(5)) }
        resolving.cancel()
    }
}
