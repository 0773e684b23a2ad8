import ArgumentParser
import Foundation
import TripFormats
import TripStore

/// What is to be known to import a calendar or a table.
struct ForeignImportOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The trip that the items come into.", discussion: EntityArgument.help))
    var trip: EntityArgument?

    @Option(name: .long, help: "The name of a trip that the items come into: the same one each time.")
    var newTrip: String?

    @Option(name: .long, help: "The JSON file that says which column of a table is which field.", completion: .file())
    var mapping: String?

    func validate() throws {
        if trip != nil, newTrip != nil {
            throw ArgumentParser.ValidationError("Items come into one trip: give --trip or --new-trip.")
        }
    }

    var isEmpty: Bool { trip == nil && newTrip == nil && mapping == nil }

    /// Throws if the trip is not there.
    func target(in store: TripStore) throws -> ForeignImporter.Target {
        if let newTrip { return .named(newTrip) }
        guard let trip else { return .byDays }
        let id = try store.trip(trip)
        guard try store.trip(id) != nil else {
            throw CommandError(
                "The trip '\(trip.text)' is deleted. Restore it with 'tripstore restore \(id)'.", code: "deleted")
        }
        return .trip(id)
    }

    /// Reads the whole file.
    ///
    /// - Parameters:
    ///   - name: of the file, for people.
    ///   - isStream: whether the name is that of a pipe, which says nothing of what it holds.
    func file(
        _ format: ImportFormat, at path: String, named name: String, isStream: Bool, zone: String,
        currency: Currency
    ) throws -> ForeignFile {
        let base = ((name as NSString).lastPathComponent as NSString).deletingPathExtension
        let title = base.isEmpty || isStream ? "Imported" : base
        let columns: TableMapping? = try mapping.map { mapping in
            try Self.naming(mapping) {
                try TableMapping(json: ForeignFile.bytes(of: (mapping as NSString).expandingTildeInPath))
            }
        }
        guard format == .csv else {
            return try Self.naming(name) {
                try ForeignFile(calendar: ForeignFile.bytes(of: path), named: title, zone: zone)
            }
        }
        guard let columns else {
            throw CommandError(
                "A table needs --mapping FILE.json, which says which column is which field. See 'help import'.",
                code: "usage")
        }
        return try Self.naming(name) {
            try ForeignFile(table: ForeignFile.bytes(of: path), named: title, columns, zone: zone, currency: currency)
        }
    }

    /// Names the file in its errors.
    private static func naming<T>(_ file: String, _ body: () throws -> T) throws -> T {
        do { return try body() } catch var error as TextFormatError {
            error.file = file == "-" ? "Standard input" : file
            throw error
        }
    }
}
