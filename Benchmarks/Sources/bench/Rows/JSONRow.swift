import BenchmarkData
import Foundation
import TripStore
import TripStoreCommands

/// A Traveling Snails export, from the file to the views; beside Foundation's decoder on the same file.
struct JSONRow: Row {
    let name = "json"
    let work = "import of the Traveling Snails JSON, from file to views"
    let peer = "parsing the same file with Foundation's JSONDecoder alone"

    func run(in workplace: Workplace) async throws -> Outcome {
        let settings = workplace.settings
        var outcome = Outcome()
        var series = [Series(plot: name, name: "TripStore"), Series(plot: name, name: "JSONDecoder")]
        for size in settings.sizes {
            // A trip and its items are six events.
            let file = try workplace.makeFolder("file").appendingPathComponent("export.json")
            let trips = size / 5 / TripPlan.entityCount
            try ExportWriter.write(trips, to: file)
            let paired = try await measure(file, workplace)
            series[0].points.append(Series.Point(size: trips * TripPlan.entityCount, value: paired.ours.median))
            if !paired.peer.isEmpty {
                series[1].points.append(Series.Point(size: trips * TripPlan.entityCount, value: paired.peer.median))
            }
            if size == settings.events {
                outcome.measurements.append(paired.times("\(trips) trips", goal: .ratioAtMost(1.5)))
            }
        }
        // Real flights, where they lie beside the project.
        for name in ["flights-day-planned", "flights-week-planned"] {
            let file = URL(fileURLWithPath: "../shared/data/\(name).json")
            guard FileManager.default.fileExists(atPath: file.path), !settings.isSingle else { continue }
            outcome.measurements.append(try await measure(file, workplace).times(name, goal: .ratioAtMost(1.5)))
        }
        outcome.series = series
        return outcome
    }

    private func measure(_ file: URL, _ workplace: Workplace) async throws -> Paired {
        try await Paired.measure(workplace.settings) {
            try await workplace.withFolder { folder in
                let store = try await TripStore.open(at: folder.appendingPathComponent("store"), options: .bench)
                let taken = try await seconds { try await Importer(store: store).run(path: file.path) }
                await store.close()
                return taken
            }
        } peer: {
            try secondsOf {
                let decoder = JSONDecoder()
                decoder.dateDecodingStrategy = .iso8601
                let export = try decoder.decode(DecodedExport.self, from: Data(contentsOf: file))
                guard !export.trips.isEmpty else { throw BenchError("The file holds no trips.") }
            }
        }
    }
}

/// The export as the synthesized decoder reads it.
private struct DecodedExport: Decodable {
    struct Info: Decodable {
        let version: String
        let timestamp: Date
        let format: String
        let includesAttachments: Bool
    }

    struct Trip: Decodable {
        let id: UUID
        let name: String
        let notes: String
        let createdDate: Date
        let startDate: Date
        let endDate: Date
        let hasStartDate: Bool
        let hasEndDate: Bool
        let totalCost: Decimal
        let isProtected: Bool
        let transportation: [UUID]
        let lodging: [UUID]
        let activities: [UUID]
        let embeddedTransportation: [Item]
        let embeddedLodging: [Item]
        let embeddedActivities: [Item]
    }

    struct Item: Decodable {
        let id: UUID
        let name: String
        let type: String?
        let start: Date
        let end: Date
        let startTZId: String
        let endTZId: String
        let cost: Decimal
        let paid: String
        let confirmation: String?
        let reservation: String?
        let notes: String
        let organizationId: String
        let customLocationName: String?
        let hideLocation: Bool?
    }

    struct Organization: Decodable {
        let id: UUID
        let name: String
        let phone: String
        let email: String
        let website: String
        let logoURL: String
        let cachedLogoFilename: String
    }

    let exportInfo: Info
    let trips: [Trip]
    let organizations: [Organization]
}
