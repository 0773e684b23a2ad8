import HubCarrier
import LogExchange
import TripStore
import TripStoreTestSupport

/// Holds hostile clients at a hub beside writing members: members are served, nothing is lost, and the hub's memory stays bounded.
public struct HostileTrial: Sendable {
    public struct Outcome: Sendable {
        /// Trips that were acknowledged to their writers.
        public internal(set) var written = 0
        /// How long members' exchanges took, with their connections and retries.
        public internal(set) var exchanges = Latencies()
        public internal(set) var retries = 0
        /// The longest time in which a member's attempts failed in a row, in seconds.
        public internal(set) var longestFailing = 0.0
        /// Resident memory of the hub at most; nil where the system does not tell.
        public internal(set) var memoryAtMost: Int?
        /// A line for each kind of hostile client.
        public internal(set) var clients: [String] = []
        /// The number of hostile connections that the hub took.
        public internal(set) var connections = 0
        public internal(set) var failures: [String] = []
    }

    /// The hub's resident memory beside what its clients make it hold: the program, the members' journals, and open connections.
    private static let besideMemory = 128 << 20
    private static let longestFailing = Duration.seconds(30)

    private let folder: String
    private let clients: Int
    private let writers: Int
    private let memory: Int
    private let duration: Duration
    private let seed: UInt64

    /// `memory` bounds what clients make the hub hold, in bytes.
    public init(in folder: String, clients: Int, writers: Int, memory: Int, duration: Duration, seed: UInt64) {
        self.folder = folder
        self.clients = clients
        self.writers = writers
        self.memory = memory
        self.duration = duration
        self.seed = seed
    }

    /// Runs it. Throws what prevents running it.
    public func run(progress: @escaping @Sendable (String) -> Void = { _ in }) async throws -> Outcome {
        var random = SeededRandom(seed: seed)
        let hub = try await BlockingWork.run { [folder, memory] in
            try HubProcess(in: folder + "/hub", memory: memory)
        }
        let members = try await JournalMembers.open(writers, in: folder)
        // Each is known to the hub before the hostile clients come.
        for store in members.stores { try await store.exchange(with: .connector(hub.connector)) }
        let watch = hub.watchMemory()
        let (attackers, draw) = (clients, random.next())
        let crowd = try await BlockingWork.run { [folder] in
            try HostileCrowd(attackers, at: hub, in: folder + "/strangers", seed: draw)
        }
        progress("\(clients) hostile clients and \(writers) members are ready")
        let writing = members.stores.map { WritingMember(store: $0, hub: hub.connector, seed: random.next()) }
        var outcome = Outcome()
        try await Self.run(writing, for: duration, into: &outcome)
        let counts = try await BlockingWork.run { try crowd.end() }
        watch.cancel()
        outcome.memoryAtMost = await watch.value
        outcome.connections = counts.values.reduce(0) { $0 + $1.made }
        outcome.clients = HostileClient.Kind.allCases.compactMap { kind in counts[kind].map { Self.line(kind, $0) } }
        outcome.failures += memoryFaults(outcome)
        outcome.failures += try await members.faults(acknowledged: outcome.written) { store in
            // One that fails is repeated: the others' frontiers differ until then.
            _ = try? await store.exchange(with: .connector(hub.connector))
        }
        await members.close()
        let code = try await BlockingWork.run { hub.end() }
        if code != 0 { outcome.failures.append("The hub ended with the exit code \(code).") }
        return outcome
    }

    private static func run(
        _ members: [WritingMember], for duration: Duration, into outcome: inout Outcome
    ) async throws {
        let end = ContinuousClock.now + duration
        let all = try await withThrowingTaskGroup { group in
            for member in members { group.addTask { try await member.run(until: end) } }
            return try await group.reduce(into: WritingMember.Outcome()) { $0.add($1) }
        }
        outcome.written = all.written
        outcome.exchanges = all.exchanges
        outcome.retries = all.retries
        outcome.longestFailing = all.longestFailing / .seconds(1)
        if all.longestFailing > longestFailing {
            outcome.failures.append(
                "A member's exchanges failed for \(all.longestFailing), and at last so: \(all.failure ?? "unknown")")
        }
    }

    private func memoryFaults(_ outcome: Outcome) -> [String] {
        guard let most = outcome.memoryAtMost, most > memory + Self.besideMemory else { return [] }
        return ["The hub's resident memory was \(most) bytes, and \(memory + Self.besideMemory) are the most."]
    }

    private static func line(_ kind: HostileClient.Kind, _ counts: HostileClient.Counts) -> String {
        "\(kind.rawValue): \(counts.made) connections made, \(counts.cut) cut, \(counts.refused) refused"
            + (counts.refusal.map { ", the last one so: \($0)" } ?? "")
    }
}
