import BenchmarkData
import EventLog
import Foundation
import TripStore

/// Reads every event and every change of a log, beside touching every byte of records of the same bytes.
struct ScanRow: Row {
    let name = "scan"
    let work = "scan and decode every event"
    let peer = "C: scan touching every byte"

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        var outcome = Outcome()
        var plot = PairedSeries(name, peer: "C")
        for size in scratch.settings.sizes {
            let paired = try await scratch.withFolder { folder in try await measure(size, folder, scratch) }
            plot.add(paired, size: size)
            if size == scratch.settings.events {
                outcome.measurements.append(paired.rates(size, goal: .ratioAtLeast(0.5)))
            }
        }
        outcome.series = plot.series
        return outcome
    }

    private func measure(_ size: Int, _ folder: URL, _ scratch: ScratchDirectory) async throws -> Paired {
        let filled = try await FilledLog(folder.appendingPathComponent("log-store"))
        let environment = try CEnvironment(folder.appendingPathComponent("c"))
        var rest = size / 1_000
        while rest > 0 {
            let commits = filled.make(min(rest, 100))
            rest -= commits.count
            try await filled.append(commits)
            if !scratch.settings.onlyOurs {
                for commit in commits { try environment.append(try CEnvironment.Records(commit.payload)) }
            }
        }
        let log = filled.log
        let organizations = TripGenerator().organizations.count
        let repeats = scratch.settings.repeats * (scratch.settings.isSingle ? 1 : 3)
        return try await Paired.measure(scratch.settings, repeats: repeats) {
            try secondsOf {
                guard try Self.scan(log) == size + organizations else { throw BenchError("Events are missing.") }
            }
        } peer: {
            try secondsOf { guard try environment.scan() == size else { throw BenchError("Records are missing.") } }
        }
    }

    /// The number of events; every field of every one is read.
    private static func scan(_ log: Log) throws -> Int {
        var events = 0
        var bytes = 0
        try log.read { snapshot in
            try snapshot.forEachCommit(after: .start) { commit in
                try commit.forEachEvent { event, _ in
                    events += 1
                    try event.forEachChange { change in bytes &+= change.withValue { $0?.byteCount ?? 0 } }
                }
                return true
            }
        }
        return bytes == 0 ? 0 : events
    }
}
