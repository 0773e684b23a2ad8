import Foundation
import StoreSupport
import TravelingSnails
import TripStore

@testable import TripFormats

/// Maps in files of their own.
enum MapSample {
    static func contents(
        _ text: String, _ format: MapFile.Format, zone: String = "UTC", bytes: [UInt8]? = nil
    ) throws -> MapContents {
        try withFile(bytes ?? Array(text.utf8), named: "map.\(format.fileExtension)") { path in
            var map = MapFile(path: path, format)
            return try map.contents(zone: zone).contents
        }
    }

    static func withFile<T>(_ bytes: [UInt8], named name: String, _ body: (String) throws -> T) throws -> T {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let path = folder.path(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return try body(path)
    }

    static func gpx(_ elements: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="Case" xmlns="http://www.topografix.com/GPX/1/1">
        \(elements)
        </gpx>
        """
    }

    static func kml(_ elements: String) -> String {
        """
        <?xml version="1.0"?>
        <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>
        \(elements)
        </Document></kml>
        """
    }

    /// A degree of latitude on a sphere of the mean radius: 6,371,008.7714 m × π / 180.
    static let degree = 111_195
}

extension MapContents.Place {
    var coordinates: Coordinates? { item.address??.coordinates }
}
