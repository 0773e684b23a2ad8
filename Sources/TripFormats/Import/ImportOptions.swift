public import Foundation
public import TripStore

/// The options of an import.
public struct ImportOptions: Sendable {
    /// The formats that are imported.
    public enum Format: String, CaseIterable, Sendable {
        /// The export of Traveling Snails.
        case json
        /// A calendar: iCalendar.
        case ics
        /// A table, by a mapping of its columns.
        case csv
        /// A map: GPX.
        case gpx
        /// A map: KML.
        case kml
        /// A map: GeoJSON.
        case geojson

        /// The format by the first bytes of a file, else by the ending of its name; the export of Traveling Snails if neither says it.
        ///
        /// Throws `TextFormatError` with `wrongFormat` for a file of a kind that is not imported, as a PDF.
        package init(path: String, name: String) throws(TextFormatError) {
            if let found = try FileSignature.format(of: path) {
                self = found
                return
            }
            switch (name as NSString).pathExtension.lowercased() {
            case "ics", "ical", "icalendar", "ifb": self = .ics
            case "csv", "tsv": self = .csv
            case "gpx": self = .gpx
            case "kml": self = .kml
            case "geojson": self = .geojson
            default: self = .json
            }
        }

        var map: MapFile.Format? {
            switch self {
            case .gpx: .gpx
            case .kml: .kml
            case .geojson: .geojson
            case .json, .ics, .csv: nil
            }
        }

        /// The format in a word or two, for people.
        package var words: String {
            switch self {
            case .json: "an export of Traveling Snails"
            case .ics: "a calendar"
            case .csv: "a table"
            case .gpx: "a map in GPX"
            case .kml: "a map in KML"
            case .geojson: "a map in GeoJSON"
            }
        }
    }

    /// The trip that the items of a calendar, a table or a map come into.
    public enum Destination: Sendable {
        case trip(Trip.ID)
        /// A trip of this name, the same each time.
        case named(String)
        /// An item that is here stays in its trip; one of an export of a store comes into that of the export; another comes into the one
        /// trip whose days have all of its days, and if there is none or several, into one for the file.
        case byDays
    }

    /// The format; nil for a table where there is a mapping, else for what the file's beginning or its name says.
    public var format: Format?
    /// The zone of times and trips that name none; nil for UTC.
    public var timeZone: TimeZone?
    /// The currency of the file's costs, which it does not name.
    public var currency: Currency
    /// Whether nothing is written: the report says what would be. Attachments are not looked at then.
    public var isDryRun: Bool
    /// Whether items are deleted that the file's trips have here and the file lacks; for exports of Traveling Snails.
    public var mirror: Bool
    /// Whether the file may be older than that of the last import: exported before it; for exports of Traveling Snails.
    public var isOlderAllowed: Bool
    /// Whether what was erased of the store is brought all the same. Otherwise it is left out, whatever the file says there.
    public var bringsErased = false
    /// Whether a record that cannot be used refuses the whole file, instead of being left out; for calendars and tables.
    public var isStrict: Bool
    /// The trip that imported items are put into; for calendars, tables and maps.
    public var destination: Destination
    /// The mapping of columns to fields; for tables, which need one.
    public var mapping: TableMapping?
    /// The name of a trip for the file; nil for the file's name without its ending. For calendars and maps without a name, and tables.
    public var name: String?

    public init(
        format: Format? = nil, timeZone: TimeZone? = nil, mirror: Bool = false, currency: Currency = "USD",
        isOlderAllowed: Bool = false, isDryRun: Bool = false, isStrict: Bool = false,
        destination: Destination = .byDays, mapping: TableMapping? = nil, name: String? = nil
    ) {
        (self.format, self.timeZone, self.currency, self.isDryRun) = (format, timeZone, currency, isDryRun)
        (self.mirror, self.isOlderAllowed, self.isStrict) = (mirror, isOlderAllowed, isStrict)
        (self.destination, self.mapping, self.name) = (destination, mapping, name)
    }
}

/// The progress of an import.
public struct ImportProgress: Sendable, Hashable {
    /// The passes over the file.
    public enum Stage: String, Sendable {
        /// The whole file is checked; nothing is written yet.
        case checking
        /// Its records are written.
        case importing
        /// The bytes of its attachments are stored, and what they are is written.
        case attachments
    }

    public let stage: Stage
    /// Bytes of the file that the pass has read; of a calendar, a table or a map, its share of the file.
    public let bytesRead: Int64
    /// Bytes of the file.
    public let total: Int64

    package init(stage: Stage, bytesRead: Int64, total: Int64) {
        (self.stage, self.bytesRead, self.total) = (stage, bytesRead, total)
    }
}
