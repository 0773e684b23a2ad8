import Foundation
import TripFormats
import TripStore

/// One page for people, of one trip or of several.
struct ItineraryExporter: TripExporter {
    let options: ItineraryOptions

    func export(_ selection: ExportSelection, of store: TripStore, to output: ExportOutput) async throws -> [String] {
        var trips: [(id: Trip.ID, name: String)] = []
        for id in selection.trips { if let trip = try store.trip(id) { trips.append((id, trip.name)) } }
        var page = ItineraryPage(
            of: trips,
            ItineraryPage.Options(
                showsCosts: options.costs,
                embedding: options.attachments ? ItineraryPage.Embedding(from: store) : nil,
                day: Day(Date(), in: .current)))
        try output.write(page.head)
        var warnings: [String] = []
        for trip in trips {
            // Deleted since its name was read.
            guard let document = try store.document(of: trip.id) else { continue }
            warnings += try await page.write(document) { try output.write($0) }.map(\.description)
        }
        try output.write(page.foot)
        return warnings
    }
}
