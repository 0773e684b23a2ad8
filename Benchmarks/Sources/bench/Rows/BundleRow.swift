import BenchmarkData
import Foundation
import TripStore

/// What compression makes of a bundle, and what it costs: beside the same bundle without it.
struct BundleRow: Row {
    let name = "bundle"
    let work = "a packed bundle"
    let peer = "the same without compression"

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let size = scratch.settings.events
        let edited = try scratch.makeFolder("edits")
        let store = try await TripStore.open(at: edited, options: .bench)
        try await Self.edit(store, size / 10)
        var outcome = Outcome(
            measurements: try await measure(store, size / 10, "small edits in commits of five", scratch.settings))
        await store.close()
        let filled = try await TripStore.filled(scratch.makeFolder("filled"), events: size)
        outcome.measurements += try await measure(filled, size, "commits of 1,000", scratch.settings)
        await filled.close()
        return outcome
    }

    private static func edit(_ store: TripStore, _ count: Int) async throws {
        let trips = (0..<200).map { Trip(name: "Trip \($0)", notes: "") }
        try await store.create(trips)
        var numbers = SeededNumbers(seed: 11)
        for number in 0..<count / 5 {
            let first = numbers.below(trips.count)
            let chosen = (0..<5).map { trips[(first + $0 * 37) % trips.count] }
            try await store.append(chosen.map { TripEvent(.edited, $0.id, [.set(\.notes, "Number \(number)")]) })
        }
    }

    private func measure(
        _ store: TripStore, _ events: Int, _ what: String, _ settings: Settings
    ) async throws -> [Measurement] {
        let file = { (algorithm: Compression) in
            store.folder.deletingLastPathComponent().appendingPathComponent("\(algorithm.rawValue).bundle")
        }
        let write = { (algorithm: Compression) in
            try await seconds { try await store.write(bundle: file(algorithm), compression: algorithm) }
        }
        let read = { (algorithm: Compression) in
            try await seconds { _ = try await TripStore.summary(ofBundle: file(algorithm)) }
        }
        let plain = try await store.write(bundle: file(.none), compression: Compression.none)
        var measurements: [Measurement] = []
        for algorithm in Compression.available where algorithm != .none {
            let packed = try await store.write(bundle: file(algorithm), compression: algorithm)
            let ratio = Double(packed.fileSize) / Double(plain.fileSize)
            measurements.append(
                Measurement(
                    detail: "\(what), \(algorithm.rawValue)",
                    ours: .bytesPerEvent(Double(packed.fileSize) / Double(events)),
                    peer: .bytesPerEvent(Double(plain.fileSize) / Double(events)), ratio: ratio,
                    goal: .ratioAtMost(0.28)))
            let written = try await Paired.measure(
                settings, ours: { try await write(algorithm) }, peer: { try await write(.none) })
            measurements.append(written.times("\(what), \(algorithm.rawValue), writing it", goal: nil))
            let readings = try await Paired.measure(
                settings, ours: { try await read(algorithm) }, peer: { try await read(.none) })
            measurements.append(readings.times("\(what), \(algorithm.rawValue), checking it", goal: nil))
        }
        return measurements
    }
}
