import HubCarrier
import TripStore
import TripStoreTestSupport

/// A member of a journal that writes a trip about every two seconds, and exchanges it with a hub over a connection of its own.
struct WritingMember: Sendable {
    struct Outcome: Sendable {
        /// Trips that were acknowledged.
        var written = 0
        /// From the first attempt of each exchange until it succeeded.
        var exchanges = Latencies()
        /// Attempts after one that failed.
        var retries = 0
        /// The longest time in which attempts failed in a row, and how the last of them did.
        var longestFailing = Duration.zero
        var failure: String?

        mutating func add(_ other: Outcome) {
            written += other.written
            exchanges.add(other.exchanges)
            retries += other.retries
            if other.longestFailing > longestFailing {
                (longestFailing, failure) = (other.longestFailing, other.failure)
            }
        }
    }

    let store: TripStore
    let hub: HubConnector
    let seed: UInt64

    /// Writes and exchanges until then; an attempt that fails later is not repeated. Throws what writing throws, or `CancellationError`.
    func run(until end: ContinuousClock.Instant) async throws -> Outcome {
        var random = SeededRandom(seed: seed)
        var outcome = Outcome()
        while ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(Int64(1000 + random.next() % 2000)))
            try await store.create(Trip(name: "Trip of \(store.replica)"))
            outcome.written += 1
            try await exchange(until: end, &outcome, &random)
        }
        return outcome
    }

    private func exchange(
        until end: ContinuousClock.Instant, _ outcome: inout Outcome, _ random: inout SeededRandom
    ) async throws {
        let start = ContinuousClock.now
        repeat {
            do {
                try await store.exchange(with: .connector(hub))
                return outcome.exchanges.add(ContinuousClock.now - start)
            } catch {
                try Task.checkCancellation()
                outcome.retries += 1
                let failing = ContinuousClock.now - start
                if failing > outcome.longestFailing {
                    (outcome.longestFailing, outcome.failure) = (failing, "\(error)")
                }
                try await Task.sleep(for: .milliseconds(Int64(100 + random.next() % 400)))
            }
        } while ContinuousClock.now < end
    }
}
