@testable import EventLog
@testable import LogExchange
@testable import TripStore
@testable import TripStoreTestSupport

extension Simulation {
    /// Exchanges over a carrier that takes payloads away, in both directions, under erasures that count for nobody. What is missing then
    /// stays missing until an honest exchange, and the report says so.
    func withhold(_ one: Int, _ other: Int, _ seed: UInt64) async throws {
        // In an open journal such an erasure is refused: see `tamper`.
        guard scenario.isFounded, one != other, isReachable(one, other), let store = try await writable(one),
            let peer = try await writable(other)
        else { return }
        let before = try holes(store).count + holes(peer).count
        let carrier = TamperingPeer(peer.logPeer, .conceal, seed: seed)
        outcome.exchanges += 1
        let report = try await store.exchange(with: .peer(carrier))
        let missing = try holes(store).filter { !$0.isExplained }
        guard Set(report.missing) == Set(missing) else {
            throw SimulationFault(
                "bytes of \(missing.count) commits are missing, and \(report.missing.count) were told")
        }
        guard missing.isEmpty || !report.shortcomings.isEmpty else {
            throw SimulationFault("a carrier withheld bytes, and nobody was named")
        }
        guard carrier.altered > 0 else { return }
        outcome.withheld += 1
        outcome.holes += max(try missing.count + holes(peer).count - before, 0)
        if !report.shortcomings.isEmpty { outcome.named += 1 }
    }

    private func holes(_ store: TripStore) throws -> [Hole] { try store.logPeer.log.read { try $0.holes() } }

    /// Throws unless all replicas lack the same bytes: those that went with a store, and that no other replica had.
    func expectFilled() async throws -> [Hole] {
        var common: [Hole]?
        for replica in replicas {
            let found = try await replica.store().logPeer.log.read { try $0.searchedHoles() }
            guard common == nil || common == found else {
                throw SimulationFault(
                    "bytes of \(found.count) commits are missing in \(replica.number), and of \(common?.count ?? 0) in 0"
                )
            }
            common = found
        }
        if let hole = common?.first, !hasLostStores {
            throw SimulationFault("no replica has the bytes of commit \(hole.commit) any more, and no store was lost")
        }
        return common ?? []
    }
}
