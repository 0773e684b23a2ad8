import BenchmarkData
import Foundation
import TripStore

/// Two replicas of one journal in one process: with nothing to exchange, and with one commit.
struct ExchangeRow: Row {
    let name = "exchange"
    let work = "exchange"
    let peer = "–"

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let settings = scratch.settings
        var outcome = Outcome()
        var idle = Series(plot: "exchange", name: "nothing to do")
        var one = Series(plot: "exchange", name: "one new commit")
        for size in settings.sizes {
            let found = try await scratch.withFolder { try await measure(size, $0, settings) }
            idle.points.append(Series.Point(size: size, value: found.idle.median))
            one.points.append(Series.Point(size: size, value: found.one.median))
            guard size == settings.events else { continue }
            outcome.measurements = [
                Measurement(detail: "with nothing to do", ours: .seconds(found.idle.median), goal: .atMost(1e-3)),
                Measurement(
                    detail: "with one new commit, beyond the durable commit",
                    ours: .seconds(found.one.median - found.commit.median), goal: .atMost(2e-3)),
                Measurement(
                    detail: "with nothing to do, with a folder", ours: .seconds(found.folder.median)),
            ]
        }
        outcome.series = [idle, one]
        return outcome
    }

    private struct Found {
        var idle: [Double] = []
        var one: [Double] = []
        var commit: [Double] = []
        var folder: [Double] = []
    }

    private func measure(_ size: Int, _ folder: URL, _ settings: Settings) async throws -> Found {
        let first = try await TripStore.filled(folder.appendingPathComponent("one"), events: size)
        let place = folder.appendingPathComponent("two")
        let second = try await TripStore.clone(.store(first), to: place, options: .bench).store
        let ids = TripIDs(size / TripGenerator.eventsPerTrip)
        var found = Found()
        for (number, trip) in ids.sample(settings.count(200)).enumerated() {
            found.commit.append(
                try await seconds {
                    try await first.append([TripEvent(.edited, trip, [.set(\.notes, "Number \(number).")])])
                })
            found.one.append(
                try await seconds {
                    guard try await first.exchange(with: .store(second)).sent.commits == 1 else {
                        throw BenchError("One commit was to be sent.")
                    }
                })
            found.idle.append(try await seconds { try await first.exchange(with: .store(second)) })
        }
        await second.close()
        for _ in 0..<settings.count(50) {
            found.folder.append(try await seconds { try await first.exchange(with: .folder(place)) })
        }
        return found
    }
}
