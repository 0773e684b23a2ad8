import Foundation
import StoreSupport
import TravelingSnails
import TripFormats
import TripStore

/// The exports that the repository ships: a day of flights as planned, and as it went; or others, whose paths begin as
/// the environment variable FLIGHTS says and end in `-planned.json` and `-actual.json`.
enum Flights {
    static let planned = path("planned")
    static let actual = path("actual")

    private static func path(_ name: String) -> String {
        if let start = ProcessInfo.processInfo.environment["FLIGHTS"] { return "\(start)-\(name).json" }
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { folder.deleteLastPathComponent() }
        return folder.appendingPathComponent("Tools/samples/flights-day-\(name).json").path
    }
}

/// A small export that a test writes: JSON in which any key may be set, also to invalid values.
struct Export {
    static let trip = "00000000-0000-0000-0000-00000000000A"
    static let flight = "00000000-0000-0000-0000-00000000000F"
    static let airline = "00000000-0000-0000-0000-0000000000A1"

    private let folder = TemporaryFolder()
    /// Whole records as JSON.
    var trips: [String]
    var organizations: [String] = []
    var attachments: [String] = []
    /// When it was exported; nil if it does not say.
    var date: String?

    var text: String {
        """
        {"exportInfo": {"version": "1.0", "format": "json"\(date.map { ", \"timestamp\": \"\($0)\"" } ?? "")}, "trips": [\(trips.joined(separator: ",\n"))],
        "organizations": [\(organizations.joined(separator: ",\n"))], "addresses": [],
        "attachments": [\(attachments.joined(separator: ",\n"))]}
        """
    }

    init(trips: [String], organizations: [String] = [], attachments: [String] = []) {
        self.trips = trips
        self.organizations = organizations
        self.attachments = attachments
    }

    /// Writes the file, or a text in its place, and returns its path.
    func path(_ name: String = "export.json", writing other: String? = nil) throws -> String {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data((other ?? text).utf8).write(to: URL(fileURLWithPath: folder.path(name)))
        return folder.path(name)
    }

    /// A trip, with keys set or added as JSON.
    static func trip(
        _ id: String = trip, flights: [String] = [], activities: [String] = [], _ keys: [String: String] = [:]
    )
        -> String
    {
        object(
            [
                "id": "\"\(id)\"", "name": "\"Trip\"", "createdDate": "\"2026-12-01T12:00:00Z\"",
                "startDate": "\"2027-05-01T22:30:00Z\"", "endDate": "\"2027-05-02T10:00:00Z\"",
                "embeddedTransportation": "[\(flights.joined(separator: ","))]",
                "embeddedActivities": "[\(activities.joined(separator: ","))]",
            ], keys)
    }

    /// An item, with keys set or added as JSON; "" leaves a key out.
    static func item(_ id: String = flight, _ keys: [String: String] = [:]) -> String {
        object(
            [
                "id": "\"\(id)\"", "name": "\"Item\"", "start": "\"2027-05-01T22:30:00Z\"",
                "end": "\"2027-05-02T01:00:00Z\"", "startTZId": "\"Europe/Lisbon\"", "endTZId": "\"Europe/Lisbon\"",
                "cost": "12.5", "paid": "\"deposit\"", "organizationId": "\"\"",
            ], keys)
    }

    static func organization(_ id: String = airline, _ name: String) -> String {
        object(["id": "\"\(id)\"", "name": "\"\(name)\""], [:])
    }

    private static func object(_ base: [String: String], _ keys: [String: String]) -> String {
        let members = base.merging(keys) { $1 }.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
        return "{" + members.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
    }
}

extension TripStore {
    /// Imports a file.
    func importing(_ path: String, mirror: Bool = false, timeZone: TimeZone? = nil) async throws -> ImportReport {
        try await Importer(store: self, options: ImportOptions(timeZone: timeZone, mirror: mirror))
            .run(path: path, by: "ana")
    }

    func importing(_ export: Export, mirror: Bool = false, timeZone: TimeZone? = nil) async throws -> ImportReport {
        try await importing(export.path(), mirror: mirror, timeZone: timeZone)
    }
}

extension UUID {
    /// From a constant of the tests, which is known to be valid.
    init(_ text: String) {
        self = UUID(uuidString: text) ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
}

extension ImportReport {
    /// The counts, without the warnings.
    var counts: [String: [EntityKind: Int]] {
        [
            "created": created, "edited": edited, "deleted": deleted, "restored": restored,
            "overridden": overridden, "unchanged": unchanged, "skipped": skipped,
        ].filter { !$0.value.isEmpty }
    }
}
