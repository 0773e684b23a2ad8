import Foundation
import Testing
import TripStore

@Suite("The second program of the README")
struct ReadmeSnippets {
    @Test("Live, undo and the past")
    func more() async throws {
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        // begin Readme-more
        let follower = Task {
            for try await update in store.live() {  // at once, and whenever the answer changes
                print(update.rows.map(\.trip.name), update.changes.removed.count)
            }
        }
        let receipt = try await store.delete(lisbon)
        let before = try await store.asOf(receipt.position - 1)  // the same queries, as it was
        print(try before.trips().rows.map(\.trip.name))
        try await store.undo(receipt)  // a new commit; what others wrote since stays
        follower.cancel()
        // end
        #expect(try before.trips().rows.map(\.trip.name) == ["Lisbon"])
        #expect(try store.trips().rows.map(\.trip.name) == ["Lisbon"])
    }
}
