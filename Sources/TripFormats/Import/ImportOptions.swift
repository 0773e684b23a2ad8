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

        /// The format by the ending of a file's name, else by its first bytes; the export of Traveling Snails if neither says it.
        package init(path: String, name: String) {
            switch (name as NSString).pathExtension.lowercased() {
            case "ics", "ical", "icalendar", "ifb": self = .ics
            case "csv", "tsv": self = .csv
            case "json": self = .json
            default: self = Self.beginning(of: path).hasPrefix("BEGIN:VCALENDAR") ? .ics : .json
            }
        }

        private static func beginning(of path: String) -> String {
            guard let file = FileHandle(forReadingAtPath: path) else { return "" }
            defer { try? file.close() }
            let bytes = (try? file.read(upToCount: 256)) ?? Data()
            return String(decoding: bytes, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }.uppercased()
        }
    }

    /// The trip that the items of a calendar or a table come into.
    public enum Destination: Sendable {
        case trip(Trip.ID)
        /// A trip of this name, the same each time.
        case named(String)
        /// An item that is here stays in its trip; one of an export of a store comes into that of the export; another comes into the one
        /// trip whose days have all of its days, and if there is none or several, into one for the file.
        case byDays
    }

    /// The format; nil for a table where there is a mapping, else for what the file's name or its beginning says.
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
    /// Whether a record that cannot be used refuses the whole file, instead of being left out; for calendars and tables.
    public var isStrict: Bool
    /// The trip that imported items are put into; for calendars and tables.
    public var destination: Destination
    /// The mapping of columns to fields; for tables, which need one.
    public var mapping: TableMapping?
    /// The name of a trip for the file; nil for the file's name without its ending. For calendars without a name, and tables.
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
    /// Bytes of the file that the pass has read; of a calendar or a table, its share of the file.
    public let bytesRead: Int64
    /// Bytes of the file.
    public let total: Int64

    package init(stage: Stage, bytesRead: Int64, total: Int64) {
        (self.stage, self.bytesRead, self.total) = (stage, bytesRead, total)
    }
}
