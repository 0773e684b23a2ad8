import Foundation
import StoreSupport
import Testing

@testable import TripFormats

@Suite("The format of a file by its content")
struct FileSignatureTests {
    private static func format(_ bytes: [UInt8]) throws -> ImportOptions.Format? {
        try MapSample.withFile(bytes, named: "file") { try FileSignature.format(of: $0) }
    }

    @Test(
        "The content says the format",
        arguments: [
            ("\u{FEFF}\n<?xml version=\"1.0\"?><gpx/>", ImportOptions.Format.gpx), ("<k:kml xmlns:k=\"x\"/>", .kml),
            ("{\"features\":[{ \"type\" : \"Feature\"}],\"type\":\"FeatureCollection\"}", .geojson),
            ("<!-- from <kml> --><gpx/>", .gpx), ("<?xml version=\"1.0\"?>\n<!--\n<html>--><!----><kml/>", .kml),
            ("{\"exportInfo\":{},\"trips\":[]}", .json), ("begin:vcalendar\r\n", .ics), ("name;start\nA;B", nil),
            ("{\"a\":1}", nil), ("", nil),
        ] as [(String, ImportOptions.Format?)])
    func formats(text: String, format: ImportOptions.Format?) throws {
        #expect(try Self.format(Array(text.utf8)) == format)
    }

    private static func zip(_ names: String...) -> [UInt8] {
        names.flatMap { [0x50, 0x4B, 0x03, 0x04] + [UInt8](repeating: 0, count: 26) + Array($0.utf8) }
    }

    @Test(
        "Files of other kinds are called by their names, with what to do",
        arguments: [
            (Array("%PDF-1.7\n".utf8), "a PDF", "Attach"), ([0x89, 0x50, 0x4E, 0x47, 0x0D], "PNG", "Attach"),
            ([0xFF, 0xD8, 0xFF, 0xE0], "JPEG", "Attach"), (Array("\0\0\0\u{18}ftypheic".utf8), "HEIC", "Attach"),
            (zip("doc.kml"), "KMZ", "unzip"), (zip("files/hut.png", "Tour.kml"), "KMZ", "doc.kml"),
            (zip("[Content_Types].xml", "xl/workbook.xml"), "Excel", "CSV"),
            (zip("pass.json", "manifest.json"), "pkpass", "Attach"), (zip("a.ics"), "ZIP", "unzip"),
            ([0x1F, 0x8B, 8, 0], "gzip", "gunzip"), (Array("SQLite format 3\0".utf8), "database", "Export"),
            (Array("<!DOCTYPE html><html>".utf8), "HTML", ".ics"),
            (Array("<TrainingCenterDatabase/>".utf8), "TCX", "GPX"),
            (Array("<rss/>".utf8), "<rss>", ".gpx"), (Array("BEGIN:VCARD\nFN:Ana".utf8), "vCard", "travellers"),
            (Array("Received: by x\nFrom: a@b.example\nSubject: Hi\n\nText".utf8), "e-mail", ".ics"),
            (Array("{\"semanticSegments\": []}".utf8), "timeline", "GPX"),
            (Array("TSBUNDLE1234".utf8), "bundle", "bundle"),
        ] as [([UInt8], String, String)])
    func others(bytes: [UInt8], kind: String, advice: String) throws {
        let error = #expect(throws: TextFormatError.self) { try Self.format(bytes) }
        #expect(error?.code == .wrongFormat)
        #expect(
            error?.message.contains(kind) == true && error?.message.contains(advice) == true, "\(error?.message ?? "")")
    }

    @Test("A named pipe is refused at once, as is a directory", arguments: [true, false])
    func pipe(isPipe: Bool) throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        if isPipe { #expect(mkfifo(folder.path("x"), 0o600) == 0) }
        let error = #expect(throws: TextFormatError.self) {
            try FileSignature.format(of: isPipe ? folder.path("x") : folder.url.path)
        }
        #expect(error?.code == .unreadable)
        let found = isPipe ? "no regular file" : "a directory"
        #expect(error?.message == "It is \(found). Give a regular file; save a stream to a file first.")
    }

    @Test("A file that is not there has no format, and its reader says why")
    func missing() throws {
        #expect(try FileSignature.format(of: "/nowhere/at/all") == nil)
        let error = #expect(throws: TextFormatError.self) {
            var map = MapFile(path: "/nowhere/at/all.gpx", .gpx)
            _ = try map.contents(zone: "UTC")
        }
        #expect(error?.code == .unreadable && error?.message.hasPrefix("It cannot be read: No such file") == true)
    }
}
