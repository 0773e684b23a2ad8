import Foundation

@testable import EventLog
@testable import LogExchange
@testable import TripStore
@testable import TripStoreTestSupport

extension Simulation {
    /// Exchanges over a carrier that changes segments: the changed ones are refused. Then over an honest one, which
    /// brings everything.
    func tamper(_ one: Int, _ other: Int, _ tampering: Tampering, _ seed: UInt64) async throws {
        guard one != other, isReachable(one, other), let store = try await writable(one),
            let peer = try await writable(other)
        else { return }
        let carrier = TamperingPeer(peer.logPeer, tampering, seed: seed)
        outcome.exchanges += 1
        let refusal = try await refusal { try await store.exchange(with: .peer(carrier)) }
        try expectRefusal(refusal, of: tampering, altered: carrier.altered)
        for store in [store, peer] { try expectGenuine(store) }
        try await exchange(store, peer)
    }

    /// Reads a bundle that was changed in transit, with a corrected checksum. Then exchanges, which brings everything.
    func readTampered(_ from: Int, _ into: Int, _ tampering: Tampering, _ seed: UInt64) async throws {
        guard from != into, isReachable(from, into), let writer = try await writable(from),
            let store = try await writable(into), try writer.status().position > .start
        else { return }
        var random = SeededRandom(seed: seed)
        let file = URL(fileURLWithPath: "\(root)/tampered.bundle")
        defer { try? FileManager.default.removeItem(at: file) }
        var altered = 0
        if random.once(in: 3) {
            // Anywhere in the file. It may hit bytes without effect, so it need not be refused.
            try await writer.write(bundle: file)
            try ForgedBundle.flip(bits: (0..<3).map { _ in Int.random(in: 0..<1 << 40, using: &random) }, of: file)
        } else {
            let frontier = try await writer.frontier()
            let (segments, count) = tampering.apply(to: try await writer.segments(), &random)
            altered = count
            try ForgedBundle.write(
                segments, announcing: frontier.heads, from: writer.replica, in: journal, to: file)
        }
        // Segments of replicas of which nothing is wanted are not checked, so a bundle may be accepted whole.
        let refusal = try await refusal { try await store.exchange(with: .bundle(file)) }
        if refusal != nil || altered > 0 { outcome.tampered += 1 }
        if refusal != nil { outcome.refusals += 1 }
        try expectGenuine(store)
        try await exchange(store, writer)
    }

    /// Throws unless what a carrier changed was refused, and nothing else was.
    private func expectRefusal(_ refusal: (any Error)?, of tampering: Tampering, altered: Int) throws {
        if altered > 0 { outcome.tampered += 1 }
        if refusal != nil { outcome.refusals += 1 }
        if altered > 0, tampering.isRefused, refusal == nil {
            throw SimulationFault(
                "a carrier changed \(altered) segments (\(tampering.rawValue)), and nobody refused any")
        }
        if let refusal, altered == 0, !isAhead(refusal) {
            throw SimulationFault("a carrier changed nothing, and this was refused: \(refusal)")
        }
    }

    /// Why an exchange was refused; nil if it was not. Throws untyped failures.
    func refusal(_ body: () async throws -> Void) async throws -> (any Error)? {
        do {
            try await body()
            return nil
        } catch let error as TripStoreError {
            return error.cause ?? error
        } catch let error as ExchangeError {
            return error
        } catch let error as EventLogError {
            return error
        }
    }

    /// Throws if a store holds an invented commit.
    func expectGenuine(_ store: TripStore) throws {
        // In founded journals exchanges write grants, and no replica is hostile.
        guard !scenario.isFounded else { return }
        for hash in try store.commitHashes(after: .start) where !written.contains(hash) && !forged.contains(hash) {
            throw SimulationFault("a store holds the commit \(hash), which nobody wrote")
        }
    }
}
