import BenchmarkData
import Foundation
import Synchronization
import TripStore

/// The time from the return of an append until a live query of 50 rows yields the change.
struct LiveRow: Row {
    let name = "live"
    let work = "live query of 50 rows told of one change, after the append returned"
    let peer = "–"

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let settings = scratch.settings
        let store = try await TripStore.filled(try scratch.makeFolder("store"), events: settings.events)
        let query = Query<Trip>.starting(in: Day(2026, 1, 1)..<Day.last)
        let rows = try store.trips(query, limit: 50).rows
        let (told, teller) = AsyncStream.makeStream(of: (ContinuousClock.Instant, [Trip.ID]).self)
        let follower = Task {
            for try await update in store.live(.trips(query, limit: 50)) {
                teller.yield((ContinuousClock.now, update.changes.changed + update.changes.inserted))
            }
        }
        defer { follower.cancel() }
        var updates = told.makeAsyncIterator()
        _ = await updates.next()
        var delays: [Double] = []
        var whole: [Double] = []
        for number in 0..<settings.count(1_000) {
            let trip = rows[number % rows.count].trip
            let began = ContinuousClock.now
            try await store.append([
                TripEvent(.edited, trip.id, [.set(\.notes, "Changed for the time number \(number).")])
            ])
            let returned = ContinuousClock.now
            guard let (instant, changed) = await updates.next(), changed == [trip.id] else {
                throw BenchError("The live query did not tell the change.")
            }
            // It may yield before the append's caller resumes.
            delays.append(max(0, (instant - returned).seconds))
            whole.append((instant - began).seconds)
        }
        return Outcome(measurements: [
            Measurement(ours: .seconds(delays.median), goal: .atMost(200e-6)),
            Measurement(detail: "from the call of the append", ours: .seconds(whole.median)),
        ])
    }
}
