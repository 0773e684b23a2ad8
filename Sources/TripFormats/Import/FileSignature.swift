import Foundation
import Platform
import TravelingSnails

/// The format of a file by its content: what its first bytes say, whatever its name is.
enum FileSignature {
    /// Bytes of the beginning that are looked at, and of the end of an archive.
    private static let looked = 64 << 10

    /// The format of a file that is imported; nil if its content does not say it.
    ///
    /// Throws `TextFormatError` with `wrongFormat` for a file of another kind, with the name of the kind and what to do.
    static func format(of path: String) throws(TextFormatError) -> ImportOptions.Format? {
        // Errors of reading are those of the reader of its format, but opening a pipe would wait there.
        guard access(path, R_OK) == 0 else { return nil }
        let file: InputFile
        do throws(ExportError) { file = try InputFile(path: path) } catch {
            throw TextFormatError(.unreadable, error.message.replacing(path, with: "It"))
        }
        let bytes = next(of: file)
        guard !bytes.isEmpty else { return nil }
        if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06]) {
            throw refusal(ArchiveKind(bytes, end: end(of: file)).words)
        }
        if let found = BinaryKind.words(bytes) { throw refusal(found) }
        let text = String(decoding: bytes, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if text.hasPrefix("<") { return try markup(text) }
        if text.hasPrefix("{") || text.hasPrefix("[") { return try json(text) }
        let first = text.prefix { !$0.isNewline }.uppercased()
        if first.hasPrefix("BEGIN:VCALENDAR") { return .ics }
        if let found = TextKind.words(first, text) { throw refusal(found) }
        return nil
    }

    private static func refusal(_ words: (what: String, advice: String)) -> TextFormatError {
        TextFormatError(.wrongFormat, "It is \(words.what), which is not imported. \(words.advice)")
    }

    private static func end(of file: InputFile) -> [UInt8] {
        guard (try? file.seek(to: max(0, file.identity.size - Int64(looked)))) != nil else { return [] }
        return next(of: file)
    }

    /// The next bytes, at most `looked`.
    private static func next(of file: InputFile) -> [UInt8] {
        var (bytes, count) = ([UInt8](repeating: 0, count: looked), 0)
        while count < looked, let got = try? file.read(into: &bytes, at: count, count: looked - count), got > 0 {
            count += got
        }
        return Array(bytes[..<count])
    }

    /// XML and HTML by the first element.
    private static func markup(_ text: Substring) throws(TextFormatError) -> ImportOptions.Format? {
        let text = withoutComments(text)
        guard let found = text.firstMatch(of: /<(?:[A-Za-z_][\w.\-]*:)?([A-Za-z_][\w.\-]*)/) else { return nil }
        switch found.1.lowercased() {
        case "gpx": return .gpx
        case "kml": return .kml
        case "html", "head", "body", "div", "p", "script", "meta":
            throw refusal(
                (
                    "a page of the web (HTML)",
                    "Look on the page for a calendar (.ics), a table (.csv) or a map (.gpx) to save."
                ))
        case "trainingcenterdatabase":
            throw refusal(("a training file (TCX)", "Export the track as GPX."))
        default:
            if text.lowercased().hasPrefix("<!doctype html") { return try markup("<html>") }
            throw refusal(
                (
                    "XML of another kind, which begins with <\(found.1.prefix(40))>",
                    "Calendars are imported as .ics, tables as .csv, maps as .gpx, .kml or .geojson."
                ))
        }
    }

    private static func withoutComments(_ text: Substring) -> String {
        var (rest, others) = (text, "")
        while let start = rest.firstRange(of: "<!--") {
            others += rest[..<start.lowerBound]
            guard let end = rest[start.upperBound...].firstRange(of: "-->") else { return others }
            rest = rest[end.upperBound...]
        }
        return others + rest
    }

    private static func json(_ text: Substring) throws(TextFormatError) -> ImportOptions.Format? {
        if text.contains(/"exportInfo"\s*:/) { return .json }
        if text.contains(/"(?:semanticSegments|timelineObjects|rawSignals)"\s*:/) {
            throw refusal(("a timeline of Google Maps", "Convert it into GPX with another program, and import that."))
        }
        let types =
            /"type"\s*:\s*"(?:FeatureCollection|Feature|Point|MultiPoint|LineString|MultiLineString|GeometryCollection|Polygon|MultiPolygon)"/
        return text.contains(types) ? .geojson : nil
    }
}
