import BenchmarkData
import Foundation
import TripStore

/// A revocation of a replica that wrote 100,000 commits, none of which counts any more: until the views show it.
struct RevocationRow: Row {
    let name = "revocation"
    let work = "revoke a writer with 100 k commits, of which none counts, until the views show it"
    let peer = "–"

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let settings = scratch.settings
        let commits = min(settings.events, 100_000)
        let found = try await scratch.withFolder { try await measure(commits, $0) }
        return Outcome(measurements: [
            Measurement(detail: "one commit void, all others counting", ours: .seconds(found.void)),
            Measurement(detail: "the revocation", ours: .seconds(found.revocation)),
        ])
    }

    private func measure(_ commits: Int, _ folder: URL) async throws -> (void: Double, revocation: Double) {
        let founder = try await TripStore.open(at: folder.appendingPathComponent("founder"), options: .bench)
        let trip = try await founder.create(Trip(name: "Lisbon"))
        let place = folder.appendingPathComponent("writer")
        let writer = try await TripStore.clone(.store(founder), to: place, options: .bench).store
        let replica = writer.replica
        await writer.close()
        do {
            let filled = try await FilledLog(place, eventsPerCommit: 1)
            var rest = commits
            while rest > 0 {
                let count = min(rest, 10_000)
                try await filled.append(filled.make(count))
                rest -= count
            }
        }
        try await founder.exchange(with: .folder(place))
        try await founder.catchUp()
        let position = try founder.status().position
        let void = try await seconds { try await founder.void(position) }
        let revocation = try await seconds { try await founder.revoke(replica, cut: []) }
        guard try founder.status().trips == 1, try founder.trip(trip) != nil else {
            throw BenchError("Of who was revoked something is shown.")
        }
        return (void, revocation)
    }
}
