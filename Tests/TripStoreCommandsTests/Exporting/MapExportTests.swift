import Foundation
import StoreSupport
import TestSupport
import Testing

@Suite("Exports for maps")
struct MapExportTests {
    /// Reads a GeoJSON and a GPX file, and prints what is in them.
    private static let script = """
        import json, sys, xml.etree.ElementTree as tree
        for feature in json.load(open(sys.argv[1], encoding="utf-8"))["features"]:
            print(feature["geometry"]["type"], feature["properties"]["name"])
        root, space = tree.parse(sys.argv[2]).getroot(), "{http://www.topografix.com/GPX/1/1}"
        assert root.tag == space + "gpx" and root.get("version") == "1.1"
        order = [child.tag.removeprefix(space) for child in root]
        print(" ".join(order))
        for point in root.iter(space + "wpt"):
            print(point.get("lat"), point.get("lon"), repr(point.find(space + "name").text))
        for point in root.iter(space + "rtept"):
            print(point.get("lat"), point.get("lon"), point.findtext(space + "time"))
        """

    @Test(
        "Python's readers of JSON and XML find the places and routes",
        .enabled(if: Program.succeeds("python3", "-c", "import json")))
    func python() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", "Lisbon")
        _ = try await tool.value(
            "add", "lodging", "--name", "Inn <&> \"\u{1}é", "--trip", trip, "--latitude", "38.7223", "--longitude",
            "-9.1393")
        _ = try await tool.value("add", "activity", "--name", "Walk", "--trip", trip)
        _ = try await tool.value(
            "add", "transportation", "--name", "NH 107", "--mode", "plane", "--trip", trip, "--departure-latitude",
            "35.55",
            "--departure-longitude", "139.78", "--arrival-latitude", "37.62", "--arrival-longitude", "-122.37",
            "--start",
            "2027-05-01T10:00", "--start-time-zone", "Asia/Tokyo")
        let (json, gpx) = (tool.folder.path("places.geojson"), tool.folder.path("places.gpx"))
        for file in [json, gpx] {
            let outcome = await tool.run("export", file)
            #expect(
                outcome.code == 0 && outcome.error.contains("1 item without coordinates left out"), "\(outcome.error)")
        }
        let output = try #require(try Program.run("python3", ["-c", Self.script, json, gpx]))
        #expect(output.code == 0, "\(output.complaint)")
        let expected = """
            Point Inn <&> "\u{1}é
            MultiLineString NH 107
            metadata wpt rte
            38.7223 -9.1393 'Inn <&> "\u{FFFD}é'
            35.55 139.78 2027-05-01T01:00:00Z
            37.62 -122.37 None

            """
        #expect(output.text == expected)
        let again = tool.folder.path("again.gpx")
        #expect(await tool.run("export", again).code == 0)
        #expect(FileManager.default.contents(atPath: again) == FileManager.default.contents(atPath: gpx))
        await tool.expectInvariants()
    }
}
