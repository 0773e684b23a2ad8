import Dispatch
import Foundation
import StoreSupport
import Synchronization
import TestSupport
import Testing
import TripStore

@testable import TripStoreCommands

@Suite("Exports for maps")
struct MapExportTests {
    @Test("No snapshot is held while the output is written: a commit meanwhile is in what is read later")
    func writing() async throws {
        let tool = try await Tool.withStore()
        for (trip, day) in [("First", "2027-05-01"), ("Second", "2027-06-01")] {
            _ = try await tool.value("add", "trip", "--name", trip, "--start-date", day)
        }
        // Within one process a writer must open before readers.
        let store = try await TripStore.open(
            at: URL(fileURLWithPath: tool.path), options: TripStore.Options(mapSize: 1 << 30))
        let trips = try store.trips(.dated).rows.map(\.id)
        let place = Address(coordinates: Coordinates(latitude: 38, longitude: -9))
        // More than what is written at once.
        for index in 0..<2 {
            var long = Activity(name: "\(index)" + String(repeating: "x", count: 600_000), in: trips[0])
            long.address = place
            try await store.create(long)
        }
        var late = Activity(name: "Late", in: trips[1])
        late.address = place
        let id = try await store.create(late)
        let text = Mutex("")
        let outcome = await tool.run("export", "-", "--format", "geojson") { console in
            console.bytes = { bytes in
                let isFirst = text.withLock { text in
                    text += String(decoding: bytes, as: UTF8.self)
                    return text.utf8.count == bytes.count
                }
                guard isFirst else { return }
                let edited = DispatchSemaphore(value: 0)
                Task.detached {
                    _ = try? await store.edit(id) { $0.name = "Changed" }
                    edited.signal()
                }
                edited.wait()
            }
        }
        #expect(outcome.code == 0, "\(outcome.error)")
        #expect(text.withLock { $0.contains("Changed") && !$0.contains("Late") })
        await store.close()
        await tool.expectInvariants()
    }

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
