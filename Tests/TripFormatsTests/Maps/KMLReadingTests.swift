import Testing
import TripStore

@testable import TripFormats

@Suite("Reading KML")
struct KMLReadingTests {
    @Test(
        "A placemark in a folder is an activity with the folder as its category, its days and its text without markup")
    func placemark() throws {
        let contents = try MapSample.contents(
            MapSample.kml(
                """
                <name>Lisbon</name><Folder><name>Food</name>
                <Placemark id="p1"><name>Tasca</name><description><![CDATA[Good<br>fish]]></description>
                <TimeSpan><begin>2027-05-01</begin><end>2027-05-02</end></TimeSpan>
                <Point><coordinates>
                  -9.14,38.71,12
                </coordinates></Point></Placemark></Folder>
                <Placemark><name>Hotel</name><address>Rua 1, Lisboa</address><phoneNumber>+351 1</phoneNumber></Placemark>
                """), .kml)
        #expect(contents.name == "Lisbon" && contents.warnings.isEmpty && contents.skipped == 0)
        let (tasca, hotel) = (contents.places[0], contents.places[1])
        #expect(tasca.item.name == "Tasca" && tasca.item.category == "Food" && tasca.item.notes == "Good\nfish")
        #expect(tasca.coordinates == Coordinates(latitude: 38.71, longitude: -9.14))
        #expect(tasca.item.startDay == Day(2027, 5, 1) && tasca.item.endDay == Day(2027, 5, 2))
        #expect(tasca.externalID == "#p1")
        #expect(
            hotel.item.address??.formatted == "Rua 1, Lisboa" && hotel.item.notes == "+351 1"
                && hotel.item.category == "")
    }

    @Test("Lines, tracks of Google and several geometries are tracks")
    func tracks() throws {
        let contents = try MapSample.contents(
            MapSample.kml(
                """
                <Placemark><name>Line</name><LineString><coordinates>7,45,0 7,46,0</coordinates></LineString></Placemark>
                <Placemark><name>Track</name><gx:Track><when>2027-05-01T08:00:00Z</when><when>2027-05-01T09:00:00Z</when>
                <gx:coord>7 45 100</gx:coord><gx:coord>7 46 100</gx:coord></gx:Track></Placemark>
                <Placemark><name>Both</name><MultiGeometry><Point><coordinates>7,45</coordinates></Point>
                <LineString><coordinates>7,45 7,46</coordinates></LineString>
                <LineString><coordinates>7,10 7,11</coordinates></LineString></MultiGeometry></Placemark>
                """), .kml)
        #expect(contents.tracks.map(\.name) == ["Line", "Track", "Both"])
        let length = "\(MapSample.degree) m"
        #expect(
            contents.tracks.map(\.caption) == [
                length, "\(length) from 2027-05-01T08:00:00Z to 2027-05-01T09:00:00Z", "\(2 * MapSample.degree) m",
            ])
        #expect(contents.places.map(\.item.name) == ["Both"])
    }

    @Test("Of a place 100 notes are read, and a map with too many notes is refused")
    func manyNotes() throws {
        let data = (0..<120).map { "<Data name=\"n\"><value>v\($0).</value></Data>" }.joined()
        let contents = try MapSample.contents(
            MapSample.kml("<Placemark><name>A</name><ExtendedData>\(data)</ExtendedData></Placemark>"), .kml)
        let notes = try #require(contents.places.first?.item.notes)
        #expect(notes.hasPrefix("n: v0.\n\nn: v1.") && notes.hasSuffix("n: v99."))
        #expect(contents.warnings.texts == ["line 3: notes are left out, for 100 are read of a place"])
        var small = MapContents(zone: "UTC", mostNoteBytes: 10)
        var feature = MapFeature()
        feature.name = "A"
        feature.addNote("12345")
        try small.add(feature)
        feature.name = "B"
        feature.addNote("678901")
        let error = #expect(throws: TextFormatError.self) { try small.add(feature) }
        #expect(error?.code == .tooLarge && small.places.count == 1)
    }

    @Test("Areas, pictures and links to other maps are left out and named")
    func others() throws {
        let contents = try MapSample.contents(
            MapSample.kml(
                """
                <Placemark><name>Park</name><Polygon><outerBoundaryIs><LinearRing><coordinates>7,45 7,46 8,45 7,45</coordinates>
                </LinearRing></outerBoundaryIs></Polygon></Placemark><NetworkLink/><GroundOverlay><name>Old map</name></GroundOverlay>
                """), .kml)
        #expect(contents.places.isEmpty && contents.tracks.isEmpty && contents.skipped == 1)
        #expect(contents.warnings.texts.count == 3)
    }

    @Test("Values of a table are lines of the notes, unless the description has them")
    func data() throws {
        let contents = try MapSample.contents(
            MapSample.kml(
                """
                <Placemark><name>A</name><description>Open: 9</description><ExtendedData><Data name="Open"><value>9</value></Data>
                <Data name="Price"><value>12 EUR</value></Data></ExtendedData><Point><coordinates>1,2</coordinates></Point></Placemark>
                """), .kml)
        #expect(contents.places.first?.item.notes == "Open: 9\n\nPrice: 12 EUR")
    }
}
