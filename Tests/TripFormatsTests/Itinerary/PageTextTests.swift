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
        #expect(try PageText.itineraryStyle + "\n" == Self.file("itinerary.css") + Self.file("itinerary-overview.css"))
        #expect(try PageText.reportStyle + "\n" == Self.file("report.css") + Self.file("report-lists.css"))
        let head = try Self.file("report-head.html")
        #expect(try PageText.reportBody + "\n" == head + Self.file("report.html"))
        #expect(try PageText.reportIndexBody + "\n" == head + Self.file("report-index.html"))
        for (script, parts) in [
            (PageText.reportScript, ["data", "filter", "list", "timeline", "story", "start"]),
            (PageText.reportIndexScript, ["data", "index"]),
        ] {
            let files = try parts.map { try Self.file("report-\($0).js") }.joined(separator: "\n")
            #expect(script == "\"use strict\";\n(() => {\n" + files + "})();")
        }
    }
}
