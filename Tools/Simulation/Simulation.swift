import Foundation
import LogExchange
import TripStore
import TripStoreTestSupport

/// Runs a scenario: replicas that write, meet, crash and are copied, one step after the other, all in this process.
public final class Simulation {
    let scenario: Scenario
    private let root: String
    var replicas: [SimulatedReplica] = []
    private var writer: RandomWriter
    private var bundles: [URL] = []
    private var unreachable: UInt32 = 0
    private let journal: JournalID
    /// Commits that were acknowledged to whoever wrote them, and that no restored store took with it.
    private(set) var acknowledged: Set<Digest> = []
    var outcome = SimulationOutcome()

    private init(_ scenario: Scenario, in folder: String) {
        self.scenario = scenario
        root = "\(folder)/simulation-\(scenario.seed)-\(UUID().uuidString.prefix(8))"
        writer = RandomWriter(seed: scenario.seed)
        var random = SeededRandom(seed: scenario.seed ^ 0x5EED)
        journal = JournalID(UUID(random: &random))
        for number in 0..<scenario.replicas {
            replicas.append(SimulatedReplica(number: number, root: root, seed: scenario.seed, journal: journal))
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// Where simulations keep their stores: in memory if the machine has such a place.
    public static var defaultFolder: String {
        FileManager.default.isWritableFile(atPath: "/dev/shm")
            ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    }

    /// Runs a scenario, heals what was parted, and checks what must hold then.
    ///
    /// Throws `SimulationFailure`.
    public static func run(_ scenario: Scenario, in folder: String = defaultFolder) async throws -> SimulationOutcome {
        let simulation = Simulation(scenario, in: folder)
        var number = 0
        do {
            for step in scenario.steps {
                try await simulation.take(step)
                number += 1
            }
            try await simulation.heal()
            try await simulation.check()
            return simulation.outcome
        } catch {
            throw SimulationFailure(scenario: scenario, step: number, message: "\(error)")
        }
    }

    private func replica(_ number: Int) -> SimulatedReplica? {
        replicas.indices.contains(number) ? replicas[number] : nil
    }

    private func take(_ step: SimulationStep) async throws {
        switch step {
        case .write(let number, let commits, let seed): try await write(number, commits, seed)
        case .writeUnknown(let number, let seed): try await writeUnknown(number, seed)
        case .exchange(let one, let other, let carrier): try await exchange(one, other, carrier)
        case .writeBundle(let number, let other): try await writeBundle(number, for: other)
        case .readBundle(let number, let into): try await readBundle(number, into)
        case .crash(let number): replica(number)?.crash()
        case .wait(let milliseconds): for replica in replicas { replica.setClock(by: milliseconds) }
        case .setClock(let number, let milliseconds): replica(number)?.setClock(by: milliseconds)
        case .partition(let bits): unreachable = bits
        case .join:
            guard replicas.count < Scenario.mostReplicas else { return }
            replicas.append(
                SimulatedReplica(number: replicas.count, root: root, seed: scenario.seed, journal: nil))
        case .backUp(let number): try replica(number)?.backUp()
        case .restore(let number, let isSeen): try await restore(number, isSeen)
        case .copy(let number, let isSeen):
            guard let original = replica(number), replicas.count < Scenario.mostReplicas else { return }
            if let copy = try original.copied(as: replicas.count, seed: scenario.seed, isSeen: isSeen) {
                replicas.append(copy)
            }
        }
    }

    // MARK: Writing

    /// A store that may be written to: not one that has still to learn to which journal it belongs.
    private func writable(_ number: Int) async throws -> TripStore? {
        guard let replica = replica(number) else { return nil }
        let store = try await replica.store()
        if store.identityChange != nil { outcome.identityChanges += 1 }
        return store.journal == journal ? store : nil
    }

    private func write(_ number: Int, _ commits: Int, _ seed: UInt64) async throws {
        guard let store = try await writable(number) else { return }
        let before = try store.status().position
        writer.generator = SeededRandom(seed: seed)
        // What does not fit the state that it meets is refused, and something else tried.
        var position = before
        for _ in 0..<commits {
            for _ in 0..<4 {
                try await writer.write(to: store)
                let reached = try store.status().position
                if reached > position {
                    position = reached
                    break
                }
            }
        }
        try acknowledge(store, after: before)
    }

    private func writeUnknown(_ number: Int, _ seed: UInt64) async throws {
        guard let store = try await writable(number) else { return }
        let before = try store.status().position
        var random = SeededRandom(seed: seed)
        let trip =
            writer.trips.randomElement(using: &random)
            ?? Trip.ID.new(at: Date(timeIntervalSince1970: 0), using: &random)
        let value = (0..<8).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let field = UInt32.random(in: 900...902, using: &random)
        try await store.appendUnchecked([
            Event(
                verb: .edited, entity: trip.reference,
                changes: [
                    Change(path: Path(field: field), value: value),
                    Change(path: Path(field: field + 10, key: [1]), value: Bool.random(using: &random) ? value : nil),
                ]),
            Event(
                verb: Verb(rawValue: 77), entity: EntityReference(kind: EntityKind(rawValue: 500), id: trip.uuid),
                changes: [Change(path: Path(field: 1), value: value)]),
        ])
        try acknowledge(store, after: before)
    }

    private func acknowledge(_ store: TripStore, after position: Position) throws {
        if let fault = try store.timestampFault(after: position) { throw SimulationFault(fault) }
        let hashes = try store.commitHashes(after: position)
        acknowledged.formUnion(hashes)
        outcome.commits += hashes.count
    }

    // MARK: Copies

    /// What the store had and nobody else has is lost with it: that is no fault of the exchange.
    private func restore(_ number: Int, _ isSeen: Bool) async throws {
        guard let replica = replica(number), replica.backup != nil else { return }
        let lost = Set(try await replica.store().commitHashes(after: .start))
        guard try replica.restore(isSeen: isSeen) else { return }
        var kept: Set<Digest> = []
        for replica in replicas { kept.formUnion(try await replica.store().commitHashes(after: .start)) }
        acknowledged.subtract(lost.subtracting(kept))
    }

    // MARK: Meeting

    private func isReachable(_ one: Int, _ other: Int) -> Bool {
        unreachable >> UInt32(one) & 1 == unreachable >> UInt32(other) & 1
    }

    private func exchange(_ one: Int, _ other: Int, _ carrier: SimulatedCarrier) async throws {
        guard one != other, isReachable(one, other), let first = replica(one), let second = replica(other) else {
            return
        }
        let (store, peer) = (try await first.store(), try await second.store())
        // Two that belong to no journal yet have nothing to say to each other.
        switch carrier {
        case .direct: try await exchange(store, peer)
        case .messages(let faults, let seed):
            let channel = SimulatedChannel(MessageServer(peer.logPeer), faults: faults, seed: seed)
            try await exchange(store, MessagePeer(channel), mayFail: faults > 0)
        case .cut(let calls): try await exchange(store, CutPeer(peer.logPeer, after: calls), mayFail: true)
        }
    }

    /// Exchanges without faults: both hold the same afterwards, and say so.
    func exchange(_ store: TripStore, _ peer: TripStore) async throws {
        let report = try await store.exchange(with: .store(peer))
        outcome.exchanges += 1
        let (ours, theirs) = (try await store.frontier(), try await peer.frontier())
        guard ours == theirs else {
            throw SimulationFault("after an exchange one holds \(ours.text) and the other \(theirs.text)")
        }
        guard report.acknowledged == theirs else {
            throw SimulationFault("\(theirs.text) is held, and \(report.acknowledged.text) was acknowledged")
        }
    }

    private func exchange(_ store: TripStore, _ peer: any ExchangePeer, mayFail: Bool) async throws {
        outcome.exchanges += 1
        do { try await store.exchange(with: .peer(peer)) } catch let error as ExchangeError where mayFail {
            // What goes wrong has a name.
            outcome.cutExchanges += 1
            _ = error
        } catch let error as EventLogError where mayFail {
            outcome.cutExchanges += 1
            _ = error
        }
    }

    private func writeBundle(_ number: Int, for other: Int?) async throws {
        guard let store = try await writable(number), try store.status().position > .start else { return }
        let file = URL(fileURLWithPath: "\(root)/\(bundles.count).bundle")
        var audience = BundleAudience.anyone
        if let other, let reader = try await writable(other) { audience = .holder(of: try await reader.frontier()) }
        try await store.write(bundle: file, for: audience)
        bundles.append(file)
    }

    private func readBundle(_ number: Int, _ into: Int) async throws {
        guard bundles.indices.contains(number), let replica = replica(into) else { return }
        do {
            try await replica.store().exchange(with: .bundle(bundles[number]))
        } catch let error as ExchangeError where error.code == .missingStart {
            // It was written for somebody who held more.
        }
    }

    // MARK: Healing

    private func heal() async throws {
        unreachable = 0
        for replica in replicas { replica.crash() }
        // Twice by way of the first: then everybody has what everybody had.
        for _ in 0..<2 {
            for replica in replicas.dropFirst() {
                try await exchange(replica.store(), replicas[0].store())
            }
        }
    }
}

/// What does not hold and should.
struct SimulationFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension UUID {
    init(random: inout SeededRandom) {
        let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
