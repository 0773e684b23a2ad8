import Testing
import TripStore

@Suite("The page on erasing")
struct ErasingSnippets {
    @Test("The former values of a field go, and the present one stays")
    func history() async throws {
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(Trip(name: "Lisbon", notes: "password"), by: "ana")
        try await store.edit(lisbon) { $0.notes = "sunscreen" }
        let notes = Notes()
        func show(_ parts: String...) { notes.add(parts.joined(separator: " ")) }
        // begin Erasing-history
        let preview = try await store.previewErasing(lisbon, fields: ["notes"], history: true)
        for commit in preview.commits {
            for event in commit.events { show(commit.author, event.name, "\(event.changes.map(\.field))") }
        }
        try await store.erase(preview)
        // end
        #expect(notes.all == ["ana Lisbon [\"name\", \"notes\"]"])
        #expect(try store.trip(lisbon)?.notes == "sunscreen")
        let values = try store.history(of: lisbon).flatMap(\.event.changes).map(\.new.text)
        #expect(values.sorted() == ["Lisbon", "sunscreen"])
    }
}
