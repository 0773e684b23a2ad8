import EventLog
import Events
import Foundation
import LogExchange
import Logging
import StoreSupport
import Testing
import TripStore

/// A server with a folder of journals, in memory, and devices that stay in sync with it.
final class SyncFixture: Sendable {
    let place: TemporaryFolder
    let server: SessionServer
    let folder: JournalFolder
    let network: MemoryNetwork

    init(_ beginners: Beginners = .anyone) {
        place = TemporaryFolder()
        (folder, server) = Self.hub(in: place, beginners)
        network = MemoryNetwork(server)
    }

    static func hub(in place: TemporaryFolder, _ beginners: Beginners = .anyone) -> (JournalFolder, SessionServer) {
        var options = JournalFolder.Options(beginners: beginners, name: "hub", mapSize: 256 << 20)
        options.dependencies.now = { ManualClock().now }
        options.syncsCommits = false
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let folder = JournalFolder(place.url, options: options, logger: logger)
        return (folder, SessionServer(folder, limits: .patient, logger: logger))
    }

    /// A store with a journal of its own, and one that is granted a role in it.
    static func devices(_ role: MemberRole? = .write) async throws -> (phone: TripStore, laptop: TripStore) {
        let phone = try await TripStore.founded(clock: ManualClock(seed: 1))
        try await phone.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        return (phone, try await device(of: phone, role, seed: 2))
    }

    static func device(of founder: TripStore, _ role: MemberRole?, seed: UInt64) async throws -> TripStore {
        let device = try await TripStore.test(journal: founder.journal, clock: ManualClock(seed: seed))
        if let role { try await founder.grant(role, to: device.replica) }
        return device
    }

    /// Short delays; by the time of a test if it gives one.
    static func options(_ time: ManualTime? = nil) -> SyncOptions {
        var options = SyncOptions()
        if let time {
            options.dependencies = time.dependencies
        } else {
            options.backoff = SyncOptions.Backoff(
                first: .milliseconds(1), longest: .milliseconds(20), afterRefusal: .milliseconds(20))
            options.acknowledgesAfter = .milliseconds(1)
            options.limits = .patient
        }
        return options
    }

    func sync(_ store: TripStore, _ time: ManualTime? = nil) -> StoreSync {
        store.stayInSync(with: network, options: Self.options(time))
    }
}

extension StoreSync {
    /// Waits for a state.
    func reach(_ isReached: @escaping @Sendable (SyncState) -> Bool) async {
        for await state in self where isReached(state) { return }
    }

    func connected() async { await reach { $0 == .connected } }
}

/// Waits until stores hold the same, and none has anything unsigned or unsent.
func areEqual(_ stores: [TripStore]) async throws -> Bool {
    var frontiers: Set<Frontier> = []
    for store in stores { frontiers.insert(try await store.frontier()) }
    return frontiers.count == 1
}

func expectEqual(_ stores: [TripStore]) async throws {
    try await eventually { try await areEqual(stores) }
    for store in stores {
        try await store.catchUp()
        try await store.expectEqual(to: stores[0])
        try await store.expectInvariants()
    }
}
