import EventLog
import Events
import Foundation
import StoreSupport
import Synchronization
import Testing
import TripStoreTestSupport
import Trips

@testable import TripStore

@Suite("Erasing an entity of an import")
struct ErasureTests {
    private static func open(_ folder: TemporaryFolder, _ clock: ManualClock, journal: JournalID? = nil) async throws
        -> TripStore
    {
        try await TripStore.open(
            at: folder.url,
            options: TripStore.Options(journal: journal, mapSize: 64 << 20, dependencies: clock.dependencies))
    }

    /// Where the events of an entity lie.
    private static func leaves(of entity: EntityReference, in store: TripStore) throws -> [CommitID: ErasedLeaves] {
        try store.log.read { log in
            var found: [CommitID: ErasedLeaves] = [:]
            try log.forEachCommit(after: .start) { commit in
                var events: [Int] = []
                commit.forEachEvent { event, index in if event.entity == entity { events.append(index) } }
                let id = CommitID(replica: commit.header.replica, sequence: commit.header.sequence, hash: commit.hash)
                if !events.isEmpty { found[id] = .some(LeafSet(events: events)) }
                return true
            }
            return found
        }
    }

    @Test("It leaves views, history, audit and the past, here and elsewhere; the rest of the import stays")
    func entityOfImport() async throws {
        let (folder, other) = (TemporaryFolder(), TemporaryFolder())
        let (clock, otherClock) = (ManualClock(seed: 1), ManualClock(seed: 2))
        let store = try await Self.open(folder, clock)
        let trips = (0..<50).map { Trip(name: "Trip \($0)", startDay: Day(2027, 5, 1), endDay: Day(2027, 5, 9)) }
        try await store.load { load in try await load.append(trips.map { .created($0) }) }
        let secret = trips[20]
        let peer = try await Self.open(other, otherClock, journal: store.journal)
        try await store.exchange(with: .store(peer))
        let now = clock.dependencies.now()
        let past = try await store.asOf(Date(timeIntervalSince1970: Double(now) / 1000 + 60))
        #expect(try past.trip(secret.id)?.name == secret.name)

        let places = try Self.leaves(of: secret.id.reference, in: store)
        #expect(places.count == 1)
        for (commit, leaves) in places { try await store.log.erase(leaves, in: commit) }
        try await store.catchUp()
        try await store.exchange(with: .store(peer))
        try await peer.catchUp()
        for (name, store) in [("own", store), ("peer", peer)] {
            #expect(try store.trip(secret.id) == nil, "\(name)")
            #expect(try store.trip(trips[21].id)?.name == trips[21].name)
            let count = try store.read { try $0.trips(limit: 100) }.rows.count
            #expect(count == 49)
            // As if the trip had never existed.
            #expect(throws: TripStoreError.self) { try store.history(of: secret.id) }
            let again = try await store.asOf(Date(timeIntervalSince1970: Double(now) / 1000 + 60))
            #expect(try again.trip(secret.id) == nil)
            let report = try await TripStore.verify(at: store.folder)
            // The peer keeps the bytes for seven days.
            #expect(report.erasedEvents == (name == "own" ? 1 : 0) && report.isIntact)
        }
        try await store.expectEqual(to: peer)
        // Later writes are visible at once, and conflicts and history of other entities are unchanged.
        try await store.edit(trips[21].id) { $0.name = "Edited" }
        #expect(try store.trip(trips[21].id)?.name == "Edited")
        for store in [store, peer] { try await store.expectInvariants() }
        await store.close()
        let opened = try await Self.open(folder, clock)
        #expect(try opened.trip(secret.id) == nil)
        try await opened.expectInvariants()
    }

    @Test("What is erased while views are built from it has them built once more", arguments: [1, 2])
    func erasedWhileBuilding(times: Int) async throws {
        let store = try await TripStore.test()
        let trips = (0..<4).map { Trip(name: "Trip \($0)") }
        for trip in trips { _ = try await store.create(trip) }
        let own = try store.ownCommits()
        let erased = Mutex(0)
        _ = try await store.views.replace { _ in
            // Whenever the log is read: on the builder's own thread, which may block.
            let number = erased.withLock { count in
                defer { count += 1 }
                return count
            }
            guard number < times else { return }
            let done = DispatchSemaphore(value: 0)
            Task {
                try? await store.erase(.all, in: own[number])
                done.signal()
            }
            done.wait()
        }
        try await store.catchUp()
        for (number, trip) in trips.enumerated() { #expect(try (store.trip(trip.id) == nil) == (number < times)) }
        try await store.expectInvariants()
    }
}
