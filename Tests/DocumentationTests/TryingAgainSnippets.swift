import Foundation
import Testing
import TripStore

@Suite("The page on trying again")
struct TryingAgainSnippets {
    @Test("A second attempt with the same id writes nothing")
    func appendID() async throws {
        let store = try await TripStore.temporary()
        let trip = Trip(name: "Lisbon")
        let notes = Notes()
        func show(_ parts: String...) { notes.add(parts.joined(separator: " ")) }
        // begin TryingAgain-append
        let id = AppendID()  // kept with the form, or taken from the request that led to this
        let first = try await store.append([.created(trip)], by: Authorship(author: "ana", appendID: id))
        let again = try await store.append([.created(trip)], by: Authorship(author: "ana", appendID: id))
        show(
            again.isRepeat ? "was written before" : "is written now",
            again.commit == first.commit ? "the same" : "another")
        // end
        #expect(notes.all == ["was written before the same"])
    }
}
