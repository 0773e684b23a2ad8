import BenchmarkData
import Foundation
import TripStore

/// Opens a store that was closed, and closes it again.
struct OpenRow: Row {
    let name = "open"
    let work = "open a store"
    let peer = "a store of 1 k events"

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let settings = scratch.settings
        let repeats = settings.isSingle ? 1 : 21
        var series = Series(plot: name, name: "TripStore")
        var small: [Double] = []
        let sizes = [1_000] + settings.sizes.filter { $0 > 1_000 }
        var measurements: [Measurement] = []
        for size in sizes {
            let folder = try scratch.makeFolder("store")
            try await TripStore.filled(folder, events: size).close()
            var times: [Double] = []
            for _ in 0...repeats {
                var store: TripStore?
                times.append(try await seconds { store = try await TripStore.open(at: folder, options: .bench) })
                guard try store?.trips().rows.isEmpty == false else { throw BenchError("The store shows nothing.") }
                await store?.close()
                store = nil
            }
            // The first reads pages in.
            times.removeFirst()
            if size == 1_000 { small = times }
            series.points.append(Series.Point(size: size, value: times.median))
            if size == settings.events {
                measurements = [
                    Measurement(ours: .seconds(times.median), goal: .atMost(10e-3)),
                    Measurement(
                        detail: "beside a small one", ours: .seconds(times.median), peer: .seconds(small.median),
                        ratio: times.median / small.median, goal: .ratioAtMost(2)),
                ]
            }
        }
        return Outcome(measurements: measurements, series: [series])
    }
}
