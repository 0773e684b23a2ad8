import Foundation
import StoreSupport
import Testing

@testable import TripStoreCommands

@Suite("Importing maps and files of other kinds")
struct MapCommandTests {
    private static let gpx = """
        <?xml version="1.0"?><gpx version="1.1" creator="c" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="45.1" lon="7.1">\
        <name>Hut</name></wpt><rte><rtept lat="45" lon="7"/></rte></gpx>
        """
    private static let geojson = """
        {"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[7.1,45.1]},\
        "properties":{"name":"Hut"}}]}
        """

    @Test(
        "Maps come in by their content, whatever their names are",
        arguments: ["in.gpx", "in.geojson", "map.txt", "map.json"])
    func maps(name: String) async throws {
        let tool = try await Tool.withStore()
        try tool.write(name.contains("json") ? Self.geojson : Self.gpx, to: name)
        let first = await tool.run("import", tool.folder.path(name))
        #expect(first.code == 0, "\(first.error)")
        let again = try await tool.run("import", tool.folder.path(name), "--json").object()
        #expect(again["events"] as? Int == 0)
        let shown = try await tool.run("show", "Hut", "--json").object()
        #expect("\(shown)".contains("45.1"), "\(shown)")
        await tool.expectInvariants()
    }

    @Test(
        "A file of another kind is called by its name, with the command that takes it",
        arguments: [
            ("x.ics", "%PDF-1.4", "a PDF", "tripstore attach TRIP FILE"),
            ("x.json", "%PDF-1.4", "a PDF", "tripstore attach TRIP FILE"),
            ("x.ics", "TSBUNDLE", "a bundle", "tripstore bundle read FILE"),
            ("x.csv", "<!doctype html><html></html>", "HTML", ".ics"),
        ])
    func others(name: String, content: String, kind: String, advice: String) async throws {
        let tool = try await Tool.withStore()
        let position = try await tool.position()
        try tool.write(content, to: name)
        let outcome = await tool.run("import", tool.folder.path(name))
        #expect(outcome.code == 2)
        #expect(outcome.error.contains(kind) && outcome.error.contains(advice), "\(outcome.error)")
        #expect(try await tool.position() == position)
        await tool.expectInvariants()
    }

    @Test("A format that is named against the content names the option")
    func named() async throws {
        let tool = try await Tool.withStore()
        try tool.write(Self.gpx, to: "in.gpx")
        let outcome = await tool.run("import", tool.folder.path("in.gpx"), "--format", "ics")
        #expect(outcome.code == 2 && outcome.error.contains("--format gpx"), "\(outcome.error)")
        await tool.expectInvariants()
    }

    @Test("Of many warnings the first 20 are printed and the others counted; --verbose prints them")
    func warnings() async throws {
        let tool = try await Tool.withStore()
        let flights = (11..<41).map { ExportFixture.flight($0, ["startTZId": "Mars/Olympus"]) }
        let export = try ExportFixture(trips: [ExportFixture.trip(1, flights: flights)])
        let short = await export.withFile { await tool.run("import", $0, "--dry-run") }
        let lines = short.error.split(separator: "\n")
        #expect(lines.count == 22 && lines.prefix(20).allSatisfy { $0.contains("Mars/Olympus") })
        #expect(
            lines.dropFirst(20) == ["Warning: 10 further warnings not shown. --verbose shows them.", "30 warnings."])
        let verbose = await export.withFile { await tool.run("import", $0, "--dry-run", "--verbose") }
        #expect(verbose.error.split(separator: "\n").count == 31)
        let json = try await export.withFile { try await tool.run("import", $0, "--dry-run", "--json").object() }
        #expect(json["warnings"] as? Int == 30)
        await tool.expectInvariants()
    }
}
