import ArgumentParser
import Foundation
import TripStore

/// The formats that trips are exported in, by the ending of the file's name.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
    /// The export of Traveling Snails.
    case json
    /// iCalendar.
    case ics
    case geojson
    case gpx
    /// A page for people.
    case html

    /// Throws `CommandError` if no format has the ending.
    init(fileName: String) throws {
        let ending = (fileName as NSString).pathExtension.lowercased()
        guard let format = Self(rawValue: ending) else {
            let endings = Self.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")
            throw CommandError(
                "The ending of '\(fileName)' names no format. End it with one of \(endings), or name the format with --format.",
                code: "unknownFormat")
        }
        self = format
    }

    /// A command line without the tool's name, for the help.
    var example: String {
        switch self {
        case .json: "export trips.json --trip Lisbon --trip Rome"
        case .ics: "export calendar.ics --days 2027-05"
        case .geojson: "export places.geojson"
        case .gpx: "export lisbon.gpx --trip Lisbon"
        case .html: "export lisbon.html --trip Lisbon"
        }
    }
}

/// Which trips are exported.
struct ExportSelectionOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "Only this trip; may be given several times. \(EntityArgument.help)")
    var trip: [EntityArgument] = []

    @Option(
        name: .long,
        help: "Only trips with a day or an item in this range, as 2027-05-01..2027-05-08, 2027-05 or 2027.",
        transform: { text in try statingAll { try AgendaDays(parsing: text).days() } })
    var days: ClosedRange<Day>?

    /// Throws if a trip is not there.
    func selection(in store: TripStore) throws -> ExportSelection {
        guard trip.isEmpty else {
            let ids = try trip.map { try store.presentTrip($0).id }
            var seen: Set<Trip.ID> = []
            return ExportSelection(trips: ids.filter { seen.insert($0).inserted }, days: days)
        }
        return try store.read { [days] views in try ExportSelection(on: days, in: views) }
    }
}
