import BenchmarkData
import Events
import Foundation
import RandomQuestions
import TripStore

/// An edit through the store, which returns when queries see it, beside a commit of the log alone, in turn.
struct VisibleRow: Row {
    let name = "visible"
    let work = "append until visible in views, beyond the durable commit"
    let peer = "–"

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let settings = scratch.settings
        let folder = try scratch.makeFolder("store")
        let store = try await TripStore.filled(folder, events: settings.events)
        let bare = try await FilledLog(try scratch.makeFolder("log"), eventsPerCommit: 1)
        try await bare.append(bare.make(100))
        let log = bare.log
        let trips = TripIDs(settings.events / TripGenerator.eventsPerTrip)
        // The commit of the log alone is in the peer's column.
        var paired = Paired()
        for (number, trip) in trips.sample(settings.count(3_000)).enumerated() {
            let event = TripEvent(
                .edited, trip, [.set(\.notes, "Seats 14 A and B; the train leaves at \(number % 24):05.")])
            // The same bytes but for the seen time.
            let seen = Seen(timestamp: Timestamp.at(Date(timeIntervalSince1970: 1)), replica: log.replica)
            var recorded = event.recorded
            for index in recorded.changes.indices { recorded.changes[index].seen = seen }
            let payload = Payload(author: "ana", events: [recorded])
            let first = number % 2 == 0
            if first { paired.peer.append(try await seconds { _ = try await log.append(payload) }) }
            paired.ours.append(
                try await seconds {
                    let receipt = try await store.append([event], by: "ana")
                    guard receipt.isVisible else { throw BenchError("What was appended is not visible.") }
                })
            if !first { paired.peer.append(try await seconds { _ = try await log.append(payload) }) }
        }
        let quiet = paired.quietest(300)
        return Outcome(measurements: [
            Measurement(ours: .seconds(quiet.ours.median - quiet.peer.median), goal: .atMost(60e-6)),
            Measurement(detail: "the whole append", ours: .seconds(quiet.ours.median)),
            Measurement(detail: "the commit of the log alone", ours: .seconds(quiet.peer.median)),
        ])
    }
}
