import BenchmarkData
import Foundation
import TripStore

/// A new replica that receives everything, checks it and builds its views; beside writing the same here and building
/// them.
struct ReplicaRow: Row {
    let name = "replica"
    let work = "new replica takes 100 k events, verified, views built"
    let peer = "our bulk append plus rebuild"

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let settings = scratch.settings
        let size = min(settings.events, 100_000)
        let source = try await TripStore.filled(try scratch.makeFolder("source"), events: size)
        let paired = try await Paired.measure(settings) {
            try await scratch.withFolder { folder in
                let place = folder.appendingPathComponent("clone")
                return try await seconds {
                    let (store, report) = try await TripStore.clone(.store(source), to: place, options: .bench)
                    guard try store.status().isWhole(after: report) else {
                        throw BenchError("The clone lacks something.")
                    }
                }
            }
        } peer: {
            try await scratch.withFolder { folder in
                let filled = try await FilledLog(folder)
                let commits = filled.make(size / 1_000)
                return try await seconds {
                    try await filled.append(commits)
                    _ = try await TripStore.open(at: folder, options: .bench)
                }
            }
        }
        return Outcome(measurements: [paired.times(goal: .ratioAtMost(1.3))])
    }
}

extension StoreStatus {
    /// Whether the views show everything received.
    fileprivate func isWhole(after report: ExchangeReport) -> Bool {
        report.received.commits > 0 && position.rawValue >= UInt64(report.received.commits) && (trips ?? 0) > 0
    }
}
