@testable import EventLog
@testable import Events
@testable import LogExchange
@testable import TripStore
@testable import TripStoreTestSupport

extension Simulation {
    /// Sends a hostile line with signed erasures of one of its commits, which is whole. An erasure beside a whole commit removes nothing; one
    /// that cannot be read is refused.
    func erase(_ statements: Int, _ number: Int, _ store: TripStore, _ random: inout SeededRandom) async throws {
        let line = try line(number, .erasing, &random)
        while line.length < 3 { try line.extend([try payload(store, &random)], at: time(&random), &random) }
        try await deliver(line, to: store, &random)
        let commit = line.name(of: Int.random(in: 1..<line.length, using: &random))
        guard let segment = line.all.first(where: { $0.commitIDs().contains(commit) }) else { return }
        for _ in 0..<statements {
            let isPadded = random.once(in: 8)
            let erasure = try line.key.erasure(
                of: commit, leaves: random.once(in: 40) ? nil : leaves(&random), in: journal,
                padding: isPadded ? Int.random(in: 512...100_000, using: &random) : 0)
            let refusal = try await refusal {
                _ = try await store.logPeer.store([segment.with(erasures: [erasure])])
            }
            guard refusal != nil || !isPadded else { throw SimulationFault("a padded erasure was taken in") }
            guard try isWhole(commit, in: store) else {
                throw SimulationFault("an erasure that no commit states removed bytes of \(commit)")
            }
        }
    }

    private func isWhole(_ commit: CommitID, in store: TripStore) throws -> Bool {
        try store.logPeer.log.read { log in
            let position = try log.position(of: commit, in: log.journal())
            return try position.flatMap { try log.commit(at: $0) }?.view.erased == nil
        }
    }

    /// Mostly of leaves that a commit may have; some that none has.
    private func leaves(_ random: inout SeededRandom) -> LeafSet {
        let greatest: UInt32 = random.once(in: 10) ? 200 : 4
        let drawn = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            UInt32.random(in: 0...greatest, using: &random)
        }
        return LeafSet(drawn)
    }
}
