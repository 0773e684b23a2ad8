import EventLog
import Events
import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("A store with commits that need a newer version")
struct NeededUpdateTests {
    private static let version: UInt64 = 0x9_0009_0000

    /// Stores a commit of a newer version, which may write here.
    private static func receive(_ newer: inout NewerReplica, in store: TripStore) async throws {
        let payload = Payload(author: "ada", events: [])
        try await store.store(newer.segment([payload], needs: version))
        try await store.catchUp()
    }

    @Test("Every list says that it may lack something, the rest is shown, and writing goes on")
    func lists() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        #expect(try store.trips().neededUpdate == nil && store.status().neededUpdate == nil)
        let before = try store.status().position
        var newer = try #require(NewerReplica(store.journal))
        try await Self.receive(&newer, in: store)
        let needed = try #require(try store.status().neededUpdate)
        #expect(needed.commits == 1 && needed.version?.description == "9.9" && needed.replicas == [newer.id])
        #expect(
            try store.words(on: needed)
                == "1 commit by \"Ada's phone\" needs TripStore 9.9 or newer: what it says is not shown.")
        try await store.edit(lisbon) { $0.name = "Lisbon and Porto" }
        let trips = try store.trips()
        #expect(trips.map(\.trip.name) == ["Lisbon and Porto"] && trips.neededUpdate == needed)
        #expect(try store.fetch(Query<Trip>()).neededUpdate == needed)
        #expect(try store.items(of: lisbon).neededUpdate == needed)
        #expect(try store.search("porto").neededUpdate == needed)
        #expect(try store.history(of: lisbon).neededUpdate == needed)
        #expect(try store.read { try $0.neededUpdate } == needed)
        #expect(try await store.asOf(before).trips().neededUpdate == nil)
        let audited = try store.audit()
        #expect(audited.neededUpdate == needed && audited.compactMap(\.neededUpdate?.commits) == [1])
        try await store.expectInvariants()
    }

    @Test("A live list comes again when an update becomes necessary, although its rows stay")
    func live() async throws {
        let store = try await TripStore.test()
        try await store.create(Trip(name: "Lisbon"))
        var updates = store.live(.trips(.undated)).makeAsyncIterator()
        let first = try #require(try await updates.next())
        #expect(first.rows.count == 1 && first.neededUpdate == nil)
        var newer = try #require(NewerReplica(store.journal))
        try await Self.receive(&newer, in: store)
        let second = try #require(try await updates.next())
        #expect(second.neededUpdate?.commits == 1 && second.changes.isEmpty)
    }

    @Test("An exchange passes the commits on, and the other store says the same of them")
    func forwarded() async throws {
        let store = try await TripStore.test()
        let other = try await TripStore.test(journal: store.journal, clock: ManualClock(seed: 2))
        try await store.create(Trip(name: "Lisbon"))
        var newer = try #require(NewerReplica(store.journal))
        try await Self.receive(&newer, in: store)
        try await other.exchange(with: .peer(store.logPeer))
        try await other.catchUp()
        let status = (try store.status(), try other.status())
        #expect(status.0.neededUpdate != nil && status.0.neededUpdate == status.1.neededUpdate)
        for store in [store, other] { try await store.expectInvariants() }
    }
}
