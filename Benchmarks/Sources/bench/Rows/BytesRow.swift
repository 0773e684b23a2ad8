import BenchmarkData
import Foundation
import TripStore

/// What events take on the medium, beside their own bytes.
struct BytesRow: Row {
    let name = "bytes"
    let work = "bytes on disk per event, commits of 1,000"
    let peer = "the events' own bytes"

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let size = scratch.settings.events
        let folder = try scratch.makeFolder("store")
        let own = try await fill(folder, size)
        let log = Double(ScratchDirectory.bytesOnDisk(folder.appendingPathComponent("log/data.mdb"))) / Double(size)
        let store = try await TripStore.open(at: folder, options: .bench)
        await store.close()
        let views = Double(ScratchDirectory.bytesOnDisk(in: folder.appendingPathComponent("views"))) / Double(size)
        return Outcome(measurements: [
            Measurement(
                detail: "the log", ours: .bytesPerEvent(log), peer: .bytesPerEvent(own), ratio: log / own,
                goal: .ratioAtMost(1.1)),
            Measurement(
                detail: "the log and all views", ours: .bytesPerEvent(log + views), peer: .bytesPerEvent(own),
                ratio: (log + views) / own, goal: .ratioAtMost(3.5)),
        ])
    }

    /// Fills a log, and returns the average bytes of an event's message, without its envelope.
    private func fill(_ folder: URL, _ size: Int) async throws -> Double {
        let filled = try await FilledLog(folder)
        var bytes = 0
        for _ in 0..<(size / 1_000) {
            let commits = filled.make(1)
            for commit in commits { bytes += try CEnvironment.Records(commit.payload).bytes.count }
            try await filled.append(commits)
        }
        return Double(bytes) / Double(size)
    }
}
