import Foundation
import StoreSupport
import Testing

extension Tool {
    /// A store of a trip with a note, an activity and an attachment, beside another trip.
    static func withSecrets() async throws -> (tool: Tool, trip: String) {
        let tool = try await Tool.withStore()
        let trip = try await tool.value(
            "add", "trip", "--name", "Lisbon", "--destination", "Lisboa", "--notes", "secret", "--author", "ana")
        _ = try await tool.value("add", "activity", "--name", "Tram", "--trip", trip, "--author", "ben")
        let file = tool.folder.path("passport.jpg")
        try "scan".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(await tool.run("attach", trip, file, "--author", "ana").code == 0)
        _ = try await tool.value("add", "trip", "--name", "Porto", "--author", "ana")
        return (tool, trip)
    }
}

/// An array of JSON objects in another one.
func objects(_ value: Any?) throws -> [[String: Any]] { try #require(value as? [[String: Any]]) }
