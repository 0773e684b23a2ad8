import Foundation
import Testing

@testable import TripFormats

@Suite("The texts of pages")
struct PageTextTests {
    private static func file(_ name: String) throws -> String {
        let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Sources/CPages/Files")
        return try String(contentsOf: folder.standardized.appendingPathComponent(name), encoding: .utf8)
    }

    @Test("A page has the bytes of its files in their order, but for the last line break")
    func files() throws {
        #expect(try PageText.itineraryStyle + "\n" == Self.file("itinerary.css"))
        #expect(try PageText.reportStyle + "\n" == Self.file("report.css") + Self.file("report-lists.css"))
        #expect(try PageText.reportBody + "\n" == Self.file("report.html"))
        let parts = ["data", "filter", "list", "timeline", "story", "start"]
        let script = try parts.map { try Self.file("report-\($0).js") }.joined(separator: "\n")
        #expect(PageText.reportScript == "\"use strict\";\n(() => {\n" + script + "})();")
    }
}
