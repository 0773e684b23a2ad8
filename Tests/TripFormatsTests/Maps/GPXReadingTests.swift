import Testing
import TripStore

@testable import TripFormats

@Suite("Reading GPX")
struct GPXReadingTests {
    @Test("A waypoint is an activity with its name, its time, its place, its texts and its link")
    func waypoint() throws {
        let contents = try MapSample.contents(
            MapSample.gpx(
                """
                <metadata><name>Alps</name></metadata>
                <wpt lat="45.1" lon="7.1"><time>2027-06-13T07:00:00.5Z</time><name>Hut &amp; Co</name>
                <desc><![CDATA[<p>Open <b>daily</b></p>]]></desc><cmt>Key at the bar</cmt>
                <link href="https://hut.example"><text>Hut</text></link><sym>Lodge</sym></wpt>
                """), .gpx, zone: "Europe/Rome")
        #expect(contents.name == "Alps" && contents.tracks.isEmpty && contents.warnings.isEmpty)
        let place = try #require(contents.places.first)
        #expect(place.item.kind == .activity && place.item.name == "Hut & Co" && place.item.category == "Lodge")
        #expect(place.coordinates == Coordinates(latitude: 45.1, longitude: 7.1))
        #expect(place.item.start??.milliseconds == 1_812_870_000_500)
        #expect(place.item.start??.zone == "Europe/Rome")
        #expect(place.item.notes == "Open daily\n\nKey at the bar")
        #expect(place.item.links == [Link("https://hut.example", title: "Hut")])
    }

    @Test(
        "A track has the length of its parts without the gaps between them, and the times of its first and last point")
    func track() throws {
        let contents = try MapSample.contents(
            MapSample.gpx(
                """
                <trk><name>Day 1</name><trkseg>
                <trkpt lat="45" lon="7"><time>2027-06-13T07:00:00Z</time></trkpt>
                <trkpt lat="46" lon="7"/></trkseg>
                <trkseg><trkpt lat="10" lon="7"/><trkpt lat="11" lon="7"><time>2027-06-13T09:30:00Z</time></trkpt></trkseg>
                </trk><trk><trkseg/></trk>
                """), .gpx)
        let track = try #require(contents.tracks.first)
        #expect(track.name == "Day 1")
        #expect(track.caption == "\(2 * MapSample.degree) m from 2027-06-13T07:00:00Z to 2027-06-13T09:30:00Z")
        #expect(track.days == Day(2027, 6, 13)...Day(2027, 6, 13))
        // One without points and without a name says nothing.
        #expect(contents.tracks.count == 1 && contents.places.isEmpty && contents.skipped == 1)
    }

    @Test("A route is a track without times, and its points are no places")
    func route() throws {
        let contents = try MapSample.contents(
            MapSample.gpx(
                "<rte><name>Way</name><rtept lat=\"45\" lon=\"7\"><name>Left</name></rtept><rtept lat=\"46\" lon=\"7\"/></rte>"
            ), .gpx)
        #expect(contents.tracks.map(\.caption) == ["\(MapSample.degree) m"] && contents.places.isEmpty)
    }

    @Test("Across the antimeridian the shorter way counts")
    func antimeridian() {
        let (east, west) = (Coordinates(latitude: 0, longitude: 179.5), Coordinates(latitude: 0, longitude: -179.5))
        #expect(Int(TrackMeasure.distance(east, west).rounded()) == MapSample.degree)
        #expect(TrackMeasure.distance(east, east) == 0)
    }

    @Test(
        "Waypoints of one name stay apart by their places, the same one again counts once, and one without a name has its position"
    )
    func names() throws {
        let contents = try MapSample.contents(
            MapSample.gpx(
                """
                <wpt lat="1" lon="2"><name>Hut</name></wpt><wpt lat="3" lon="4"><name>Hut</name></wpt>
                <wpt lat="3" lon="4"><name>Hut</name></wpt><wpt lat="5.5" lon="-6"/>
                """), .gpx)
        #expect(contents.places.map(\.item.name) == ["Hut", "Hut", "5.5, -6"])
        #expect(Set(contents.places.map(\.externalID)).count == 3 && contents.warnings.texts.count == 1)
    }

    @Test("A position that is none is left out and named, and the rest is taken")
    func positions() throws {
        let contents = try MapSample.contents(
            MapSample.gpx(
                """
                <wpt lat="95" lon="7"><name>High</name></wpt><wpt lon="7"><name>Half</name></wpt>
                <trk><trkseg><trkpt lat="x" lon="7"/><trkpt lat="45" lon="7"/></trkseg></trk>
                """), .gpx)
        #expect(contents.places.map(\.item.name) == ["High", "Half"])
        #expect(contents.places.allSatisfy { $0.coordinates == nil })
        #expect(contents.tracks.count == 1)
        #expect(contents.warnings.texts == ["line 3: a position is left out, for it is no place on Earth (3 times)"])
    }

    @Test("Names of elements may have a prefix, GPX 1.0 is read, and Latin-1 is")
    func variants() throws {
        let prefixed = """
            <?xml version="1.0"?><g:gpx xmlns:g="http://www.topografix.com/GPX/1/0" version="1.0">
            <g:name>Old</g:name><g:wpt lat="1" lon="2"><g:name>A</g:name><g:url>https://a.example</g:url></g:wpt></g:gpx>
            """
        let old = try MapSample.contents(prefixed, .gpx)
        #expect(old.name == "Old" && old.places.first?.item.links == [Link("https://a.example")])
        let latin = "<?xml version='1.0' encoding='ISO-8859-1'?><gpx><wpt lat='1' lon='2'><name>Caf"
        let bytes = Array(latin.utf8) + [0xE9] + Array("</name></wpt></gpx>".utf8)
        #expect(try MapSample.contents("", .gpx, bytes: bytes).places.map(\.item.name) == ["Café"])
    }

    @Test("Long texts and many points come whole, whatever pieces the file is read in")
    func pieces() throws {
        let points = (0..<20_000).map { "<trkpt lat=\"\(Double($0 % 2))\" lon=\"7\"/>" }.joined(separator: "\n")
        let long = String(repeating: "é&amp;", count: 30_000)
        let contents = try MapSample.contents(
            MapSample.gpx(
                "<wpt lat=\"1\" lon=\"2\"><name>N</name><desc>\(long)</desc></wpt><trk><trkseg>\(points)</trkseg></trk>"
            ),
            .gpx)
        // At most 64 KiB of a text are kept.
        let notes = try #require(contents.places.first?.item.notes)
        #expect(notes.hasPrefix("é&é&") && !notes.contains("\u{FFFD}"))
        let meters = Int((19_999 * Double(6_371_008.7714) * .pi / 180).rounded())
        #expect(contents.tracks.map(\.caption) == ["\(meters) m"])
    }
}
