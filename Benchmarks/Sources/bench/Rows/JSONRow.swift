import BenchmarkData
import Foundation
import TripFormats
import TripStore

/// A Traveling Snails export, from the file to the views; beside Foundation's decoder on the same file.
struct JSONRow: Row {
    let name = "json"
    let work = "import of the Traveling Snails JSON, from file to views"
    let peer = "parsing the same file with Foundation's JSONDecoder alone"

    private static let shortRepeats = 9

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let settings = scratch.settings
        var outcome = Outcome()
        var plot = PairedSeries(name, peer: "JSONDecoder")
        for size in settings.sizes {
            // A trip and its items are six events.
            let file = try scratch.makeFolder("file").appendingPathComponent("export.json")
            let trips = size / 5 / TripPlan.entityCount
            try ExportWriter.write(trips, to: file)
            let paired = try await measure(file, scratch)
            plot.add(paired, size: trips * TripPlan.entityCount)
            guard size == settings.events else { continue }
            outcome.measurements.append(paired.times("\(trips) trips", goal: .ratioAtMost(1.5)))
            if !settings.onlyOurs {
                let lean = try Self.decode(LeanExport.self, file)
                outcome.measurements.append(
                    Measurement(
                        detail: "the peer leaving ids and dates as text", ours: .seconds(paired.ours.median),
                        peer: .seconds(lean), ratio: lean / paired.ours.median))
            }
        }
        // Real flights, where they lie beside the project.
        for name in ["flights-day-planned", "flights-week-planned"] {
            let file = URL(fileURLWithPath: "../shared/data/\(name).json")
            guard FileManager.default.fileExists(atPath: file.path), !settings.isSingle else { continue }
            // Short, and so done often.
            let paired = try await measure(file, scratch, repeats: max(Self.shortRepeats, settings.repeats))
            outcome.measurements.append(paired.times(name, goal: .ratioAtMost(1.5)))
        }
        outcome.series = plot.series
        return outcome
    }

    private func measure(_ file: URL, _ scratch: ScratchDirectory, repeats: Int? = nil) async throws -> Paired {
        try await Paired.measure(scratch.settings, repeats: repeats) {
            try await scratch.withFolder { folder in
                let store = try await TripStore.open(at: folder.appendingPathComponent("store"), options: .bench)
                let taken = try await seconds { try await Importer(store: store).run(path: file.path) }
                await store.close()
                return taken
            }
        } peer: {
            try Self.decode(DecodedExport.self, file)
        }
    }

    private static func decode(_ type: (some Export).Type, _ file: URL) throws -> Double {
        try secondsOf {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            let export = try decoder.decode(type, from: Data(contentsOf: file))
            guard export.tripCount > 0 else { throw BenchError("The file holds no trips.") }
        }
    }
}
