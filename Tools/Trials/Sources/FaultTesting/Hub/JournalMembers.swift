import Foundation
import LogExchange
import TripStore
import TripStoreTestSupport

/// Stores of one journal: its founder's, and others that it granted.
struct JournalMembers: Sendable {
    let stores: [TripStore]

    static func open(_ count: Int, in folder: String) async throws -> JournalMembers {
        var stores: [TripStore] = []
        for number in 0..<count {
            var options = TripStore.Options()
            options.mapSize = 256 << 20
            options.deviceName = "device \(number)"
            options.journal = stores.first?.journal
            let store = try await TripStore.open(
                at: URL(fileURLWithPath: "\(folder)/store-\(number)"), options: options)
            if let founder = stores.first { try await founder.grant(.write, to: store.replica) }
            if number == 0 { try await store.create(Trip(name: "Trip of the founder")) }
            stores.append(store)
        }
        return JournalMembers(stores: stores)
    }

    func close() async {
        for store in stores { await store.close() }
    }

    /// Waits until all hold the same, and compares. `exchange` is called before each look, for stores that do not stay in sync by themselves.
    func faults(
        acknowledged: Int, exchange: (TripStore) async throws -> Void = { _ in }
    ) async throws -> [String] {
        let deadline = ContinuousClock.now + .seconds(300)
        var frontiers: Set<Frontier> = []
        repeat {
            frontiers = []
            for store in stores { try await exchange(store) }
            for store in stores { frontiers.insert(try await store.frontier()) }
            if frontiers.count == 1 { break }
            try await Task.sleep(for: .milliseconds(100))
        } while ContinuousClock.now < deadline
        var faults: [String] = []
        if frontiers.count > 1 { faults.append("After 300 s there are \(frontiers.count) different frontiers.") }
        for (number, store) in stores.enumerated() {
            try await store.catchUp()
            // The founder's first trip was written before.
            let found = try store.count(Query<Trip>())
            if found != acknowledged + 1 {
                faults.append("Store \(number) has \(found) trips, and \(acknowledged + 1) were acknowledged.")
            }
            faults += try await store.violatedInvariants().map { "Store \(number): \($0)" }
        }
        return faults
    }
}
