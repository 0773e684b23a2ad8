import BenchmarkData
import Foundation
import Peers
import TripStore

/// Events by the thousand through the store, with all views, and as rows of the same tables and indexes.
struct ImportRow: Row {
    let name = "import"
    let work = "bulk import with views"
    let peer = "GRDB: the same tables and indexes, 1,000 a transaction"
    /// Commits that are made in advance.
    private static let batch = 100
    private static let tripsPerCommit = 1_000 / TripGenerator.eventsPerTrip

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        var outcome = Outcome()
        var plot = PairedSeries(name, peer: "GRDB")
        for size in scratch.settings.sizes {
            var paired = Paired()
            for _ in 0..<scratch.settings.repeats(atMost: size > 200_000 ? 1 : 3) {
                let (ours, peer) = try await scratch.withFolder { try await once(size, $0, scratch.settings) }
                paired.ours.append(ours)
                if let peer { paired.peer.append(peer) }
            }
            plot.add(paired, size: size)
            if size == scratch.settings.events {
                outcome.measurements.append(paired.rates(size, goal: .ratioAtLeast(12)))
            }
        }
        outcome.series = plot.series
        return outcome
    }

    private func once(_ size: Int, _ folder: URL, _ settings: Settings) async throws -> (Double, Double?) {
        let store = try await TripStore.open(at: folder.appendingPathComponent("store"), options: .bench)
        var generator = TripGenerator()
        try await store.append(generator.organizations.map { .created($0) })
        let sqlite = settings.onlyOurs ? nil : try SQLiteStore.filled(folder, events: 0)
        var peer = 0.0
        var rest = size / 1_000
        let begin = ContinuousClock.now
        // Time that is not ours: making events, and the peer's turns.
        var other = 0.0
        try await store.load { load in
            while rest > 0 {
                let count = min(rest, Self.batch)
                rest -= count
                var commits: [[TripEvent]] = []
                other += try secondsOf {
                    let steps = (0..<count).map { _ in (0..<Self.tripsPerCommit).map { _ in generator.next() } }
                    commits = steps.map { $0.flatMap(\.events) }
                    guard let sqlite else { return }
                    let peerSteps = try steps.map { try $0.map { try PeerStep($0) } }
                    Readiness.prepare()
                    peer += try secondsOf { for commit in peerSteps { try sqlite.write(commit) } }
                }
                other += secondsOf { Readiness.prepare() }
                for commit in commits { try await load.append(commit) }
                // None of our work runs during the peer's turn.
                try await load.flush()
                // Nor does freeing the events count, nor the peer's steps.
                other += secondsOf { commits = [] }
            }
        }
        let ours = (ContinuousClock.now - begin).seconds - other
        guard try !store.isBehind else { throw BenchError("The views do not show everything.") }
        await store.close()
        return (ours, settings.onlyOurs ? nil : peer)
    }
}
