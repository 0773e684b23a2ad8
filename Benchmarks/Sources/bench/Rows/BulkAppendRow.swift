import BenchmarkData
import Foundation
import TripStore

/// Commits of 1,000 events, appended in bulk and all durable at the end, beside transactions of 1,000 records of the
/// same bytes, each of them synced.
struct BulkAppendRow: Row {
    let name = "bulk-append"
    let work = "bulk append, commits of 1,000, durable"
    let peer = "C: 1,000 records a transaction"
    /// Commits that are made in advance, so that making them is not timed and memory stays bounded.
    private static let batch = 100

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        var outcome = Outcome()
        var plot = PairedSeries(name, peer: "C")
        for size in scratch.settings.sizes {
            var batches = Paired()
            var whole = Paired()
            for _ in 0..<scratch.settings.repeats {
                let found = try await scratch.withFolder { try await once(size, $0, scratch.settings) }
                batches.ours += found.ours
                batches.peer += found.peer
                whole.ours.append(found.ours.reduce(0, +))
                if !found.peer.isEmpty { whole.peer.append(found.peer.reduce(0, +)) }
            }
            plot.add(whole, size: size)
            guard size == scratch.settings.events else { continue }
            // By batches: the medium may delay some of them.
            let each = min(size, Self.batch * 1_000)
            outcome.measurements.append(batches.rates(each, goal: .ratioAtLeast(1.2)))
        }
        outcome.series = plot.series
        return outcome
    }

    /// Both into new files, a batch of each in turn, so that both find the medium in the same state. The times of
    /// batches.
    private func once(_ size: Int, _ folder: URL, _ settings: Settings) async throws -> Paired {
        let filled = try await FilledLog(folder.appendingPathComponent("log-store"))
        let environment = try CEnvironment(folder.appendingPathComponent("c"))
        var paired = Paired()
        var rest = size / 1_000
        while rest > 0 {
            let commits = filled.make(min(rest, Self.batch))
            rest -= commits.count
            let records = settings.onlyOurs ? [] : try commits.map { try CEnvironment.Records($0.payload) }
            func peer() throws {
                if settings.onlyOurs { return }
                Readiness.prepare()
                paired.peer.append(try secondsOf { for record in records { try environment.append(record) } })
            }
            let peerFirst = rest / Self.batch % 2 == 0
            if peerFirst { try peer() }
            Readiness.prepare()
            paired.ours.append(try await seconds { try await filled.append(commits) })
            if !peerFirst { try peer() }
        }
        return paired
    }
}
