import ArgumentParser
import Foundation
import TripFormats
import TripStore

/// Options of an import of a calendar, a table or a map.
struct ForeignImportOptions: ParsableArguments {
    @Option(name: .long, help: "The trip that the items come into. \(EntityArgument.help)")
    var trip: EntityArgument?

    @Option(name: .long, help: "The name of a trip that the items come into: the same one each time.")
    var newTrip: String?

    @Option(name: .long, help: "The JSON file that says which column of a table is which field.", completion: .file())
    var mapping: String?

    @Flag(
        name: .long, help: "Write nothing if a row of a table, or an event, cannot be used, instead of leaving it out.")
    var strict = false

    func validate() throws {
        if trip != nil, newTrip != nil {
            throw ArgumentParser.ValidationError("Items come into one trip: give --trip or --new-trip.")
        }
    }

    var isEmpty: Bool { trip == nil && newTrip == nil && mapping == nil && !strict }

    /// Where items come. Throws if the trip is not there.
    func destination(in store: TripStore) throws -> ImportOptions.Destination {
        if let newTrip { return .named(newTrip) }
        guard let trip else { return .byDays }
        let id = try store.trip(trip)
        guard try store.trip(id) != nil else {
            throw CommandError(
                "The trip '\(trip.text)' is deleted. Restore it with 'tripstore restore \(id)'.", code: "deleted")
        }
        return .trip(id)
    }

    /// The mapping, which a table needs. Its errors name its file.
    func columns(for format: ImportOptions.Format) throws -> TableMapping? {
        guard let mapping else {
            guard format != .csv else {
                throw CommandError(
                    "A table needs --mapping FILE.json, which says which column is which field. See 'tripstore help import'.",
                    code: "usage")
            }
            return nil
        }
        do { return try TableMapping(path: (mapping as NSString).expandingTildeInPath) } catch {
            var named = error
            named.file = mapping
            throw named
        }
    }
}
