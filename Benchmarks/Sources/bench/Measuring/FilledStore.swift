import BenchmarkData
import Foundation
import Logging
import TripStore

extension TripStore.Options {
    /// For benchmarks: no machine record and no logging.
    static var bench: TripStore.Options {
        TripStore.Options(logger: .silent, dependencies: .forgetful)
    }
}

extension Logger {
    /// One without output.
    static var silent: Logger { Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() } }
}

extension TripStore {
    /// A store in a folder with that many generated events, in commits of 1,000; with its views.
    static func filled(_ folder: URL, events: Int, options: Options = .bench) async throws -> TripStore {
        try await FilledLog.make(folder, events: events)
        return try await TripStore.open(at: folder, options: options)
    }
}

/// The ids of the trips that a generator makes first.
struct TripIDs: Sendable {
    private let ids: [Trip.ID]

    init(_ count: Int) {
        var generator = TripGenerator()
        ids = (0..<count).map { _ in generator.next().plan.trip.id }
    }

    /// In the order in which they are made.
    var all: [Trip.ID] { ids }
    var count: Int { ids.count }
    subscript(index: Int) -> Trip.ID { ids[index] }

    /// That many random ones, the same for the same seed; each in turn if all are wanted.
    func sample(_ count: Int, seed: UInt64 = 5) -> [Trip.ID] {
        var numbers = SeededNumbers(seed: seed)
        return (0..<count).map { _ in ids[numbers.below(ids.count)] }
    }
}
