import BenchmarkData
import Foundation
import Peers
import TripStore

/// A trip and its five items in one durable commit, and in one durable transaction, in turn.
struct CreateTripRow: Row {
    let name = "create-trip"
    let work = "create a trip with 5 items, durable, with views"
    let peer = "GRDB: event table, tables and indexes, one transaction"

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let settings = scratch.settings
        let size = settings.events / 10
        let store = try await TripStore.filled(try scratch.makeFolder("store"), events: size)
        let place = try scratch.makeFolder("sqlite")
        let sqlite = settings.onlyOurs ? nil : try SQLiteStore.filled(place, events: size)
        var generator = TripGenerator(seed: 2, after: size / TripGenerator.eventsPerTrip)
        var paired = Paired()
        for number in 0..<settings.count(2_000) {
            let step = generator.next()
            let peerStep = try PeerStep(step)
            func peer() throws {
                guard let sqlite else { return }
                paired.peer.append(
                    try secondsOf {
                        try sqlite.write { try $0.create(peerStep.plan, peerStep.creations, at: 1_710_000_000_000) }
                    })
            }
            if number % 2 == 0 { try peer() }
            paired.ours.append(try await seconds { try await store.append(step.plan.events) })
            if number % 2 == 1 { try peer() }
        }
        let quiet = paired.quietest(200)
        var measurement = quiet.times(goal: .ratioAtLeast(1))
        measurement.ratio = quiet.ratioOfMedians.map { 1 / $0 }
        return Outcome(measurements: [measurement])
    }
}
