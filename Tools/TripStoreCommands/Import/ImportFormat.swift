import ArgumentParser
import Foundation

/// The formats that are imported.
enum ImportFormat: String, CaseIterable, ExpressibleByArgument {
    /// The export of Traveling Snails.
    case json
    /// iCalendar.
    case ics
    /// A table, by a mapping of its columns.
    case csv

    /// By the ending of a file's name, else by its first bytes; the export of Traveling Snails if neither says it.
    init(path: String, name: String) {
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
