import ArgumentParser
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
                day: Day(Console.current.now(), in: try Configuration.zone())))
        try output.write(page.head)
        var warnings: [String] = []
        for trip in trips {
            // Deleted since its name was read.
            guard var document = try store.document(of: trip.id) else { continue }
            let entities = [trip.id.reference] + document.contents.items.map(\.reference)
            document.superseded = try store.openConflicts(of: entities).mapValues { conflicts in
                try conflicts.map { try store.namingIDs(in: $0.field) }
            }
            warnings += try await page.write(document) { try output.write($0) }.map(\.description)
        }
        try output.write(page.foot)
        return warnings
    }
}

/// What only itineraries have.
struct ItineraryOptions: ParsableArguments {
    @Option(
        name: .long, help: "Write an itinerary to this file; then the first argument is the trip.",
        completion: .file(extensions: ["html"]))
    var html: String?

    @Flag(name: .long, help: "In an itinerary or a calendar, say what things cost; in an itinerary also the budgets.")
    var costs = false

    @Flag(name: .long, help: "In an itinerary, put attachments into the page, up to 8 MB each and 24 MB together.")
    var attachments = false

    /// Throws if the options have no meaning with a format, or with the one that the file's name says.
    func check(_ format: ExportFormat?, file: String) throws {
        if html != nil, let format, format != .html {
            throw ArgumentParser.ValidationError(
                "--html writes an itinerary, and --format asks for \(format.rawValue). Leave one of them out.")
        }
        let other = html == nil ? format ?? (try? ExportFormat(fileName: file)) : nil
        guard let other, other != .html else { return }
        let foreign = attachments ? "attachments" : costs && other != .ics ? "costs" : nil
        guard let foreign else { return }
        throw ArgumentParser.ValidationError(
            "--\(foreign) is of itineraries, and \(other.rawValue) was asked for. Leave it out, or end the file's name with .html."
        )
    }
}
