package import Foundation

/// An export that a test builds from JSON objects and writes to a file of its own.
package struct ExportFixture {
    /// The days of flights that the repository ships.
    package static let planned = sample("planned")
    package static let actual = sample("actual")

    // Private, because a path alone would not keep the folder, which goes with the last reference.
    private let folder = TemporaryFolder()
    private let path: String

    /// Writes an export with these trips.
    package init(trips: [[String: Any]]) throws {
        try self.init(
            data: JSONSerialization.data(withJSONObject: [
                "exportInfo": ["version": "1.0", "format": "json"], "trips": trips, "organizations": [Any](),
                "addresses": [Any](), "attachments": [Any](),
            ]))
    }

    /// Writes any bytes.
    package init(data: Data) throws {
        path = folder.path("export.json")
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try data.write(to: URL(fileURLWithPath: path))
    }

    /// Calls `body` with the path of the file, which is there until it returns.
    package func withFile<T>(_ body: (String) async throws -> T) async rethrows -> T {
        defer { withExtendedLifetime(folder) {} }
        return try await body(path)
    }

    /// The same for synchronous code.
    package func withPath<T>(_ body: (String) throws -> T) rethrows -> T {
        defer { withExtendedLifetime(folder) {} }
        return try body(path)
    }

    /// A trip; `keys` are set or added.
    package static func trip(_ number: Int, flights: [[String: Any]] = [], _ keys: [String: Any] = [:]) -> [String: Any]
    {
        let base: [String: Any] = [
            "id": id(number).uuidString, "name": "Trip \(number)", "startDate": "2027-05-01T22:30:00Z",
            "endDate": "2027-05-02T10:00:00Z", "embeddedTransportation": flights,
        ]
        return base.merging(keys) { $1 }
    }

    /// A flight; `keys` are set or added.
    package static func flight(_ number: Int, _ keys: [String: Any] = [:]) -> [String: Any] {
        let base: [String: Any] = [
            "id": id(number).uuidString, "name": "Flight \(number)", "type": "plane", "start": "2027-05-01T22:30:00Z",
            "end": "2027-05-02T01:00:00Z", "startTZId": "Europe/Lisbon", "endTZId": "Europe/Lisbon", "cost": 12.5,
        ]
        return base.merging(keys) { $1 }
    }

    /// The id that stands for a number.
    package static func id(_ number: Int) -> UUID {
        let bytes = withUnsafeBytes(of: UInt32(number).bigEndian) { [UInt8]($0) }
        return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, bytes[0], bytes[1], bytes[2], bytes[3]))
    }

    private static func sample(_ name: String) -> String {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { folder.deleteLastPathComponent() }
        return folder.appendingPathComponent("Tools/samples/flights-day-\(name).json").path
    }
}
