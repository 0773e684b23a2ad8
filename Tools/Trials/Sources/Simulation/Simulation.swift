import Foundation

@testable import LogExchange
@testable import TripStore
@testable import TripStoreTestSupport

/// Runs a scenario: replicas that write, exchange, crash and are copied, one step after the other, all in this process.
public final class Simulation {
    let scenario: Scenario
    let root: String
    var replicas: [SimulatedReplica] = []
    var writer: RandomWriter
    var bundles: [URL] = []
    private var unreachable: UInt32 = 0
    /// A right clock's time, in milliseconds since 1970.
    private(set) var now = ManualClock().now
    /// How much of that was skipped.
    private var skipped: Int64 = 0
    /// Set once a hostile writer pulled a clock ahead. A clock that was set back then would leave a replica with a line
    /// so far ahead of it that it continues as another and writes its edits again, under other hashes.
    var clocksOnlyAdvance = false
    var journal: JournalID
    /// Commits that were acknowledged to their authors, and that no restored store took with it.
    var acknowledged: Set<Digest> = []
    /// All commits that honest replicas ever wrote.
    var written: Set<Digest> = []
    /// Commits that hostile writers signed correctly: they count.
    var forged: Set<Digest> = []
    /// Those of them with unreadable payloads.
    var malformed: Set<Digest> = []
    /// What no replica may ever hold.
    var refused: Set<Digest> = []
    /// New ids of stores that continued as another replica when opened.
    var newIdentities: Set<ReplicaID> = []
    /// Whether a store went back to a backup: bytes may have gone with it.
    private(set) var hasLostStores = false
    var hostileLines: [HostileLineName: HostileLine] = [:]
    var outcome = SimulationOutcome()

    private init(_ scenario: Scenario, in folder: String) {
        self.scenario = scenario
        root = "\(folder)/simulation-\(scenario.seed)-\(UUID().uuidString.prefix(8))"
        writer = RandomWriter(seed: scenario.seed)
        var random = SeededRandom(seed: scenario.seed ^ 0x5EED)
        journal = JournalID(UUID(random: &random))
        for number in 0..<scenario.replicas {
            let known = scenario.isFounded ? nil : journal
            replicas.append(SimulatedReplica(number: number, root: root, seed: scenario.seed, journal: known))
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// The parent of simulations' stores: in memory if the machine has such a file system.
    public static var defaultFolder: String {
        FileManager.default.isWritableFile(atPath: "/dev/shm")
            ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    }

    /// Runs a scenario, heals partitions, and checks what must hold then.
    ///
    /// Throws `SimulationFailure`.
    public static func run(_ scenario: Scenario, in folder: String = defaultFolder) async throws -> SimulationOutcome {
        let simulation = Simulation(scenario, in: folder)
        var number = 0
        do {
            try await simulation.found()
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

    func replica(_ number: Int) -> SimulatedReplica? {
        replicas.indices.contains(number) ? replicas[number] : nil
    }

    private func take(_ step: SimulationStep) async throws {
        switch step {
        case .write(let number, let commits, let seed): try await write(number, commits, seed)
        case .writeUnknown(let number, let seed): try await writeUnknown(number, seed)
        case .load(let number, let commits, let seed): try await load(number, commits, seed)
        case .undo(let number, let seed): try await undo(number, seed)
        case .redo(let number, let seed): try await redo(number, seed)
        case .resolve(let number, let seed): try await resolve(number, seed)
        case .erase(let number, let seed): try await erase(number, seed)
        case .exchange(let one, let other, let carrier): try await exchange(one, other, carrier)
        case .writeBundle(let number, let other): try await writeBundle(number, for: other)
        case .readBundle(let number, let into): try await readBundle(number, into)
        case .crash(let number): crash(number)
        case .close(let number): try await close(number)
        case .wait(let milliseconds):
            now += milliseconds
            for replica in replicas { replica.setClock(by: milliseconds) }
        case .setClock(let number, let milliseconds): replica(number)?.setClock(by: milliseconds)
        case .setClockApart(let number, let milliseconds):
            replica(number)?.setClock(to: now + milliseconds, mayGoBack: !clocksOnlyAdvance)
        case .passDay: passDay()
        case .partition(let bits): unreachable = bits
        case .tamper(let one, let other, let tampering, let seed): try await tamper(one, other, tampering, seed)
        case .readTampered(let from, let into, let tampering, let seed):
            try await readTampered(from, into, tampering, seed)
        case .withhold(let one, let other, let seed): try await withhold(one, other, seed)
        case .deceive(let number, let lie, let seed): try await deceive(number, lie, seed)
        case .attack(let number, let act, let victim, let seed): try await attack(number, act, on: victim, seed)
        case .join, .backUp, .restore, .copy: try await place(step)
        }
    }

    /// Steps that change which stores exist.
    private func place(_ step: SimulationStep) async throws {
        switch step {
        case .join:
            guard replicas.count < Scenario.mostReplicas else { return }
            let device = SimulatedReplica(number: replicas.count, root: root, seed: scenario.seed, journal: nil)
            device.setClock(by: skipped)
            replicas.append(device)
            try await admit(device)
        case .backUp(let number): try replica(number)?.backUp()
        case .restore(let number, let isSeen): try await restore(number, isSeen)
        case .copy(let number, let isSeen):
            guard let original = replica(number), replicas.count < Scenario.mostReplicas else { return }
            if let copy = try original.copied(as: replicas.count, seed: scenario.seed, isSeen: isSeen) {
                replicas.append(copy)
            }
        default: return
        }
    }

    private func crash(_ number: Int) {
        guard let replica = replica(number) else { return }
        outcome.restarts += 1
        replica.crash()
    }

    private func close(_ number: Int) async throws {
        guard let replica = replica(number) else { return }
        outcome.restarts += 1
        await replica.close()
    }

    // MARK: Copies

    /// What only that store had is lost with it: that is no fault of the exchange.
    private func restore(_ number: Int, _ isSeen: Bool) async throws {
        guard let replica = replica(number), replica.backup != nil else { return }
        let lost = Set(try await replica.store().commitHashes(after: .start))
        guard try replica.restore(isSeen: isSeen) else { return }
        hasLostStores = true
        outcome.restarts += 1
        var kept: Set<Digest> = []
        for replica in replicas { kept.formUnion(try await replica.store().commitHashes(after: .start)) }
        acknowledged.subtract(lost.subtracting(kept))
    }

    func isReachable(_ one: Int, _ other: Int) -> Bool {
        unreachable >> UInt32(one) & 1 == unreachable >> UInt32(other) & 1
    }

    // MARK: Healing

    /// Lets a day pass, after which all clocks are right: nothing is far ahead for any replica.
    private func passDay() {
        clocksOnlyAdvance = false
        let latest = max(replicas.map(\.time).max() ?? now, now)
        skipped += latest + 24 * 3_600_000 - now
        now = latest + 24 * 3_600_000
        for replica in replicas { replica.setClock(to: now, mayGoBack: false) }
    }

    /// All clocks advance, and devices that join later begin with that time.
    func pass(_ milliseconds: Int64) {
        skipped += milliseconds
        now += milliseconds
        for replica in replicas { replica.setClock(by: milliseconds) }
    }

    private func heal() async throws {
        unreachable = 0
        for replica in replicas { replica.crash() }
        // On a day a commit is sent only so often to fill holes, and carriers and hubs may have used that up.
        if clocksOnlyAdvance || outcome.withheld > 0 { passDay() }
        try await admitAll()
        // Twice by way of the first: then every replica has what every other had.
        for _ in 0..<2 {
            for replica in replicas.dropFirst() {
                try await exchange(replica.store(), replicas[0].store())
            }
        }
    }
}

/// A violated property.
struct SimulationFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension UUID {
    init(random: inout SeededRandom) {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        // Version 4, RFC 9562.
        bytes[6] = bytes[6] & 0x0F | 0x40
        self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
