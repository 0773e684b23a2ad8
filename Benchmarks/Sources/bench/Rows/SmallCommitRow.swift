import BenchmarkData
import Foundation
import TripStore

/// One writer, one event a commit, each durable before the next: ours and a put of as many bytes, in turn.
struct SmallCommitRow: Row {
    let name = "small-commit"
    let work = "one small durable commit, one writer"
    let peer = "C: put and commit of the same bytes"

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let settings = scratch.settings
        let filled = try await FilledLog(try scratch.makeFolder("log"), eventsPerCommit: 1)
        let environment = try CEnvironment(try scratch.makeFolder("c"))
        let commits = filled.make(settings.count(3_000))
        let overhead = try filled.overhead()
        let bytes = commits.map { [UInt8](repeating: 7, count: $0.payload.encoded().count + overhead) }
        var paired = Paired()
        for (commit, bytes) in zip(commits, bytes) {
            if !settings.onlyOurs && commit.number % 2 == 0 {
                paired.peer.append(try secondsOf { try environment.put(bytes) })
            }
            paired.ours.append(try await seconds { try await filled.append(commit) })
            if !settings.onlyOurs && commit.number % 2 == 1 {
                paired.peer.append(try secondsOf { try environment.put(bytes) })
            }
        }
        let quiet = paired.quietest(300)
        var measurement = quiet.times(goal: .ratioAtMost(1.15))
        measurement.ratio = quiet.ratioOfMedians
        return Outcome(measurements: [measurement])
    }
}
