import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("What a store remembers of hubs")
struct KnownServersTests {
    private let address = "https://hub.example:4433"

    @Test("A pin is remembered for an address, replaced, forgotten, and there after the store was closed")
    func remembering() async throws {
        let place = TemporaryFolder()
        let (first, second) = (try pin(1), try pin(2))
        let store = try await TripStore.open(at: place.url)
        #expect(try store.pin(ofServer: address) == nil && store.knownServers().isEmpty)
        try await store.remember(first, ofServer: address)
        try await store.remember(second, ofServer: "https://[::1]:443")
        #expect(try store.pin(ofServer: address) == first)
        try await store.remember(second, ofServer: address)
        await store.close()
        let again = try await TripStore.open(at: place.url)
        #expect(try again.knownServers() == [address: second, "https://[::1]:443": second])
        try await again.remember(nil, ofServer: address)
        #expect(try again.pin(ofServer: address) == nil)
        try await again.expectInvariants()
    }

    @Test("A store that is open for reading remembers nothing new")
    func reading() async throws {
        let place = TemporaryFolder()
        let store = try await TripStore.open(at: place.url)
        try await store.create(Trip(name: "Lisbon"))
        await store.close()
        var options = TripStore.Options()
        options.access = .readOnly
        let reading = try await TripStore.open(at: place.url, options: options)
        let error = await #expect(throws: TripStoreError.self) {
            try await reading.remember(try pin(1), ofServer: address)
        }
        #expect(error?.code == .readOnly)
        try await reading.expectInvariants()
    }

    private func pin(_ number: UInt8) throws -> Digest {
        let bytes = [UInt8](repeating: number, count: Digest.size)
        return try #require(bytes.withUnsafeBytes { Digest($0) })
    }
}
