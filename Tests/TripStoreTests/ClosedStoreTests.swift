import Foundation
import ProjectionEngine
import StoreSupport
import Testing
import TripStore

@Suite("A closed store")
struct ClosedStoreTests {
    @Test("Queries and writes say that it was closed, and nothing is written or built")
    func closed() async throws {
        let folder = TemporaryFolder()
        let store = try await TripStore.test(at: folder.url)
        let trip = try await store.create(Trip(name: "Lisbon"))
        var live = store.live(trip).makeAsyncIterator()
        #expect(try await live.next() != nil)
        let end = try store.status().position
        await store.close()
        let reading = #expect(throws: TripStoreError.self) { try store.trips(.undated) }
        let following = await #expect(throws: TripStoreError.self) { try await live.next() }
        let writing = await #expect(throws: TripStoreError.self) { try await store.create(Trip(name: "Porto")) }
        let loading = await #expect(throws: TripStoreError.self) { try await store.load { _ in } }
        let rebuilding = await #expect(throws: TripStoreError.self) { try await store.rebuildViews() }
        for error in [reading, following, writing, loading, rebuilding] {
            #expect(error?.code == .closed, "\(String(describing: error))")
        }
        let status = try store.status()
        #expect(status.position == end && status.views.isEmpty && status.fault == nil)
        let again = try await TripStore.test(at: folder.url)
        #expect(again.rebuilt.isEmpty)
        #expect(try again.trips(.undated).rows.map(\.id) == [trip])
        try await again.expectInvariants()
    }

    @Test("It writes no statements about members, exchanges nothing and acknowledges nothing")
    func otherWrites() async throws {
        let folder = TemporaryFolder()
        let store = try await TripStore.test(at: folder.url)
        let other = try await TripStore.test(clock: ManualClock(seed: 2))
        try await store.create(Trip(name: "Lisbon"))
        let subscription = try await store.createSubscription("mail", from: .beginning)
        let end = try store.status().position
        await store.close()
        let granting = await #expect(throws: TripStoreError.self) { try await store.grant(.write, to: other.replica) }
        let inviting = await #expect(throws: TripStoreError.self) { _ = try await store.invite(.write) }
        let exchanging = await #expect(throws: TripStoreError.self) { try await store.exchange(with: .store(other)) }
        let acknowledging = await #expect(throws: TripStoreError.self) { try await subscription.acknowledge(end) }
        for error in [granting, inviting, exchanging, acknowledging] {
            #expect(error?.code == .closed, "\(String(describing: error))")
        }
        #expect(try store.status().position == end && subscription.acknowledged == .start)
        let again = try await TripStore.test(at: folder.url)
        #expect(try again.status().position == end)
        for store in [again, other] { try await store.expectInvariants() }
    }

    @Test("A reader whose views another handle replaced can still say whether they are behind")
    func replaced() async throws {
        let folder = TemporaryFolder()
        let store = try await TripStore.test(at: folder.url)
        try await store.create(Trip(name: "Lisbon"))
        let reader = try await TripStore.open(at: folder.url, options: .readOnly)
        try await store.rebuildViews()
        #expect(try !reader.isBehind)
        #expect(try reader.trips(.undated).count == 1)
        try await store.expectInvariants()
    }

    @Test("A reader that was closed says so, too")
    func reader() async throws {
        let folder = TemporaryFolder()
        let store = try await TripStore.test(at: folder.url)
        let reader = try await TripStore.open(at: folder.url, options: .readOnly)
        #expect(try reader.trips(.undated).rows.isEmpty)
        await reader.close()
        let error = #expect(throws: TripStoreError.self) { try reader.trips(.undated) }
        #expect(error?.code == .closed)
        try await store.expectInvariants()
    }
}
