import Foundation
import Platform
import TravelingSnails

/// A map in a file of any size: GPX, KML or GeoJSON.
///
/// Memory holds a piece of the file and its places; the points of tracks are read, and not kept.
struct MapFile: Sendable {
    enum Format: Sendable {
        case gpx, kml, geojson

        var mediaType: String {
            switch self {
            case .gpx: "application/gpx+xml"
            case .kml: "application/vnd.google-earth.kml+xml"
            case .geojson: "application/geo+json"
            }
        }

        var fileExtension: String { "\(self)" }
    }

    /// Bytes of a text of GeoJSON.
    private static let longestText = 1 << 20

    let path: String
    let format: Format
    /// The text before and after each element of XML that becomes a file.
    private var frame: (head: Range<Int64>, tail: String) = (0..<0, "")
    /// The file that was read.
    private var identity: FileVersion?
    /// Answers about names that come again, once it was read.
    private var names = RepeatedNames()

    init(path: String, _ format: Format) { (self.path, self.format) = (path, format) }

    /// Reads the whole file.
    ///
    /// Throws `TextFormatError` with the place of the first fault, for another format, and for more places and tracks than are read.
    /// - Parameter batches: takes the places.
    mutating func contents(
        zone: String, batches: RecordBatches<MapContents.Place> = RecordBatches(of: .max) { _ in }
    ) throws(TextFormatError) -> (contents: MapContents, size: Int64) {
        do {
            let input = try InputFile(path: path)
            if let identity { try input.check(is: identity) }
            identity = input.identity
            // A place of a file takes its notes but once; a copy for each of its points could fill the disk.
            var contents = MapContents(
                zone: zone, mostNoteBytes: Int(max(64 << 20, 2 * input.identity.size)), names: names,
                batches: batches)
            switch format {
            case .geojson:
                var json = try JSONReader.walking(input, longestText: Self.longestText)
                var reading = GeoJSONReading()
                try reading.read(&json, into: &contents)
            case .gpx, .kml: try readXML(input, &contents)
            }
            try input.check(is: input.identity)
            names = contents.names
            names.rewind()
            return (contents, input.identity.size)
        } catch let error as ExportError {
            var named = TextFormatError(error)
            if error.code == .unreadable || error.code == .changed {
                named = TextFormatError(named.code, error.message.replacing(path, with: "It"))
            }
            throw named
        } catch let error as TextFormatError {
            throw error
        } catch {
            throw TextFormatError(.unreadable, "It cannot be read: \(error.systemText)")
        }
    }

    private mutating func readXML(_ input: InputFile, _ contents: inout MapContents) throws(TextFormatError) {
        var xml = try XMLReader(input)
        guard case .start(let root) = try xml.next() else {
            throw TextFormatError(.empty, "It is empty. Check that it was saved whole.")
        }
        // The root may be written with a prefix.
        frame = (0..<xml.input.offset, xml.rootName)
        switch (format, root) {
        case (.gpx, "gpx"):
            var reading = GPXReading()
            try reading.read(&xml, into: &contents)
        case (.kml, "kml"), (.kml, "Document"), (.kml, "Folder"):
            var reading = KMLReading()
            try reading.read(&xml, into: &contents)
        default:
            throw TextFormatError(
                .wrongFormat,
                "It is XML that begins with <\(root.prefix(40))>, and no \("\(format)".uppercased()). Leave out --format, or name another.",
                at: xml.input.place)
        }
    }

    /// The bytes of a file of its own for a part of this one, which `contents(zone:)` has read.
    ///
    /// Throws `ExportError` with `changed` if another file is there since.
    func pieces(of range: Range<Int64>) throws(ExportError) -> MapPieces {
        let isXML = format != .geojson
        let input = try InputFile(path: path)
        if let identity { try input.check(is: identity) }
        return MapPieces(
            input, isXML ? [frame.head, range] : [range],
            end: isXML ? Array("</\(frame.tail)>\n".utf8) : [])
    }
}

/// Parts of a file, one after another, in pieces of at most 1 MiB, and an end.
struct MapPieces {
    private static let size = 1 << 20

    private let input: InputFile
    private var ranges: [Range<Int64>]
    private var end: [UInt8]

    fileprivate init(_ input: InputFile, _ ranges: [Range<Int64>], end: [UInt8]) {
        (self.input, self.ranges, self.end) = (input, ranges, end)
    }

    /// Nil at the end. Throws `ExportError` if the file cannot be read, or was changed since.
    mutating func next() throws(ExportError) -> [UInt8]? {
        while let range = ranges.first {
            guard !range.isEmpty else {
                ranges.removeFirst()
                continue
            }
            try input.seek(to: range.lowerBound)
            let most = Int(min(Int64(range.count), Int64(Self.size)))
            var buffer = [UInt8](repeating: 0, count: most)
            let count = try input.read(into: &buffer, at: 0, count: most)
            guard count > 0 else { break }
            ranges[0] = range.lowerBound + Int64(count)..<range.upperBound
            return Array(buffer[..<count])
        }
        try input.check(is: input.identity)
        defer { end = [] }
        return end.isEmpty ? nil : end
    }
}
