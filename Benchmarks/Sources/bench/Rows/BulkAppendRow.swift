import BenchmarkData
import Foundation
import TripStore

/// Commits of 1,000 events, each durable before the next, beside transactions of 1,000 records of the same bytes.
struct BulkAppendRow: Row {
    let name = "bulk-append"
    let work = "bulk append, commits of 1,000, durable"
    let peer = "C: 1,000 records a transaction"
    /// Commits that are made ahead, so that making them is not timed and memory stays bounded.
    private static let batch = 100

    func run(in workplace: Workplace) async throws -> Outcome {
        var outcome = Outcome()
        var plot = PairedSeries(name, peer: "C")
        for size in workplace.settings.sizes {
            let paired = try await measure(size, workplace)
            plot.add(paired, size: size)
            if size == workplace.settings.events {
                outcome.measurements.append(paired.rates(size, goal: .ratioAtLeast(1.2)))
            }
        }
        outcome.series = plot.series
        return outcome
    }

    private func measure(_ size: Int, _ workplace: Workplace) async throws -> Paired {
        var paired = Paired()
        for _ in 0..<workplace.settings.repeats {
            let (ours, peer) = try await workplace.withFolder { folder in try await once(size, folder, workplace) }
            paired.ours.append(ours)
            if let peer { paired.peer.append(peer) }
        }
        return paired
    }

    /// Both into new files, a batch of each in turn, so that both find the medium in the same state.
    private func once(_ size: Int, _ folder: URL, _ workplace: Workplace) async throws -> (Double, Double?) {
        let filled = try await FilledLog(folder.appendingPathComponent("log-store"))
        let environment = try CEnvironment(folder.appendingPathComponent("c"))
        var ours = 0.0
        var peer = 0.0
        var rest = size / 1_000
        while rest > 0 {
            let commits = filled.make(min(rest, Self.batch))
            rest -= commits.count
            let peerFirst = rest / Self.batch % 2 == 0
            if peerFirst { peer += try append(commits, environment, workplace) }
            ours += try await seconds { try await filled.append(commits) }
            if !peerFirst { peer += try append(commits, environment, workplace) }
        }
        return (ours, workplace.settings.onlyOurs ? nil : peer)
    }

    private func append(
        _ commits: [FilledLog.Made], _ environment: CEnvironment, _ workplace: Workplace
    ) throws -> Double {
        if workplace.settings.onlyOurs { return 0 }
        let records = try commits.map { try CEnvironment.Records($0.payload) }
        return try secondsOf { for records in records { try environment.append(records) } }
    }
}
