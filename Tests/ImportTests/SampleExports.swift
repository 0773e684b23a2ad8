import Foundation
import StoreSupport
import Testing
import TripFormats
import TripStore

/// Three exports of the same trips, each later than the one before: some of the sample's flights as planned and as they went, and
/// once more with other notes, and without some trips. Or, in full, the first two alone.
struct SampleExports {
    struct File {
        let name: String
        let path: String
        /// The content of a store that imported only this file.
        let contents: Contents
    }

    private static let names = ["planned", "actual", "later"]
    /// One of that many trips is taken.
    private static let part = 24

    private let folder = TemporaryFolder()
    let files: [File]

    /// - Parameter isWhole: whether all trips are taken.
    init(isWhole: Bool = false) async throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let planned = try Self.export(Flights.planned)
        let actual = try Self.export(Flights.actual)
        if isWhole {
            files = try await [
                Self.file("planned", Flights.planned), Self.file("actual", Flights.actual),
            ]
            return
        }
        let cancelled = try Self.flights(planned).subtracting(Self.flights(actual))
        let plannedTrips = try Self.trips(planned)
        let chosen = try Set(
            plannedTrips.enumerated().filter { number, trip in
                try number % Self.part == 0 || !Self.flights(of: trip).isDisjoint(with: cancelled)
            }.map { try Self.id($1) })
        var files: [File] = []
        for name in Self.names {
            var export = name == "planned" ? planned : actual
            var trips = try Self.trips(export).filter { try chosen.contains(Self.id($0)) }
            if name == "later" {
                trips = trips.enumerated().filter { $0.offset % 5 != 0 }.map { number, trip in
                    var trip = trip
                    if number % 3 == 0 { trip["notes"] = "Seen \(number)" }
                    return trip
                }
            }
            export["trips"] = trips
            let path = folder.path("\(name).json")
            try JSONSerialization.data(withJSONObject: export).write(to: URL(fileURLWithPath: path))
            files.append(try await Self.file(name, path))
        }
        self.files = files
    }

    private static func file(_ name: String, _ path: String) async throws -> File {
        let store = try await TripStore.test()
        let report = try await store.importing(path)
        #expect(report.counts.keys.sorted() == ["created"])
        return File(name: name, path: path, contents: try store.contents())
    }

    private static func export(_ path: String) throws -> [String: Any] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private static func trips(_ export: [String: Any]) throws -> [[String: Any]] {
        try #require(export["trips"] as? [[String: Any]])
    }

    private static func id(_ object: [String: Any]) throws -> String { try #require(object["id"] as? String) }

    private static func flights(_ export: [String: Any]) throws -> Set<String> {
        try trips(export).reduce(into: []) { $0.formUnion(try flights(of: $1)) }
    }

    private static func flights(of trip: [String: Any]) throws -> Set<String> {
        Set(try (try #require(trip["embeddedTransportation"] as? [[String: Any]])).map { try id($0) })
    }
}
