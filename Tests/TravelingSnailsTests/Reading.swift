import Foundation
import Testing

@testable import TravelingSnails

/// A file that exists as long as this object.
final class TemporaryFile {
    let path: String

    init(_ bytes: some Sequence<UInt8>) throws {
        let name = "snails-\(UUID().uuidString).json"
        path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        try replace(bytes)
    }

    func replace(_ bytes: some Sequence<UInt8>) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// The results of both passes over one file.
struct Reading {
    var summary: ExportSummary
    var trips: [ExportedTrip]

    init(_ bytes: some Sequence<UInt8>, limits: ReaderLimits = ReaderLimits()) throws {
        let file = try TemporaryFile(bytes)
        let export = ExportFile(path: file.path, limits: limits)
        summary = try export.scan()
        var trips: [ExportedTrip] = []
        try export.forEachTrip { trips.append($0) }
        self.trips = trips
    }

    init(_ tree: Tree) throws { try self.init(tree.written().utf8) }

    /// All of it with the places.
    var withPlaces: String { "\(summary)\n\(trips)" }

    /// All of it but the places, which move when keys are shuffled.
    var withoutPlaces: String {
        let lines = [
            "\(summary.info)", "\(summary.tripCount) \(summary.itemCount) \(summary.attachmentCount)",
            "\(summary.organizations)", "\(summary.addresses)", "\(summary.problems)", "\(trips)",
        ]
        return lines.joined(separator: "\n").replacing(#/Snails\.Place\(.*?\)|line \d+, column \d+|line \d+/#, with: "")
    }
}

/// The error that reading `bytes` ends with; none is a failure of the test.
func errorReading(
    _ bytes: some Sequence<UInt8>, limits: ReaderLimits = ReaderLimits(), _ location: SourceLocation = #_sourceLocation
) throws -> ExportError {
    let file = try TemporaryFile(bytes)
    let export = ExportFile(path: file.path, limits: limits)
    let scanned = #expect(throws: ExportError.self, sourceLocation: location) { try export.scan() }
    // The second pass alone must refuse the same file before it returns anything.
    var handedOver = 0
    #expect(throws: ExportError.self, sourceLocation: location) {
        try ExportFile(path: file.path, limits: limits).forEachTrip { _ in handedOver += 1 }
    }
    #expect(handedOver == 0, sourceLocation: location)
    return try #require(scanned, sourceLocation: location)
}
