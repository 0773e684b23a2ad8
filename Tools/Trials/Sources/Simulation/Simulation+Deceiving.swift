@testable import EventLog
@testable import Events
@testable import LogExchange
@testable import TripStore
@testable import TripStoreTestSupport

extension Simulation {
    private static let hour: Int64 = 3_600_000
    private static let day: Int64 = 24 * hour
    /// The hubs that claim holes, and how often each does: more often than a commit is sent to one, and to all.
    private static let (claimants, claims) = (6, 4)
    /// The documented bounds: how often a day a commit is sent to fill a hole, to one replica and to all.
    private static let (mostToOne, mostToAll) = (3, 16)

    /// Lets a replica exchange with a hub that lies, and checks that it loses nothing and names the hub.
    func deceive(_ number: Int, _ lie: HubLie, _ seed: UInt64) async throws {
        // What a device may list that waits for its grant, others need not show.
        guard let store = try await writable(number), try !isWaiting(store) else { return }
        let held = try await store.frontier()
        guard !held.isEmpty else { return }
        var random = SeededRandom(seed: seed)
        let before = Set(try store.commitHashes(after: .start))
        outcome.hubLies += 1
        switch lie {
        case .forgetting: try await forget(held, store, &random)
        case .silent: try await stayMute(store, &random)
        case .unsent: try await announce(held, store, &random)
        case .holes, .newHoles: try await claim(lie, held, by: number, store, &random)
        case .revoked: try await revoke(store, &random)
        }
        guard before.isSubset(of: try store.commitHashes(after: .start)) else {
            throw SimulationFault("commits are gone after an exchange with a hub that lies (\(lie.rawValue))")
        }
        try expectGenuine(store)
    }

    private func hub(
        _ lie: HubLie, showing shown: Frontier = .empty, acknowledging acknowledged: Frontier = .empty,
        claiming holes: [Hole] = [], _ random: inout SeededRandom
    ) throws -> LyingHub {
        LyingHub(
            lie, as: try HostileKey(&random).replica, in: journal, showing: shown, acknowledging: acknowledged,
            claiming: holes)
    }

    private func expectNamed(_ isNamed: Bool, _ lie: HubLie) throws {
        guard isNamed else { throw SimulationFault("a hub that lies (\(lie.rawValue)) was not named") }
        outcome.named += 1
    }

    // MARK: Frontiers

    private func forget(_ held: Frontier, _ store: TripStore, _ random: inout SeededRandom) async throws {
        let hub = try hub(.forgetting, acknowledging: held, &random)
        try await store.exchange(with: .peer(hub))
        let report = try await store.exchange(with: .peer(hub))
        try expectNamed(!report.withdrawn.isEmpty, .forgetting)
    }

    private func stayMute(_ store: TripStore, _ random: inout SeededRandom) async throws {
        let hub = try hub(.silent, &random)
        guard try await store.exchange(with: .peer(hub)).notShown == 0 else {
            throw SimulationFault("a hub was named for what it had only just been sent")
        }
        pass(Self.hour)
        let report = try await store.exchange(with: .peer(hub))
        try expectNamed(report.notShown > 0 && !report.shortcomings.isEmpty, .silent)
    }

    private func announce(_ held: Frontier, _ store: TripStore, _ random: inout SeededRandom) async throws {
        guard let head = held.heads.randomElement(using: &random),
            let hash = random.bytes(32).withUnsafeBytes({ Digest($0) })
        else { return }
        let invented = CommitID(replica: head.replica, sequence: head.sequence.next, hash: hash)
        let shown = Frontier(journal: journal, heads: held.heads + [invented])
        let hub = try hub(.unsent, showing: shown, acknowledging: shown, &random)
        let refusal = try await refusal { try await store.exchange(with: .peer(hub)) }
        try expectNamed((refusal as? ExchangeError)?.code == .withheld, .unsent)
        outcome.refusals += 1
    }

    private func revoke(_ store: TripStore, _ random: inout SeededRandom) async throws {
        let hub = try hub(.revoked, &random)
        let refusal = try await refusal { try await store.exchange(with: .peer(hub)) }
        try expectNamed((refusal as? ExchangeError)?.code == .revoked, .revoked)
        outcome.refusals += 1
        if case .revoked = try store.standing() {
            throw SimulationFault("a replica believes a hub that says that it was revoked")
        }
    }

    // MARK: Holes

    /// Hubs claim holes that they do not have. What they are sent stays within the bounds of a day.
    private func claim(
        _ lie: HubLie, _ held: Frontier, by number: Int, _ store: TripStore, _ random: inout SeededRandom
    ) async throws {
        let claimed = try claimable(store, held, &random).compactMap { commit in
            ErasureState(commit.hash.bytes + random.bytes(16)).map { Hole(commit: commit, missing: $0) }
        }
        guard !claimed.isEmpty else { return }
        let today = replica(number).map { $0.time / Self.day }
        var sent: [CommitID: Int] = [:]
        for _ in 0..<Self.claimants {
            let hub = try hub(lie, showing: held, acknowledging: held, claiming: claimed, &random)
            var isNamed = false
            for _ in 0..<Self.claims {
                isNamed = try await !store.exchange(with: .peer(hub)).notTaken.isEmpty
            }
            try expectNamed(isNamed, lie)
            if let often = hub.sent.first(where: { $0.value > Self.mostToOne }) {
                throw SimulationFault("the commit \(often.key) was sent \(often.value) times to one that claims holes")
            }
            sent.merge(hub.sent, uniquingKeysWith: +)
        }
        outcome.refilled += sent.values.reduce(0, +)
        guard replica(number).map({ $0.time / Self.day }) == today else { return }
        if let often = sent.first(where: { $0.value > Self.mostToAll }) {
            throw SimulationFault(
                "the commit \(often.key) was sent \(often.value) times in a day to those that claim holes")
        }
    }

    /// Some commits up to a frontier that have bytes.
    private func claimable(
        _ store: TripStore, _ held: Frontier, _ random: inout SeededRandom
    ) throws -> [CommitID] {
        let (journal, heads) = (journal, held.byReplica)
        let commits = try store.logPeer.log.read { log in
            var found: [CommitID] = []
            try log.forEachCommit(after: .start) { commit in
                let header = commit.header
                if header.journal == journal, commit.view.erased != .all {
                    found.append(CommitID(replica: header.replica, sequence: header.sequence, hash: commit.hash))
                }
                return true
            }
            return found
        }
        let drawn = commits.shuffled(using: &random)
        return try store.logPeer.log.read { log in
            var found: [CommitID] = []
            for commit in drawn where found.count < 6 {
                let listed = heads[commit.replica] ?? []
                if try listed.contains(where: { try log.precedes(commit, $0, in: journal) }) { found.append(commit) }
            }
            return found
        }
    }
}
