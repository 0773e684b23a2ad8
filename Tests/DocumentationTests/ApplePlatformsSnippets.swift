import StoreSupport
import Testing
import TripStore

@Suite("The page on Apple platforms")
struct ApplePlatformsSnippets {
    @Test("A store is suspended and resumed")
    func suspending() async throws {
        let store = try await TripStore.temporary()
        // begin ApplePlatforms-suspending
        try await store.suspend(by: .now + .seconds(3))  // nothing in the store's folder is locked now
        try await store.resume()
        // end
        try await store.create(Trip(name: "Lisbon"))
        try await store.expectInvariants()
    }
}
