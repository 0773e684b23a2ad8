import Testing
import TripStore

@testable import TripFormats

@Suite("Reading GeoJSON")
struct GeoJSONReadingTests {
    private static func contents(_ text: String) throws -> MapContents { try MapSample.contents(text, .geojson) }

    @Test("A feature is an activity with what its properties say, in any order of the members")
    func feature() throws {
        let contents = try Self.contents(
            """
            {"features":[{"properties":{"title":"Hut","description":"<b>Warm</b>","time":"2027-06-13T09:00:00+02:00",
            "url":"https://hut.example","depth":{"x":[1]}},"geometry":{"coordinates":[7.1,45.1,800],"type":"Point"},"id":7,
            "type":"Feature"}],"name":"Alps","type":"FeatureCollection"}
            """)
        #expect(contents.name == "Alps" && contents.warnings.isEmpty)
        let place = try #require(contents.places.first)
        #expect(place.item.name == "Hut" && place.item.notes == "Warm" && place.externalID == "#7")
        #expect(place.item.links == [Link("https://hut.example")])
        #expect(place.coordinates == Coordinates(latitude: 45.1, longitude: 7.1))
        #expect(place.item.start??.milliseconds == 1_812_870_000_000)
    }

    @Test("A feature or a geometry alone is read, and lines are tracks")
    func alone() throws {
        let line = "{\"type\":\"LineString\",\"coordinates\":[[7,45],[7,46]]}"
        #expect(try Self.contents(line).tracks.map(\.caption) == ["\(MapSample.degree) m"])
        let lines = """
            {"type":"Feature","properties":{"name":"Way","coordTimes":[["2027-05-01T08:00:00Z"],["2027-05-01T09:00:00Z"]]},
            "geometry":{"type":"MultiLineString","coordinates":[[[7,45],[7,46]],[[7,10],[7,11]]]}}
            """
        #expect(
            try Self.contents(lines).tracks.map(\.caption) == [
                "\(2 * MapSample.degree) m from 2027-05-01T08:00:00Z to 2027-05-01T09:00:00Z"
            ])
        #expect(try Self.contents("{\"type\":\"Point\",\"coordinates\":[7,45]}").places.map(\.item.name) == ["45, 7"])
    }

    @Test("Points of several geometries are places each, an area is left out, and no geometry needs a name")
    func geometries() throws {
        let contents = try Self.contents(
            """
            {"type":"FeatureCollection","features":[
            {"type":"Feature","properties":{"name":"Two"},"geometry":{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}},
            {"type":"Feature","properties":{"name":"All"},"geometry":{"type":"GeometryCollection","geometries":[
            {"type":"Point","coordinates":[5,6]},{"type":"LineString","coordinates":[[7,45],[7,46]]},
            {"type":"LineString","coordinates":[[7,10],[7,11]]}]}},
            {"type":"Feature","properties":{"name":"Park"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}},
            {"type":"Feature","properties":{"name":"Somewhere"},"geometry":null},
            {"type":"Feature","properties":null,"geometry":null}]}
            """)
        #expect(contents.places.map(\.item.name) == ["Two", "Two", "All", "Somewhere"])
        #expect(contents.tracks.map(\.name) == ["All"] && contents.skipped == 2)
        #expect(contents.tracks.first?.caption == "\(2 * MapSample.degree) m")
        #expect(Set(contents.places.map(\.externalID)).count == 4)
    }

    @Test("Saved places of a map service keep their names and addresses, and the day of saving is no time of theirs")
    func savedPlaces() throws {
        let contents = try Self.contents(
            """
            {"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":
            {"date":"2024-01-01T00:00:00Z","google_maps_url":"https://maps.example/1","location":{"address":"Street 1","name":"Bar"}}}]}
            """)
        let item = try #require(contents.places.first?.item)
        #expect(item.name == "Bar" && item.address??.formatted == "Street 1" && item.start == nil)
        #expect(item.links == [Link("https://maps.example/1")])
    }

    @Test("Points and geometries beyond 1,000 are counted as left out, and warned of")
    func many() throws {
        let points = (0..<1_002).map { "[\(Double($0) / 100),1]" }
        let multiple = try Self.contents("{\"coordinates\":[\(points.joined(separator: ","))],\"type\":\"MultiPoint\"}")
        #expect(multiple.places.count == 1_000 && multiple.skipped == 2)
        #expect(multiple.warnings.texts == ["line 1: points are left out, for 1000 are read of a geometry"])
        let parts = points.map { "{\"type\":\"Point\",\"coordinates\":\($0)}" } + ["7"]
        let collection = try Self.contents(
            "{\"type\":\"GeometryCollection\",\"geometries\":[\(parts.joined(separator: ","))]}")
        #expect(collection.places.count == 1_000 && collection.skipped == 3)
        #expect(
            collection.warnings.texts == [
                "line 1: a geometry is left out, for 1000 are read of a collection (2 times)",
                "line 1: a geometry is left out, for it is no object",
            ])
    }

    @Test(
        "Other JSON and what is no JSON are refused",
        arguments: [
            ("{\"type\":\"Topology\"}", TextFormatError.Code.wrongFormat), ("[]", .wrongFormat),
            ("{\"a\":1}", .wrongFormat),
            ("{\"type\":\"Feature\",}", .malformed), ("{\"type\":\"Feature\"", .truncated),
        ])
    func refusals(text: String, code: TextFormatError.Code) throws {
        let error = #expect(throws: TextFormatError.self) { try Self.contents(text) }
        #expect(error?.code == code)
    }

    @Test("A longitude that comes second is named where it is no latitude")
    func order() throws {
        let contents = try Self.contents("{\"type\":\"Point\",\"coordinates\":[45,170]}")
        #expect(contents.places.isEmpty && contents.skipped == 1)
        #expect(contents.warnings.texts.first?.contains("no place on Earth") == true)
    }
}
