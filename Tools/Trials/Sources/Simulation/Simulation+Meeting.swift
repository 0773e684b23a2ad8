import Foundation

@testable import EventLog
@testable import LogExchange
@testable import TripStore
@testable import TripStoreTestSupport

extension Simulation {
    func exchange(_ one: Int, _ other: Int, _ carrier: SimulatedCarrier) async throws {
        guard one != other, isReachable(one, other), let first = replica(one), let second = replica(other) else {
            return
        }
        let (store, peer) = (try await first.store(), try await second.store())
        // Two that belong to no journal yet have nothing to exchange.
        switch carrier {
        case .direct: try await exchange(store, peer)
        case .messages(let faults, let seed):
            // An empty store joins no journal that is pushed to it: it makes the call.
            let isEmpty = try peer.status().position == .start
            let (caller, server) = isEmpty ? (peer, store) : (store, peer)
            let channel = SimulatedChannel(
                MessageServer(server.logPeer, authorizer: OpenAuthorizer()), faults: faults, seed: seed)
            try await exchange(caller, MessagePeer(channel), mayFail: faults > 0)
        case .cut(let calls): try await exchange(store, CutPeer(peer.logPeer, after: calls), mayFail: true)
        }
    }

    /// Exchanges without faults: both hold the same afterwards, and say so.
    func exchange(_ store: TripStore, _ peer: TripStore) async throws {
        let report: ExchangeReport
        do { report = try await store.exchange(with: .store(peer)) } catch  where isAhead(error) {
            outcome.exchanges += 1
            outcome.refusals += 1
            return
        }
        outcome.exchanges += 1
        outcome.healed += report.healed + report.healedThere
        let (ours, theirs) = (try await store.frontier(), try await peer.frontier())
        // A waiting device lists its own line, which others do not forward.
        if try isWaiting(store) || isWaiting(peer) { return }
        guard ours == theirs else {
            throw SimulationFault("after an exchange one holds \(ours.text) and the other \(theirs.text)")
        }
        guard report.acknowledged == theirs else {
            throw SimulationFault("\(theirs.text) is held, and \(report.acknowledged.text) was acknowledged")
        }
    }

    func isWaiting(_ store: TripStore) throws -> Bool {
        if case .waiting = try store.standing() { true } else { false }
    }

    private func exchange(_ store: TripStore, _ peer: any ExchangePeer, mayFail: Bool) async throws {
        outcome.exchanges += 1
        do { try await store.exchange(with: .peer(peer)) } catch  where isAhead(error) {
            outcome.refusals += 1
            return
        } catch let error as TripStoreError where mayFail {
            // Failures are typed.
            outcome.cutExchanges += 1
            _ = error
        }
    }

    func writeBundle(_ number: Int, for other: Int?) async throws {
        guard let store = try await writable(number), try store.status().position > .start else { return }
        let file = URL(fileURLWithPath: "\(root)/\(bundles.count).bundle")
        var audience = BundleAudience.anyone
        if let other, let reader = try await writable(other) { audience = .holder(of: try await reader.frontier()) }
        try await store.write(bundle: file, for: audience)
        bundles.append(file)
    }

    func readBundle(_ number: Int, _ into: Int) async throws {
        guard bundles.indices.contains(number), let replica = replica(into) else { return }
        do {
            try await replica.store().exchange(with: .bundle(bundles[number]))
        } catch let error as TripStoreError where error.code == .missingStart {
            // It was written for a reader that held more.
        } catch  where isAhead(error) {}
    }

    /// Whether a refusal was due to a hostile writer that had pulled the clock of one of the two ahead of the other's:
    /// until time has passed that is right.
    func isAhead(_ error: any Error) -> Bool {
        guard clocksOnlyAdvance else { return false }
        return switch (error as? TripStoreError)?.cause ?? error {
        case let error as EventLogError: error.code == .implausibleTime
        // Over messages the other side's refusal comes as text.
        case let error as ExchangeError: error.code == .refused && error.message.contains("implausibleTime")
        default: false
        }
    }
}
