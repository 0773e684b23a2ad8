@testable import EventLog
@testable import Events
@testable import LogExchange
@testable import TripStore
@testable import TripStoreTestSupport

extension Simulation {
    /// Erases leaves of a commit of a hostile line, in statements that differ. The store keeps each, or refuses an
    /// unreadable one, and goes on.
    func erase(_ statements: Int, _ number: Int, _ store: TripStore, _ random: inout SeededRandom) async throws {
        let line = try line(number, .erasing, &random)
        // The same few commits each time, so that statements about them arrive in other orders elsewhere.
        while line.length < 3 { try line.extend([try payload(store, &random)], at: time(&random), &random) }
        try await deliver(line, to: store, &random)
        let commit = line.name(of: Int.random(in: 1..<line.length, using: &random))
        for _ in 0..<statements {
            let isPadded = random.once(in: 8)
            let erasure = try line.key.erasure(
                of: commit, leaves: random.once(in: 40) ? nil : leaves(&random), in: journal,
                padding: isPadded ? Int.random(in: 512...100_000, using: &random) : 0)
            let refusal = try await refusal { try await store.logPeer.keep(ErasureBatch(erasures: [erasure])) }
            guard (refusal != nil) == isPadded else {
                throw SimulationFault(
                    isPadded
                        ? "a padded erasure was taken in" : "an erasure was refused: \(refusal.map { "\($0)" } ?? "")")
            }
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
