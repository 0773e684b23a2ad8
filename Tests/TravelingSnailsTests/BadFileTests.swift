import Foundation
import Testing

@testable import TravelingSnails

@Suite struct BadFileTests {
    @Test func everyCutOffPrefixIsAnErrorThatSaysSo() throws {
        // Without the indentation, which is most of the file and where every cut is alike.
        let bytes = Array(Sample.whole.written().replacing(#/\n */#, with: "\n").utf8)
        let file = try TemporaryFile([])
        let limits = ReaderLimits(chunk: 4096)
        for count in 0..<bytes.count {
            try file.replace(bytes.prefix(count))
            let error = #expect(throws: ExportError.self) { try ExportFile(path: file.path, limits: limits).scan() }
            let expected: ExportError.Code = count == 0 ? .empty : .truncated
            #expect(error?.code == expected, "cut after \(count) bytes")
            if count > 0 { #expect(error?.place?.offset == Int64(count), "cut after \(count) bytes") }
        }
    }

    @Test func aCutOffFileNamesLineAndPath() throws {
        let text = Sample.whole.written()
        let cut = try #require(text.range(of: "UA1545 EWR"))
        let error = try errorReading(text[..<cut.upperBound].utf8)
        #expect(error.code == .truncated)
        #expect(error.place?.path == "trips[0].embeddedTransportation[0].name")
        #expect(error.place?.line == 32)
        #expect(error.message.contains("trips[0].embeddedTransportation[0].name (line 32), column"))
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func flippedBitsNeverCrash(seed: UInt64) throws {
        var generator = Seeded(seed)
        let bytes = Array(Sample.whole.written().utf8)
        let file = try TemporaryFile([])
        for round in 0..<150 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                damaged[Int.random(in: damaged.indices, using: &generator)] ^=
                    1 << UInt8.random(in: 0...7, using: &generator)
            }
            try file.replace(damaged)
            let export = ExportFile(path: file.path, limits: ReaderLimits(chunk: [1, 7, 4096][round % 3]))
            do {
                let summary = try export.scan()
                var trips = 0
                try export.forEachTrip { _ in trips += 1 }
                #expect(trips == summary.tripCount, "seed \(seed), round \(round)")
            } catch let error as ExportError {
                #expect(!error.message.isEmpty && error.place != nil, "seed \(seed), round \(round)")
            }
        }
    }

    @Test(arguments: [
        ("", ExportError.Code.empty), (" \n\t", .empty), ("\u{FEFF}", .empty),
        ("Trip,Start,End\nRome,1,2\n", .notJSON), ("\"Trip\",\"Start\"\n", .notJSON), ("name,start\n", .notJSON),
        ("12,13\n", .notJSON), ("PK\u{3}\u{4}", .notJSON),
        ("[]", .notAnExport), ("\"text\"", .notAnExport), ("42", .notAnExport), ("null ", .notAnExport),
        ("{}", .notAnExport), (#"{"trips": []}"#, .notAnExport), (#"{"exportInfo": {}}"#, .notAnExport),
        (#"{"exportInfo": [], "trips": []}"#, .notAnExport), (#"{"exportInfo": {}, "trips": {}}"#, .notAnExport),
        (#"{"exportInfo": {}, "trips": null}"#, .notAnExport),
        (#"{"exportInfo": {}, "trips": [], "trips": 3}"#, .notAnExport),
        (#"{"exportInfo": {"format": "csv"}, "trips": []}"#, .notAnExport),
        (#"{"exportInfo": {"version": "2.0"}, "trips": []}"#, .unsupportedVersion),
        (#"{"exportInfo": {"version": "x"}, "trips": []}"#, .unsupportedVersion),
        (#"{"exportInfo": {"version": 2}, "trips": []}"#, .unsupportedVersion),
        (#"{"exportInfo": {"version": []}, "trips": []}"#, .unsupportedVersion),
    ])
    func whatIsNoExportIsRefused(text: String, code: ExportError.Code) throws {
        #expect(try errorReading(text.utf8).code == code)
    }

    @Test(arguments: [#"{}"#, #"{"version": "1.7"}"#, #"{"version": 1.2}"#, #"{"version": "1", "format": null}"#])
    func anyMinorVersionIsRead(info: String) throws {
        #expect(try Reading(Sample.whole.with("exportInfo", .raw(info))).trips.count == 2)
    }

    @Test func textInUTF16IsNamedAsSuch() throws {
        let error = try errorReading([0xFF, 0xFE, 0x7B, 0x00])
        #expect(error.code == .notJSON && error.message.contains("UTF-16"))
    }

    @Test func aMissingFileAndADirectoryCannotBeRead() throws {
        let directory = FileManager.default.temporaryDirectory.path
        for path in [directory, directory + "/no-such-file-\(UUID())", ""] {
            let error = #expect(throws: ExportError.self) { try ExportFile(path: path).scan() }
            #expect(error?.code == .unreadable && error?.place == nil)
        }
        let error = #expect(throws: ExportError.self) { try ExportFile(path: directory).scan() }
        #expect(error?.message.contains("directory") == true)
    }

    @Test func aFileThatChangesBetweenThePassesIsRefused() throws {
        let file = try TemporaryFile(Sample.whole.written().utf8)
        let export = ExportFile(path: file.path)
        _ = try export.scan()
        // Still well-formed where the second pass begins.
        try file.replace(Sample.with(trips: [Sample.trip.with("notes", .text("Other"))]).written().utf8)
        let error = #expect(throws: ExportError.self) {
            try export.forEachTrip { _ in Issue.record("a trip of a file that was never checked") }
        }
        #expect(error?.code == .changed)
        _ = try export.scan()
        try export.forEachTrip { #expect($0.notes == "Other") }
    }
}
